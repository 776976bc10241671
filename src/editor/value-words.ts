/** Formats a property's values for people. */
import { countryName, currencyName, inWords } from '../explorer/words.ts';
import type { Authored } from './api.ts';
import { withoutMark } from './photo-files.ts';

/** Fields whose values are codes, and their words. */
const NAMES: Readonly<Record<string, (code: string) => string>> = {
  country: countryName,
  currency: currencyName,
  draft: (text) => (text === 'true' ? 'Yes' : 'No'),
};

/** Formats the text of a field. */
export function textInWords(field: string, text: string): string {
  return NAMES[field]?.(text) ?? text;
}

/** Formats a value of a field; a list has one line per entry. */
export function valueInWords(value: Authored | undefined, field = ''): string {
  if (value === undefined || value === null || value === '') return '(nothing)';
  if (typeof value === 'string') return textInWords(field, value);
  if (Array.isArray(value))
    return value.length === 0 ? '(nothing)' : (value as readonly Authored[]).map(entryInWords).join('\n');
  return entryInWords(value);
}

function entryInWords(entry: Authored): string {
  if (typeof entry === 'string') return inWords(entry);
  if (entry === null || Array.isArray(entry)) return valueInWords(entry);
  return Object.values(entry)
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text) => inWords(withoutMark(String(text))))
    .join(': ');
}
