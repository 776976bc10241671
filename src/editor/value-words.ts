/** Formats a property's values for people. */
import { inWords } from '../explorer/words.ts';
import type { Authored } from './api.ts';
import { withoutMark } from './photo-files.ts';

/** Formats a value; a list has one line per entry. */
export function valueInWords(value: Authored | undefined): string {
  if (value === undefined || value === null || value === '') return '(nothing)';
  if (typeof value === 'string') return value;
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
