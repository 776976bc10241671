import type { ReplySettings } from './reply-settings.ts';

/** The placeholder becomes a literal when the target is generated. */
export const SETTINGS: ReplySettings = CATALOGUE_SETTINGS;
