import type { FieldTable } from '../contract/fields.ts';
import { KNOWN_FIELDS } from '../contract/known-fields.ts';
import { type Declaring, declareFields } from './declare.ts';
import { declaredColumns, mappingOf } from './declared-columns.ts';
import { readMapping, type TableMapping } from './mapping.ts';
import { fieldLine, isNewSince, looksLike, unusedColumns } from './mapping-text.ts';
import type { Column, Profile } from './profile.ts';
import type { Proposal } from './propose.ts';

export type UnusedColumn = Pick<Column, 'name' | 'filled' | 'secret'> & {
  readonly looks: string;
  readonly field?: string | undefined;
  /** Line for the mapping, where the catalogue declares that field. */
  readonly line?: string | undefined;
  /** Whether it had no values when the mapping was proposed, or was not there. */
  readonly isNew?: boolean | undefined;
};

export function lookingLike(profile: Profile, mapping: Proposal | TableMapping, all: FieldTable): Looking {
  const unused = unusedColumns(profile, mapping).filter(({ secret }) => secret === undefined);
  const found = declaredColumns(unused, all);
  return new Map([...found].filter(([field]) => mapping[field as 'title'] === undefined));
}

export type Looking = ReadonlyMap<string, Column>;

export function declaringFor(
  content: string,
  mapping: Proposal | TableMapping,
  looking: Looking,
  { attributes }: FieldTable,
): Declaring | undefined {
  const named = new Set([...Object.keys(mapping), ...looking.keys()]);
  const names = Object.keys(KNOWN_FIELDS).filter((name) => named.has(name) && !attributes.has(name));
  return names.length === 0 ? undefined : declareFields(content, names);
}

export function offerOf(
  looking: readonly (readonly [string, Column])[],
  own: FieldTable,
  isGiven: boolean,
): string {
  const parts = looking.map(([field, column]) => `${column.name} (${looksLike(column)}) would be ${field}`);
  const undeclared = looking.flatMap(([field]) => (own.all.has(field) ? [] : [field]));
  const ways = [
    ...(isGiven ? ['add the columns to the mapping'] : []),
    ...(undeclared.length > 0 ? [`declare ${undeclared.join(', ')} in catalogue.yaml`] : []),
  ];
  const question = ways.join(' and ');
  return `${isGiven ? 'New columns: ' : ''}${parts.join(', ')}. ${question.charAt(0).toUpperCase()}${question.slice(1)}? Everybody can read a catalogue.`;
}

export function withColumns(
  given: TableMapping,
  before: string,
  path: string,
  looking: Looking,
  fields: FieldTable,
): { readonly mapping: TableMapping; readonly text?: string } {
  if (looking.size === 0) return { mapping: given };
  const lines = [...looking].map(([name, column]) => fieldLine(name, mappingOf(column, name, fields)));
  const text = `${before}${before.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
  const { mapping } = readMapping(text, path, fields);
  // A mapping between braces has no lines to add to.
  return mapping ? { mapping, text } : { mapping: given };
}

export function unusedIn(
  profile: Profile,
  mapping: Proposal | TableMapping,
  { looking, own, before }: { readonly looking: Looking; readonly own: FieldTable; readonly before: string },
): UnusedColumn[] {
  const fields = new Map([...looking].map(([field, column]) => [column.name, field]));
  return unusedColumns(profile, mapping).map((column) => {
    const { name, filled, secret } = column;
    const field = fields.get(name);
    const line =
      field !== undefined && own.all.has(field) ? fieldLine(field, mappingOf(column, field, own)) : undefined;
    return { name, filled, secret, looks: looksLike(column), field, line, isNew: isNewSince(before, column) };
  });
}
