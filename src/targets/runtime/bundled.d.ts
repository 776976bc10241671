/** Placeholder in the bundle, replaced when the target's files are generated. */
declare const CATALOGUE_SETTINGS: import('../runtime/reply-settings.ts').ReplySettings;

/** Constant at bundling, so that other bundles omit the code for API keys. */
declare const CATALOGUE_GUARDED: boolean;

/** Constant at bundling, so that bundles that do not cut pages out of chunks omit the code. */
declare const CATALOGUE_PACKED: boolean;
