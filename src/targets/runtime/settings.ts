import type { ReplySettings } from './reply-settings.ts';

/** The settings, as the literal that takes the place of the name when a target is generated. */
export const SETTINGS: ReplySettings = CATALOGUE_SETTINGS;
