/** The settings of a target; the name stands in the bundle until the target's files are generated. */
declare const CATALOGUE_SETTINGS: import('../runtime/reply-settings.ts').ReplySettings;

/** Whether the bundle is for a list that asks for a key; set when it is made, so that the others lack that part. */
declare const CATALOGUE_GUARDED: boolean;

/** Whether the bundle cuts pages out of chunks; set when it is made, so that the others lack that part. */
declare const CATALOGUE_PACKED: boolean;
