/** What is allowed and yet doubtful in a property: the warnings of `docs/decisions.md`, "Authored YAML". */
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { TEXT_FIELDS } from '../contract/fields.ts';
import { isValidPhone } from '../contract/phone.ts';
import { COUNTRIES } from '../contract/tables.ts';
import { LONG_TITLE, lengthOf } from '../contract/unicode.ts';
import type { TermList, Vocabulary } from '../contract/vocabulary.ts';
import type { DiagnosticArgs, DiagnosticCode } from './codes.ts';
import { isNullWord } from './null-word.ts';
import { doubtPlace, type Point } from './place.ts';
import type { ReadableProperty } from './readable.ts';
import type { SchemaIssue } from './schema-issues.ts';
import { doubtOf, repetitions } from './vocabulary-word.ts';
import type { ValuePath } from './yaml-document.ts';

/** What the doubts are found in. */
export type Doubtful = {
  /** The mapping as the file holds it. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The same, checked: what is sound of it. */
  readonly property: ReadableProperty;
  readonly vocabulary: Vocabulary;
  /** Whether a value is written without quotes; undefined where none is a word that stands for nothing. */
  readonly isPlain: ((path: ValuePath) => boolean) | undefined;
};

type Add = (code: DiagnosticCode, path: (string | number)[], args?: DiagnosticArgs) => void;

/** Finds the doubts. */
export function findDoubts(doubtful: Doubtful): SchemaIssue[] {
  const doubts: SchemaIssue[] = [];
  const add: Add = (code, path, args = {}) => doubts.push({ code, path, args });
  doubtContact(doubtful, add);
  doubtCoordinates(doubtful, add);
  doubtNames(doubtful, add);
  doubtNulls(doubtful, add);
  doubtWords(doubtful, add);
  return doubts;
}

function doubtContact({ raw, property }: Doubtful, add: Add): void {
  const { id, email, phone, zip_code, country } = property;
  if (email === '') add('missing-email', ['email']);
  if (phone === '') add('missing-phone', ['phone']);
  else if (phone !== undefined && !isValidPhone(phone)) add('doubtful-phone', ['phone'], { value: phone });
  if (zip_code !== undefined && country !== undefined && !fitsCountry(zip_code, country)) {
    add('doubtful-postal-code', ['zip_code'], { value: zip_code, country });
  }
  if (id !== undefined && raw.id !== id && String(raw.id).trim() !== id) {
    add('upper-case-id', ['id'], { value: id });
  }
}

function doubtCoordinates({ property }: Doubtful, add: Add): void {
  const { country, latitude, longitude } = property;
  if (country === undefined || latitude === undefined || longitude === undefined) return;
  const args = coordinatesDoubt(country, { latitude, longitude });
  if (args) add('doubtful-coordinates', ['latitude'], args);
}

/** What a message says of a point that is not in its country; undefined when nothing is wrong. */
export function coordinatesDoubt(country: string, point: Point): DiagnosticArgs | undefined {
  const doubt = doubtPlace(country, point);
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

/** Quotes of a word processor around a text. */
const QUOTED = /^([“”„‟«‹»›‘‚])(.+)([“”«‹»›’‘])$/su;

function doubtNames({ raw, property }: Doubtful, add: Add): void {
  const length = lengthOf(property.title ?? '');
  if (length > LONG_TITLE) add('long-title', ['title'], { length, limit: LONG_TITLE });
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

function doubtNulls({ property, isPlain }: Doubtful, add: Add): void {
  if (!isPlain) return;
  for (const key of TEXT_FIELDS) {
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

/** Words whose like is looked for in a vocabulary: suggestions for more of them would help no reader. */
const MAX_COMPARED = 50;

function doubtWords({ property, vocabulary }: Doubtful, add: Add): void {
  let compared = 0;
  const doubt = (value: string, terms: TermList) => doubtOf(value, terms, () => compared++ < MAX_COMPARED);
  const { facilities } = property;
  const repeated = repetitions(facilities, vocabulary.facilities);
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

/** Whether a postal code fits its country; true where nothing is known of the country's codes. */
function fitsCountry(code: string, country: string): boolean {
  return code === '' || !postcodeValidatorExistsForCountry(country) || postcodeValidator(code, country);
}
