import { ENTRY_LIST_FIELDS, type EntryField, type Field, type FieldTable } from '../contract/fields.ts';
import { fieldsIn } from '../contract/terms.ts';
import { memoizeByObject } from '../values/memoize.ts';

/**
 * `name`: a title, translated title or city, where invisible characters and odd spaces are faults. `lines`: may have
 * several lines.
 */
export type TextKind = 'name' | 'line' | 'lines';

/** By field name. Fields with their own rules (a link, a date) are left out. */
export type TextKinds = ReadonlyMap<string, TextKind>;

/** By name of the list; '' is the property itself. */
export const textKindsByList: (fields: FieldTable) => ReadonlyMap<string, TextKinds> = memoizeByObject(
  (fields: FieldTable) => {
    const kinds = ['', ...ENTRY_LIST_FIELDS].map((list) => [list, kindsOf(fieldsIn(fields, list))] as const);
    return new Map(kinds.filter(([, { size }]) => size > 0));
  },
);

function kindsOf(fields: Iterable<readonly [string, Field | EntryField]>): TextKinds {
  return new Map(
    [...fields].flatMap(([name, field]) => {
      const kind = kindOf(field as Field);
      return kind ? [[name, kind] as const] : [];
    }),
  );
}

const KINDS: Readonly<Record<string, TextKind>> = {
  title: 'name',
  heading: 'name',
  city: 'name',
  lines: 'lines',
  paragraph: 'lines',
  text: 'line',
  filled: 'line',
};

function kindOf({ kind, schema, declared }: Field): TextKind | undefined {
  if (declared?.areLanguageTags) return undefined;
  return KINDS[schema ?? declared?.type ?? (kind === 'words' ? 'text' : kind)];
}

/** Undefined for a field with its own rules. `list`: the list whose entries have the field; empty for a field of the property itself. */
export function textKindOf(fields: FieldTable, name: string, list = ''): TextKind | undefined {
  return textKindsByList(fields).get(list)?.get(name);
}
