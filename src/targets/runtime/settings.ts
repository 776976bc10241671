import type { ReplySettings } from './reply-settings.ts';

/** The settings; generating a target replaces the placeholder by a literal. */
export const SETTINGS: ReplySettings = CATALOGUE_SETTINGS;
