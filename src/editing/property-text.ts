/** Writes one authored property as YAML, the way a careful editor would: as `format` leaves it. */
import type { AuthoredProperty } from '../contract/authored.ts';
import {
  entryFields,
  FIELD_NAMES,
  type Field,
  type FieldName,
  fieldOf,
  type RequiredField,
  type TextField,
} from '../contract/fields.ts';
import { fieldLines, NEW_STYLE } from './edit/new-lines.ts';

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
  if (!Array.isArray(value)) return linesOf(name, value, 0);
  if (value.length === 0) return '';
  if (fieldOf(name).kind !== 'entries') return `${fieldLines(name, value as string[], 0, NEW_STYLE)}\n`;
  const entries = value.map((entry: Readonly<Record<string, unknown>>) => {
    const lines = [...entryFields(name).keys()].map(
      (key) => linesOf(key, entry[key], 4) || absent(name, key),
    );
    return lines
      .map((line) => line && `    ${line}`)
      .join('')
      .replace('    ', '  - ');
  });
  return `${name}:\n${entries.join('')}`;
}

/** The lines of a text, from its name at a column on; empty without a value. */
function linesOf(name: string, value: unknown, column: number): string {
  const text = value === undefined || value === null ? '' : String(value);
  return text === '' ? '' : `${fieldLines(name, text, column, NEW_STYLE)}\n`;
}
