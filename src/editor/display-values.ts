import { countryName, currencyName, identifierToWords } from '../contract/display-text.ts';
import type { AuthoredValue } from './api.ts';
import type { CatalogueResponse, FieldInfo } from './catalogue-info.ts';
import { withoutPendingPrefix } from './photo-files.ts';

const NAMES: Readonly<Record<string, (code: string) => string>> = {
  country: countryName,
  currency: currencyName,
};

type Named = Partial<Pick<FieldInfo, 'name' | 'label' | 'kind' | 'choices' | 'vocabulary' | 'fields'>>;
type Words = Pick<CatalogueResponse, 'vocabulary'>;

export function displayText(text: string, info: Named, words: Words): string {
  const { name = '', kind, choices, vocabulary } = info;
  if (kind === 'boolean') return text === 'true' ? 'Yes' : 'No';
  if (name === 'file') return withoutPendingPrefix(text).split('/').at(-1) ?? text;
  const known = choices ?? (vocabulary && words.vocabulary[vocabulary]);
  return known?.find(({ word }) => word === text)?.label ?? NAMES[name]?.(text) ?? text;
}

export function displayValue(value: AuthoredValue | undefined, info: Named, words: Words): string {
  if (value === undefined || value === null || value === '') return '(nothing)';
  if (typeof value === 'string') return displayText(value, info, words);
  if (Array.isArray(value))
    return value.length === 0
      ? '(nothing)'
      : (value as readonly AuthoredValue[]).map((entry) => displayEntry(entry, info, words)).join('\n');
  return displayEntry(value, info, words);
}

function displayEntry(entry: AuthoredValue, info: Named, words: Words): string {
  if (typeof entry === 'string') {
    const text = displayText(entry, info, words);
    return text === entry ? identifierToWords(text) : text;
  }
  if (entry === null || Array.isArray(entry)) return displayValue(entry, info, words);
  const texts = Object.entries(entry).flatMap(([name, text]) => {
    if (typeof text !== 'string' || text === '' || UNSEEN.includes(name)) return [];
    const field: Named = info.fields?.find((one) => one.name === name) ?? { name };
    if (field.kind === 'boolean') return text === 'true' ? field.label : `not ${field.label}`;
    const known = displayText(text, field, words);
    return known === text ? identifierToWords(text) : known;
  });
  return texts.join(': ');
}

const UNSEEN: readonly string[] = ['id', 'position'];
