/**
 * Every scalar arrives as text, so that `zip_code: 01234` and `country: NO` stay as typed. A failed check raises a
 * custom issue with `params: { code, ...args }`; `source/diagnostic-codes.ts` explains the codes.
 */
import * as z from 'zod';
import { CONTROL_CHARACTER } from '../text/control-characters.ts';
import { COUNTRIES, CURRENCIES } from './country-and-currency-tables.ts';
import { isEmail, normalizeEmail } from './email.ts';
import { isHttpsUrl, isRelativePath } from './link.ts';
import { MAX_VALUE_BYTES } from './parameters.ts';
import { PAYMENT_METHOD_TYPES } from './payment-method-types.ts';
import { normalizePhone } from './phone.ts';
import { isPlaceholder, mayBePlaceholder } from './placeholder.ts';
import { isSurelyValidPhone } from './quick-phone-check.ts';
import {
  codePointLength,
  hasTooManyCombiningMarks,
  MAX_COMBINING_MARKS,
  MAX_TEXT,
  MAX_TITLE,
  toNfc,
} from './unicode.ts';
import { parseInstant } from './visibility.ts';

export type AuthoredDiagnosticCode =
  | 'control-character'
  | 'direction-mark'
  | 'invalid-unicode'
  | 'too-many-marks'
  | 'empty-text'
  | 'invalid-id'
  | 'placeholder'
  | 'reserved-id'
  | 'unknown-currency'
  | 'unknown-country'
  | 'invalid-email'
  | 'invalid-phone'
  | 'invalid-latitude'
  | 'invalid-longitude'
  | 'city-too-long'
  | 'title-too-long'
  | 'text-too-long'
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
  | 'unknown-method-type'
  | 'missing-key'
  | 'invalid-value'
  | 'out-of-range'
  | 'invalid-link'
  | 'invalid-language'
  | 'unknown-choice'
  | 'too-many-entries'
  | 'repeated-entry';

export type TextCheck = (context: z.core.ParsePayload<string>) => void;

export function addIssue(
  { issues, value: input }: z.core.ParsePayload,
  code: AuthoredDiagnosticCode,
  args: Record<string, string | number> = {},
  path: (string | number)[] = [],
): void {
  issues.push({ code: 'custom', input, path, params: { code, ...args }, message: code });
}

export function checkUnless(passes: (value: string) => boolean, check: TextCheck): TextCheck {
  return (context) => {
    if (!passes(context.value)) check(context);
  };
}

const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

/**
 * Matches a line that needs no change: trimmed, in NFC, without forbidden characters. This test saves a third of the
 * time of checks.
 */
const PLAIN = /^(?! )[ -~\u00a1-\u02ff]*$(?<! )/;
const isPlain = (value: string) => PLAIN.test(value);

const tidy = checkUnless(isPlain, (context) => {
  context.value = toNfc(context.value.trim());
  judgeCharacters(context, context.value);
});

const isShort = (value: string) => value.length <= MAX_TEXT || codePointLength(value) <= MAX_TEXT;

function judgeLength(context: z.core.ParsePayload<string>): void {
  if (isShort(context.value)) return;
  addIssue(context, 'text-too-long', { length: codePointLength(context.value), limit: MAX_TEXT });
}

/** A quick test: true if the text needs no change, false if only the full check can tell. */
export const isShortAndPlain = (value: string) => value.length <= MAX_TEXT && isPlain(value);

/** Like {@link tidy}, but also enforces {@link MAX_TEXT}. */
export const tidyAndLimitText = checkUnless(isShortAndPlain, (context) => {
  context.value = toNfc(context.value.trim());
  judgeCharacters(context, context.value);
  judgeLength(context);
});

/** Like {@link PLAIN}, but for several lines. The text may end with a line feed, as YAML block scalars do. */
const PLAIN_LINES = /^(?![ \n])[\n -~\u00a1-\u02ff]*(?<![ \n])\n?$/;

export const isShortAndPlainLines = (value: string) =>
  value.length <= MAX_TEXT && PLAIN_LINES.test(value) && !value.endsWith('\n');

/** Like {@link tidyAndLimitText}, but allows line breaks. */
export const tidyLines = checkUnless(isShortAndPlain, (context) => {
  if (context.value.length <= MAX_TEXT && PLAIN_LINES.test(context.value)) {
    context.value = context.value.trimEnd();
    return;
  }
  context.value = toNfc(context.value.replace(/\r\n?/g, '\n').trim());
  judgeCharacters(context, context.value.replaceAll('\n', ' '));
  judgeLength(context);
});

