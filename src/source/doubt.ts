/** What is allowed and yet doubtful in a checked property: the warnings of `docs/decisions.md`, "Authored YAML". */
import { postcodeValidator, postcodeValidatorExistsForCountry } from 'postcode-validator';
import { type AuthoredProperty, isValidPhone } from '../contract/authored.ts';
import type { Vocabulary } from '../contract/configuration.ts';
import type { DiagnosticCode } from './codes.ts';
import type { DiagnosticArgs } from './diagnostic.ts';
import type { Fault } from './fault.ts';
import { nearest } from './suggestion.ts';

/** Finds the doubts. `raw`: the mapping as the file holds it; `property`: the same, checked. */
export function findDoubts(
  raw: Readonly<Record<string, unknown>>,
  property: AuthoredProperty,
  vocabulary: Vocabulary,
): Fault[] {
  const doubts: Fault[] = [];
  const doubt = (code: DiagnosticCode, path: (string | number)[], args: DiagnosticArgs = {}) =>
    doubts.push({ code, path, args });
  if (property.email === '') doubt('missing-email', ['email']);
  if (property.phone === '') doubt('missing-phone', ['phone']);
  else if (!isValidPhone(property.phone)) doubt('doubtful-phone', ['phone'], { value: property.phone });
  if (!fitsCountry(property.zip_code, property.country)) {
    doubt('doubtful-postal-code', ['zip_code'], { value: property.zip_code, country: property.country });
  }
  if (raw.id !== property.id && String(raw.id).trim() !== property.id) {
    doubt('upper-case-id', ['id'], { value: property.id });
  }
  for (const key of ['title', 'city'] as const) {
    const written = String(raw[key]);
    if (written === property[key]) continue;
    const change =
      written.trim() === written ? 'its letters are brought to NFC' : 'spaces at its ends are removed';
    doubt('text-changed', [key], { key, value: property[key], change });
  }
  for (const key of ['title', 'email', 'phone', 'zip_code', 'city', 'state', 'address'] as const) {
    if (isNullWord(property[key])) doubt('null-text', [key], { key, value: property[key] });
  }
  property.photo.forEach((photo, index) => {
    if (photo.description !== undefined && isNullWord(photo.description)) {
      doubt('null-text', ['photo', index, 'description'], { key: 'description', value: photo.description });
    }
  });
  const { facilities, policy_types } = vocabulary;
  if (facilities) {
    property.facilities.forEach((value, index) => {
      if (!facilities.includes(value))
        doubt('unknown-facility', ['facilities', index], near(value, facilities));
    });
  }
  if (policy_types) {
    property.hotel_policy.forEach(({ policy_type: value }, index) => {
      if (!policy_types.includes(value)) {
        doubt('unknown-policy-type', ['hotel_policy', index, 'policy_type'], near(value, policy_types));
      }
    });
  }
  return doubts;
}

function near(value: string, known: readonly string[]): DiagnosticArgs {
  const suggestion = nearest(value, known);
  return suggestion ? { value, suggestion } : { value };
}

function isNullWord(text: string): boolean {
  return text === '~' || /^null$/i.test(text);
}

/** Whether a postal code fits its country; true where nothing is known of the country's codes. */
function fitsCountry(code: string, country: string): boolean {
  return code === '' || !postcodeValidatorExistsForCountry(country) || postcodeValidator(code, country);
}
