import type { ReplySettings } from './reply-settings.ts';

/** Generating a target replaces the placeholder by a literal. */
export const SETTINGS: ReplySettings = CATALOGUE_SETTINGS;
