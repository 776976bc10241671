/** Formats a property's values for people. */
import { countryName, currencyName, inWords } from '../contract/words.ts';
import type { Authored } from './api.ts';
import type { FieldInfo } from './catalogue-info.ts';
import { withoutMark } from './photo-files.ts';

/** Fields whose values are codes, and their words. */
const NAMES: Readonly<Record<string, (code: string) => string>> = {
  country: countryName,
  currency: currencyName,
};

type Named = Partial<Pick<FieldInfo, 'name' | 'kind' | 'choices'>>;

/** Formats the text of a field. */
export function textInWords(text: string, { name = '', kind, choices }: Named = {}): string {
  if (kind === 'boolean') return text === 'true' ? 'Yes' : 'No';
  return labelIn(choices, text) ?? NAMES[name]?.(text) ?? text;
}

const labelIn = (choices: Named['choices'], text: string) =>
  choices?.find(({ word }) => word === text)?.label;

/** Formats a value of a field; a list has one line per entry. */
export function valueInWords(value: Authored | undefined, info: Named = {}): string {
  if (value === undefined || value === null || value === '') return '(nothing)';
  if (typeof value === 'string') return textInWords(value, info);
  if (Array.isArray(value))
    return value.length === 0
      ? '(nothing)'
      : (value as readonly Authored[]).map((entry) => entryInWords(entry, info)).join('\n');
  return entryInWords(value);
}

function entryInWords(entry: Authored, { choices }: Named = {}): string {
  if (typeof entry === 'string') return labelIn(choices, entry) ?? inWords(entry);
  if (entry === null || Array.isArray(entry)) return valueInWords(entry);
  return Object.values(entry)
    .filter((text) => typeof text === 'string' && text !== '')
    .map((text) => inWords(withoutMark(String(text))))
    .join(': ');
}
