/** Writes one authored property as YAML, the way a careful editor would: as `format` leaves it. */
import type { AuthoredProperty } from '../contract/authored.ts';
import {
  type EntryField,
  entryFields,
  FIELD_NAMES,
  type Field,
  type FieldName,
  fieldOf,
  isUnquoted,
  type RequiredField,
  type TextField,
} from '../contract/fields.ts';
import { blockText, scalarText } from './scalar.ts';

/** A photo of the catalogue's own (`file`, relative to the YAML file) or elsewhere (`url`, https). */
export type PhotoEntry = ({ file: string } | { url: string; thumbnail?: string }) & {
  description?: string;
  id?: string;
  position?: number;
};

/** What one YAML file holds. Absent and empty texts and lists are left out of it. */
export type PropertyFile = { readonly [Name in TextField]?: string | undefined } & {
  readonly [Name in RequiredField]: string;
} & { readonly [Name in Exclude<FieldName, TextField | 'photo'>]: AuthoredProperty[Name] } & {
  readonly photo: readonly PhotoEntry[];
};

/** What stands in the file besides the values. */
export type Remarks = {
  /** The top of the file, with line ends. */
  readonly head?: string;
  /** What stands in place of a field without a value; `key`: of a field of the last entry. @default nothing */
  readonly absent?: (field: FieldName, key?: string) => string;
};

/** The text of the file. Read with the failsafe schema of YAML 1.2 it gives back exactly the given texts. */
export function propertyYaml(property: PropertyFile, { head = '', absent = () => '' }: Remarks = {}): string {
  const groups = new Map<Field['group'] | 'head', string>([['head', head]]);
  for (const name of FIELD_NAMES) {
    const { group } = fieldOf(name);
    const text = fieldText(name, property[name], absent) || absent(name);
    groups.set(group, (groups.get(group) ?? '') + text);
  }
  return [...groups.values()].filter((group) => group !== '').join('\n');
}

function fieldText(name: FieldName, value: unknown, absent: NonNullable<Remarks['absent']>): string {
  const { kind } = fieldOf(name);
  if (!Array.isArray(value)) return lineOf(name, kind, value, '');
  if (value.length === 0) return '';
  const items = value.map((item: unknown) =>
    kind === 'entries'
      ? entryText(entryFields(name), item as Record<string, unknown>, (key) => absent(name, key))
      : `  - ${scalarText(String(item))}\n`,
  );
  return `${name}:\n${items.join('')}`;
}

function entryText(
  fields: ReadonlyMap<string, EntryField>,
  entry: Readonly<Record<string, unknown>>,
  absent: (key: string) => string,
): string {
  const lines = [...fields].map(([key, { kind }]) => {
    const line = lineOf(key, kind, entry[key], '    ') || absent(key);
    return line === '' || line.startsWith(' ') ? line : `    ${line}`;
  });
  return lines.join('').replace('    ', '  - ');
}

/** A line, or several for a text that has line breaks; empty without a value. */
function lineOf(key: string, kind: Field['kind'], value: unknown, margin: string): string {
  const text = value === undefined || value === null ? '' : String(value);
  if (text === '') return '';
  const block = kind === 'lines' ? blockText(text, `${margin}  `) : undefined;
  return `${margin}${key}: ${block ?? scalarText(text, { number: isUnquoted({ kind }) })}\n`;
}

/** A YAML list of texts under a key, indented by `indent` spaces; for configuration files. */
export function textList(key: string, texts: readonly string[], indent = 0): string {
  const margin = ' '.repeat(indent);
  return `${margin}${key}:\n${texts.map((entry) => `${margin}  - ${scalarText(entry)}\n`).join('')}`;
}
