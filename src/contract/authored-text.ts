/** Texts of a property: how each is tidied and checked. */
import * as z from 'zod';
import { CONTROL_CHARACTER } from '../control-characters.ts';
import { hasTooManyMarks, MAX_MARKS, toNfc } from './unicode.ts';

/** Codes of the checks below. */
export type AuthoredCode =
  | 'control-character'
  | 'direction-mark'
  | 'invalid-unicode'
  | 'too-many-marks'
  | 'empty-text'
  | 'invalid-id'
  | 'unknown-currency'
  | 'unknown-country'
  | 'invalid-email'
  | 'invalid-phone'
  | 'invalid-latitude'
  | 'invalid-longitude'
  | 'city-too-long'
  | 'title-too-long'
  | 'invalid-url'
  | 'invalid-photo-path'
  | 'photo-source'
  | 'needless-thumbnail'
  | 'invalid-position'
  | 'duplicate-position'
  | 'duplicate-photo'
  | 'invalid-boolean'
  | 'invalid-time'
  | 'live-times-reversed'
  | 'unknown-method-type';

export type Check = (context: z.core.ParsePayload<string>) => void;

export function fail(
  { issues, value: input }: z.core.ParsePayload,
  code: AuthoredCode,
  args: Record<string, string | number> = {},
  path: (string | number)[] = [],
): void {
  issues.push({ code: 'custom', input, path, params: { code, ...args }, message: code });
}

/** A check of the texts that do not pass as they are; the others need no context. */
export function unless(passes: (value: string) => boolean, check: Check): Check {
  return (context) => {
    if (!passes(context.value)) check(context);
  };
}

/** Those of `CONTROL_CHARACTER` that neither turn the writing direction nor are surrogates. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/**
 * A line that is trimmed, in NFC and without forbidden characters, as most are. One look instead of four takes a third off
 * the time of all checks of a property, which has some thirty texts.
 */
const PLAIN = /^(?! )[ -~\u00a1-\u02ff]*$(?<! )/;
const isPlain = (value: string) => PLAIN.test(value);

const tidy = unless(isPlain, (context) => {
  context.value = toNfc(context.value.trim());
  judgeCharacters(context, context.value);
});

/** The same, but line breaks may stand in the text. */
const tidyLines = unless(isPlain, (context) => {
  context.value = toNfc(context.value.replace(/\r\n?/g, '\n').trim());
  judgeCharacters(context, context.value.replaceAll('\n', ' '));
});

function judgeCharacters(context: z.core.ParsePayload<string>, value: string): void {
  if (hasTooManyMarks(value)) fail(context, 'too-many-marks', { limit: MAX_MARKS });
  const found = CONTROL_CHARACTER.exec(value);
  if (!found) return;
  const code = CONTROL.test(found[0])
    ? 'control-character'
    : /\p{Cs}/u.test(found[0])
      ? 'invalid-unicode'
      : 'direction-mark';
  fail(context, code, {
    character: `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  });
}

export const present = unless(
  (value: string) => value !== '',
  (context) => fail(context, 'empty-text'),
);

/** A check that is made even where another one failed: what is wrong is reported at once. */
export function always<Value>(check: (context: z.core.ParsePayload<Value>) => void): z.core.$ZodCheck<Value> {
  return { _zod: { check, def: { check: 'custom', when: () => true }, onattach: [] } } as never;
}

/** Text, trimmed and in NFC, without control characters. */
export const text = z.string().check(tidy);
/** The same, over several lines. Each ends with a line feed. */
export const lines = z.string().check(tidyLines);
export const filled = text.check(present);
export const optional = text.default('');

export function must(isValid: (value: string) => boolean, code: AuthoredCode): Check {
  return unless(isValid, (context) => fail(context, code, { value: context.value }));
}

/** A check that lets the empty text pass: it stands for "absent". */
export function unlessEmpty(isValid: (value: string) => boolean, code: AuthoredCode): Check {
  return must((value) => value === '' || isValid(value), code);
}

/** A check that brings a text to its published form, if it has one. An empty text stands for "absent". */
export function publishedAs(
  passes: (value: string) => boolean,
  find: (value: string) => string | undefined,
  code: AuthoredCode,
): Check {
  return unless(
    (value) => value === '' || passes(value),
    (context) => {
      const published = find(context.value);
      if (published === undefined) fail(context, code, { value: context.value });
      else context.value = published;
    },
  );
}