function judgeCharacters(context: z.core.ParsePayload<string>, value: string): void {
  if (hasTooManyCombiningMarks(value)) addIssue(context, 'too-many-marks', { limit: MAX_COMBINING_MARKS });
  const found = CONTROL_CHARACTER.exec(value);
  if (!found) return;
  const code = CONTROL.test(found[0])
    ? 'control-character'
    : /\p{Cs}/u.test(found[0])
      ? 'invalid-unicode'
      : 'direction-mark';
  addIssue(context, code, {
    character: `U+${found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  });
}

const notEmpty = checkUnless(
  (value: string) => value !== '',
  (context) => addIssue(context, 'empty-text'),
);

/** Runs even after another check failed, so that all faults are reported at once. */
export function alwaysCheck(check: (context: z.core.ParsePayload) => void): z.core.$ZodCheck<unknown> {
  return { _zod: { check, def: { check: 'custom', when: () => true }, onattach: [] } } as never;
}

/** For required texts. In an optional text, a placeholder such as `#N/A` only raises a warning, in another check. */
const notPlaceholder = checkUnless(
  (value: string) => value !== '' && !mayBePlaceholder(value),
  (context) => {
    if (context.value === '') addIssue(context, 'empty-text');
    else if (isPlaceholder(context.value)) addIssue(context, 'placeholder', { value: context.value });
  },
);

const text = z.string().check(tidyAndLimitText);
const lines = z.string().check(tidyLines);
const word = text.check(notEmpty);
const filled = text.check(notPlaceholder);

function must(isValid: (value: string) => boolean, code: AuthoredDiagnosticCode): TextCheck {
  return checkUnless(isValid, (context) => addIssue(context, code, { value: context.value }));
}

function unlessEmpty(isValid: (value: string) => boolean, code: AuthoredDiagnosticCode): TextCheck {
  return must((value) => value === '' || isValid(value), code);
}

function publishedAs(
  passes: (value: string) => boolean,
  find: (value: string) => string | undefined,
  code: AuthoredDiagnosticCode,
): TextCheck {
  return checkUnless(
    (value) => value === '' || passes(value),
    (context) => {
      const published = find(context.value);
      if (published === undefined) addIssue(context, code, { value: context.value });
      else context.value = published;
    },
  );
}

function coordinate(limit: number, code: AuthoredDiagnosticCode): TextCheck {
  return must((value) => {
    const [, whole, fraction = ''] = /^-?(0|[1-9][0-9]{0,2})(?:\.([0-9]{1,30}))?$/.exec(value) ?? [];
    // The fraction is compared as text, since a double would round a value just beyond the limit.
    return Number(whole) < limit || (Number(whole) === limit && /^0*$/.test(fraction));
  }, code);
}

const UUID = z.regexes.uuid();
/** The nil UUID and the max UUID (RFC 9562, 5.9 and 5.10). */
const RESERVED = /^(?:[0-]+|[f-]+)$/;
const isBoolean = (value: string) => value === 'true' || value === 'false';
const isFilterable = (value: string) => Buffer.byteLength(value) <= MAX_VALUE_BYTES;
const isTitle = (value: string) => codePointLength(value) <= MAX_TITLE;

const titleLength = checkUnless(isTitle, (context) =>
  addIssue(context, 'title-too-long', { length: codePointLength(context.value), limit: MAX_TITLE }),
);

/** Schemas by name. An entry of `FIELDS` names its schema in `schema`; by default, its `kind` is the name. */
export const FIELD_VALUE_SCHEMAS = {
  text,
  filled,
  word,
  lines,
  paragraph: lines.check(notPlaceholder),
  boolean: text.check(unlessEmpty(isBoolean, 'invalid-boolean')),
  flag: text.check(must(isBoolean, 'invalid-boolean')).transform((value) => value === 'true'),
  instant: text.check(unlessEmpty((value) => parseInstant(value) !== undefined, 'invalid-time')),
  id: text.toLowerCase().check(
    must((value) => UUID.test(value), 'invalid-id'),
    must((value) => !RESERVED.test(value), 'reserved-id'),
  ),
  // Limited by `MAX_TITLE` instead of `MAX_TEXT`.
  title: z.string().check(tidy, notPlaceholder, titleLength),
  /** A title that may be absent, as in a translation. */
  heading: z.string().check(tidy, titleLength),
  city: z.string().check(
    tidy,
    notPlaceholder,
    checkUnless(isFilterable, (context) => {
      const bytes = Buffer.byteLength(context.value);
      addIssue(context, 'city-too-long', { bytes, limit: MAX_VALUE_BYTES });
    }),
  ),
  country: text.check(must((value) => Object.hasOwn(COUNTRIES, value), 'unknown-country')),
  currency: text.check(must((value) => Object.hasOwn(CURRENCIES, value), 'unknown-currency')),
  email: text.check(publishedAs(isEmail, normalizeEmail, 'invalid-email')),
  phone: text.check(publishedAs(isSurelyValidPhone, normalizePhone, 'invalid-phone')),
  latitude: text.check(coordinate(90, 'invalid-latitude')),
  longitude: text.check(coordinate(180, 'invalid-longitude')),
  path: text.check(notEmpty, unlessEmpty(isRelativePath, 'invalid-photo-path')),
  link: text.check(notEmpty, unlessEmpty(isHttpsUrl, 'invalid-url')),
  position: text
    .check(must((value) => /^[1-9][0-9]{0,8}$/.test(value), 'invalid-position'))
    .transform(Number),
  method: text
    .check(
      must((value) => (PAYMENT_METHOD_TYPES as readonly string[]).includes(value), 'unknown-method-type'),
    )
    .transform((value) => value as (typeof PAYMENT_METHOD_TYPES)[number]),
};

export type ValueSchemaName = keyof typeof FIELD_VALUE_SCHEMAS;
