import type { AuthoredValue, FieldValues } from '../../editor/api.ts';
import { readYamlQuickly } from '../../source/simple-yaml.ts';
import { readYamlExactly } from '../../source/yaml-document.ts';
import { isMapping } from '../../values/mapping.ts';

/** Reads invalid files too. Every scalar becomes a text, or null if it is empty or unreadable. */
export function readFieldValues(text: string): FieldValues {
  const quick = readYamlQuickly(text);
  const exact = quick === undefined ? readYamlExactly(text, '') : undefined;
  const value = authored(quick ?? exact?.value ?? exact?.partialValue);
  return isMapping(value) ? (value as FieldValues) : {};
}

export function valuesIn(bytes: Buffer): FieldValues {
  return readFieldValues(bytes.toString('utf8'));
}

/** Empty if the title is missing or not a text. */
export function titleIn({ title }: FieldValues): string {
  return typeof title === 'string' ? title : '';
}

function authored(value: unknown): AuthoredValue {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(authored);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, authored(inner)]));
}
