/** The bundle has this name as placeholder until the target's files are generated. */
declare const CATALOGUE_SETTINGS: import('../runtime/reply-settings.ts').ReplySettings;

/** Whether the bundle checks API keys. Constant at bundling, so that other bundles omit the code. */
declare const CATALOGUE_GUARDED: boolean;

/** Whether the bundle cuts pages out of chunks. Constant at bundling, so that other bundles omit the code. */
declare const CATALOGUE_PACKED: boolean;
