/** Values that are allowed but doubtful: see `docs/decisions.md`, "Authored YAML". */
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { COUNTRIES } from '../contract/country-and-currency-tables.ts';
import { type FieldTable, SCALAR_FIELDS } from '../contract/fields.ts';
import { isValidPhone } from '../contract/phone.ts';
import { codePointLength, LONG_TEXT, LONG_TITLE } from '../contract/unicode.ts';
import type { TermList, Vocabulary } from '../contract/vocabulary.ts';
import { type Point, placeDoubt } from './coordinates-check.ts';
import { findTextDamage, isSurelyUndamaged, repairedText } from './damaged-text.ts';
import type { DiagnosticArgs, DiagnosticCode } from './diagnostic-codes.ts';
import { isNullWord } from './null-word.ts';
import type { PartialProperty } from './readable-property.ts';
import type { SchemaIssue } from './schema-issues.ts';
import { type TextKind, type TextKinds, textKindsByList } from './text-kind.ts';
import { duplicateWords, unknownWordArgs } from './vocabulary-word.ts';
import type { ValuePath } from './yaml-document.ts';

export type WarningInput = {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly property: PartialProperty;
  readonly vocabulary: Vocabulary;
  readonly fields: FieldTable;
  /** Tells whether the value at a path is unquoted. Undefined if no value is an unquoted null word, such as `~`. */
  readonly isPlain: ((path: ValuePath) => boolean) | undefined;
};

type Add = (code: DiagnosticCode, path: (string | number)[], args?: DiagnosticArgs) => void;

export function findWarnings(doubtful: WarningInput): SchemaIssue[] {
  const doubts: SchemaIssue[] = [];
  const add: Add = (code, path, args = {}) => doubts.push({ code, path, args });
  doubtContact(doubtful, add);
  doubtCoordinates(doubtful, add);
  doubtNames(doubtful, add);
  doubtNulls(doubtful, add);
  doubtTexts(doubtful, add);
  doubtWords(doubtful, add);
  return doubts;
}

function doubtContact({ raw, property }: WarningInput, add: Add): void {
  const { id, email, phone, zip_code, country } = property;
  if (email === '') add('missing-email', ['email']);
  if (phone === '') add('missing-phone', ['phone']);
  else if (phone !== undefined && !isValidPhone(phone)) add('doubtful-phone', ['phone'], { value: phone });
  if (zip_code !== undefined && country !== undefined && !fitsCountry(zip_code, country)) {
    const padded = /^\d+$/.test(zip_code) ? `0${zip_code}` : '';
    const suggestion = padded !== '' && fitsCountry(padded, country) ? padded : undefined;
    add('doubtful-postal-code', ['zip_code'], {
      value: zip_code,
      country,
      ...(suggestion && { suggestion }),
    });
  }
  if (id !== undefined && raw.id !== id && String(raw.id).trim() !== id) {
    add('upper-case-id', ['id'], { value: id });
  }
}

function doubtCoordinates({ property }: WarningInput, add: Add): void {
  const { country, latitude, longitude } = property;
  if (country === undefined || latitude === undefined || longitude === undefined) return;
  const args = coordinatesWarning(country, { latitude, longitude });
  if (args) add('doubtful-coordinates', ['latitude'], args);
}

export function coordinatesWarning(country: string, point: Point): DiagnosticArgs | undefined {
  const doubt = placeDoubt(country, point);
  if (!doubt) return undefined;
  const args = { kind: doubt.kind, ...point, name: COUNTRIES[country] ?? country };
  switch (doubt.kind) {
    case 'zero':
      return args;
    case 'outside':
      return doubt.country === undefined ? args : { ...args, place: placeName(doubt.country) };
    default:
      return { ...args, meantLatitude: doubt.meant.latitude, meantLongitude: doubt.meant.longitude };
  }
}

function placeName(country: string): string {
  return `${COUNTRIES[country] ?? country} (${country})`;
}

const QUOTED = /^([“”„‟«‹»›‘‚])(.+)([“”«‹»›’‘])$/su;

