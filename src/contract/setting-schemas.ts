/** Schemas of settings. Every scalar of `catalogue.yaml` arrives as text, so the schemas decide its type, not YAML. */
import * as z from 'zod';

export const integerSetting = (least: number, most: number) => {
  const error = `expected a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^(?:0|[1-9][0-9]{0,15})$/, { error })
    .transform(Number)
    .pipe(z.number().min(least, { error }).max(most, { error }));
};

export const booleanSetting = z.enum(['true', 'false']).transform((value) => value === 'true');

export const singleLineText = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, { error: 'expected a text' })
  .max(200, { error: 'expected at most 200 characters' })
  .regex(/^\P{Cc}+$/u, { error: 'expected one line, without control characters' });
