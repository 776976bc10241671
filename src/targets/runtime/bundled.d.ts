/** Placeholder in the bundle. It is replaced when the target's files are generated. */
declare const CATALOGUE_SETTINGS: import('../runtime/reply-settings.ts').ReplySettings;

/** Set by the bundler: bundles without API keys omit the code that checks them. */
declare const CATALOGUE_GUARDED: boolean;

/** Set by the bundler: bundles that never cut pages out of chunks omit the code for that. */
declare const CATALOGUE_CUTS_PAGES: boolean;