function doubtNames({ raw, property, fields }: WarningInput, add: Add): void {
  const values = property as Readonly<Record<string, unknown>>;
  for (const key of ['title', ...fields.languages.slice(1).map((language) => `title@${language}`)]) {
    const length = codePointLength(String(values[key] ?? ''));
    if (length > LONG_TITLE) add('long-title', [key], { length, limit: LONG_TITLE });
  }
  const { phone } = property;
  if (phone && String(raw.phone).trim() !== phone) {
    const change = 'these are the digits to dial from abroad';
    add('text-changed', ['phone'], { key: 'phone', value: phone, change });
  }
  for (const key of ['title', 'city'] as const) {
    const value = property[key];
    if (value === undefined) continue;
    const written = String(raw[key]);
    if (written !== value) {
      const change =
        written.trim() === written ? 'its letters are brought to NFC' : 'spaces at its ends are removed';
      add('text-changed', [key], { key, value, change });
    }
    const inner = QUOTED.exec(value)?.[2]?.trim();
    if (inner) add('typographic-quotes', [key], { key, value, suggestion: inner });
  }
}

function doubtNulls({ property, isPlain }: WarningInput, add: Add): void {
  if (!isPlain) return;
  for (const key of SCALAR_FIELDS) {
    const value = property[key];
    if (value !== undefined && isNullWord(value) && isPlain([key])) add('null-text', [key], { key, value });
  }
  property.facilities.forEach((value, index) => {
    const path = ['facilities', index];
    if (value !== undefined && isNullWord(value) && isPlain(path)) {
      add('null-text', path, { key: 'facility', value });
    }
  });
  property.hotel_policy.forEach((policy, index) => {
    for (const key of ['policy_type', 'detail'] as const) {
      const value = policy?.[key];
      const path = ['hotel_policy', index, key];
      if (value !== undefined && isNullWord(value) && isPlain(path)) add('null-text', path, { key, value });
    }
  });
}

function doubtTexts(doubtful: WarningInput, add: Add): void {
  const values = doubtful.property as Readonly<Record<string, unknown>>;
  const judge = (fields: Readonly<Record<string, unknown>>, kinds: TextKinds, path: (string | number)[]) => {
    for (const [name, kind] of kinds) {
      const value = fields[name];
      if (isDoubtful(value)) doubtText(value, kind, doubtful, add, [...path, name]);
      else if (Array.isArray(value))
        for (const [index, entry] of value.entries())
          if (isDoubtful(entry)) doubtText(entry, kind, doubtful, add, [...path, name, index]);
    }
  };
  for (const [list, kinds] of textKindsByList(doubtful.fields)) {
    if (list === '') judge(values, kinds, []);
    else
      for (const [index, entry] of ((values[list] ?? []) as readonly unknown[]).entries())
        judge(Object(entry) as Readonly<Record<string, unknown>>, kinds, [list, index]);
  }
}

/** A quick test: the field path is built only for doubtful texts. */
function isDoubtful(text: unknown): text is string {
  return typeof text === 'string' && !isSurelyUndamaged(text);
}

function doubtText(
  text: string,
  kind: TextKind,
  { property: { country }, isPlain }: WarningInput,
  add: Add,
  path: (string | number)[],
): void {
  const key = String(path.findLast((step) => typeof step === 'string'));
  const length = text.length > LONG_TEXT ? codePointLength(text) : 0;
  if (length > LONG_TEXT) add('long-text', path, { key, length, limit: LONG_TEXT });
  const found = findTextDamage(text, kind);
  if (found.length === 0) return;
  // An unquoted null has its own warning. There is a town in Italy called None.
  if ((isNullWord(text) && isPlain?.(path)) || (text === 'None' && key === 'city' && country === 'IT'))
    return;
  const suggestion = repairedText(text, kind);
  for (const code of found) {
    add(code, path, { key, value: text, ...(suggestion !== undefined && { suggestion }) });
  }
}

const MAX_COMPARED = 50;

function doubtWords({ property, vocabulary }: WarningInput, add: Add): void {
  let compared = 0;
  const doubt = (value: string, terms: TermList) =>
    unknownWordArgs(value, terms, () => compared++ < MAX_COMPARED);
  const { facilities } = property;
  const repeated = duplicateWords(facilities, vocabulary.facilities);
  facilities.forEach((value, index) => {
    if (value === undefined) return;
    const first = facilities[repeated.get(index) ?? -1];
    const args = first === undefined ? doubt(value, vocabulary.facilities) : { value, first };
    if (args)
      add(first === undefined ? 'unknown-facility' : 'repeated-facility', ['facilities', index], args);
  });
  property.hotel_policy.forEach((policy, index) => {
    const value = policy?.policy_type;
    const args = value === undefined ? undefined : doubt(value, vocabulary.policy_types);
    if (args) add('unknown-policy-type', ['hotel_policy', index, 'policy_type'], args);
  });
}

function fitsCountry(code: string, country: string): boolean {
  return code === '' || !postcodeValidatorExistsForCountry(country) || postcodeValidator(code, country);
}
