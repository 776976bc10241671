/**
 * Values of a property file: how each is tidied and checked. Every scalar arrives as text, so that `zip_code: 01234` and
 * `country: NO` stay as typed.
 *
 * A check that fails raises a custom issue with `params: { code, ...args }`; the codes are explained in
 * `source/codes.ts`.
 */
import * as z from 'zod';
import { CONTROL_CHARACTER } from '../control-characters.ts';
import { isEmail, publishedEmail } from './email.ts';
import { isHttpsUrl, isRelativePath } from './link.ts';
import { METHOD_TYPES } from './method-types.ts';
import { MAX_VALUE_BYTES } from './parameters.ts';
import { publishedPhone } from './phone.ts';
import { isSurelyValid } from './sure-phone.ts';
import { COUNTRIES, CURRENCIES } from './tables.ts';
import { hasTooManyMarks, lengthOf, MAX_MARKS, MAX_TITLE, toNfc } from './unicode.ts';
import { instantOf } from './visibility.ts';

/** Codes of the checks of a property file. */
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

type Check = (context: z.core.ParsePayload<string>) => void;

export function fail(
  { issues, value: input }: z.core.ParsePayload,
  code: AuthoredCode,
  args: Record<string, string | number> = {},
  path: (string | number)[] = [],
): void {
  issues.push({ code: 'custom', input, path, params: { code, ...args }, message: code });
}

/** A check of the texts that do not pass as they are; the others need no context. */
function unless(passes: (value: string) => boolean, check: Check): Check {
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

const present = unless(
  (value: string) => value !== '',
  (context) => fail(context, 'empty-text'),
);

/** A check that is made even where another one failed: what is wrong is reported at once. */
export function always(check: (context: z.core.ParsePayload) => void): z.core.$ZodCheck<unknown> {
  return { _zod: { check, def: { check: 'custom', when: () => true }, onattach: [] } } as never;
}

/** Text, trimmed and in NFC, without control characters. */
const text = z.string().check(tidy);
/** The same, over several lines. Each ends with a line feed. */
const lines = z.string().check(tidyLines);
const filled = text.check(present);

function must(isValid: (value: string) => boolean, code: AuthoredCode): Check {
  return unless(isValid, (context) => fail(context, code, { value: context.value }));
}

/** A check that lets the empty text pass: it stands for "absent". */
function unlessEmpty(isValid: (value: string) => boolean, code: AuthoredCode): Check {
  return must((value) => value === '' || isValid(value), code);
}

/** A check that brings a text to its published form, if it has one. An empty text stands for "absent". */
function publishedAs(
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

function coordinate(limit: number, code: AuthoredCode): Check {
  return must((value) => {
    const [, whole, fraction = ''] = /^-?(0|[1-9][0-9]{0,2})(?:\.([0-9]{1,30}))?$/.exec(value) ?? [];
    // Compared as text: a double would round what is just beyond the limit.
    return Number(whole) < limit || (Number(whole) === limit && /^0*$/.test(fraction));
  }, code);
}

const UUID = z.regexes.uuid();
const isBoolean = (value: string) => value === 'true' || value === 'false';
const isFilterable = (value: string) => Buffer.byteLength(value) <= MAX_VALUE_BYTES;
const isTitle = (value: string) => lengthOf(value) <= MAX_TITLE;

/** Schemas of values, by the name that an entry of the registry gives as its `value`, or else as its `kind`. */
export const VALUES = {
  text,
  filled,
  lines,
  paragraph: lines.check(present),
  boolean: text.check(unlessEmpty(isBoolean, 'invalid-boolean')),
  flag: text.check(must(isBoolean, 'invalid-boolean')).transform((value) => value === 'true'),
  time: text.check(unlessEmpty((value) => instantOf(value) !== undefined, 'invalid-time')),
  id: text.toLowerCase().check(must((value) => UUID.test(value), 'invalid-id')),
  title: filled.check(
    unless(isTitle, (context) =>
      fail(context, 'title-too-long', { length: lengthOf(context.value), limit: MAX_TITLE }),
    ),
  ),
  city: filled.check(
    unless(isFilterable, (context) => {
      const bytes = Buffer.byteLength(context.value);
      fail(context, 'city-too-long', { bytes, limit: MAX_VALUE_BYTES });
    }),
  ),
  country: text.check(must((value) => Object.hasOwn(COUNTRIES, value), 'unknown-country')),
  currency: text.check(must((value) => Object.hasOwn(CURRENCIES, value), 'unknown-currency')),
  email: text.check(publishedAs(isEmail, publishedEmail, 'invalid-email')),
  phone: text.check(publishedAs(isSurelyValid, publishedPhone, 'invalid-phone')),
  latitude: text.check(coordinate(90, 'invalid-latitude')),
  longitude: text.check(coordinate(180, 'invalid-longitude')),
  path: text.check(present, unlessEmpty(isRelativePath, 'invalid-photo-path')),
  link: text.check(present, unlessEmpty(isHttpsUrl, 'invalid-url')),
  position: text
    .check(must((value) => /^[1-9][0-9]{0,8}$/.test(value), 'invalid-position'))
    .transform(Number),
  method: text
    .check(must((value) => (METHOD_TYPES as readonly string[]).includes(value), 'unknown-method-type'))
    .transform((value) => value as (typeof METHOD_TYPES)[number]),
};

/** Name of a schema of {@link VALUES}. */
export type ValueName = keyof typeof VALUES;
