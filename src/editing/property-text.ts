/** Writes a property as formatted YAML. */
import type { AuthoredProperty } from '../contract/authored.ts';
import {
  FIELD_NAMES,
  type Field,
  type FieldName,
  fieldOf,
  type RequiredField,
  type TextField,
} from '../contract/fields.ts';
import { fieldText } from './field-text.ts';
import type { Authored } from './field-values.ts';

/** A photo in the content folder (`file`, relative to the YAML file) or elsewhere (`url`, https). */
export type PhotoEntry = ({ file: string } | { url: string; thumbnail?: string }) & {
  description?: string;
  id?: string;
  position?: number;
};

/** Values of a property file. Empty texts and lists are omitted. */
export type PropertyFile = { readonly [Name in TextField]?: string | undefined } & {
  readonly [Name in RequiredField]: string;
} & { readonly [Name in Exclude<FieldName, TextField | 'photo'>]: AuthoredProperty[Name] } & {
  readonly photo: readonly PhotoEntry[];
};

/** Comments in the file. */
export type Remarks = {
  /** Lines at the top of the file, with line endings. */
  readonly head?: string;
  /** Returns the lines in place of a field without a value. @default none */
  readonly absent?: (field: FieldName) => string;
};

/** Writes the file. Read with the failsafe schema of YAML 1.2, it has exactly the given texts. */
export function propertyYaml(property: PropertyFile, { head = '', absent = () => '' }: Remarks = {}): string {
  const groups = new Map<Field['group'] | 'head', string>([['head', head]]);
  for (const name of FIELD_NAMES) {
    const { group } = fieldOf(name);
    const value = property[name];
    const text = isAbsent(value) ? absent(name) : fieldText(name, asAuthored(value));
    groups.set(group, (groups.get(group) ?? '') + text);
  }
  return [...groups.values()].filter((group) => group !== '').join('\n');
}

function isAbsent(value: unknown): boolean {
  return (
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** Converts every scalar to text, and absent ones to null. */
function asAuthored(value: unknown): Authored {
  if (isAbsent(value)) return null;
  if (Array.isArray(value)) return value.map(asAuthored);
  if (typeof value !== 'object') return String(value);
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, asAuthored(inner)]));
}
