import { memoizeByObject } from '../values/memoize.ts';
import type { Configuration } from './configuration.ts';
import {
  ENTRY_LIST_FIELDS,
  type EntryField,
  entryFields,
  FIELD_NAMES,
  type Field,
  type FieldTable,
  fieldOf,
} from './fields.ts';
import type { Vocabulary } from './vocabulary.ts';

export type Terms = { readonly fields: FieldTable; readonly vocabulary: Vocabulary };

export type Declaration = Pick<Configuration, 'vocabulary'> &
  Partial<Pick<Configuration, 'fields' | 'languages'>>;

const UNQUOTED: ReadonlySet<string> = new Set(['number', 'instant', 'integer', 'decimal', 'boolean', 'date']);

function fieldTable(declared: Readonly<Record<string, Field>>, given: readonly string[]): FieldTable {
  const languages = given.length > 1 ? given : [];
  const attributes = new Map(Object.entries(declared));
  const own = FIELD_NAMES.map((name) => [name, fieldOf(name)] as const);
  const groups = [...new Set(own.map(([, { group }]) => group))];
  groups.splice(groups.indexOf('place') + 1, 0, 'details');
  const ordered = groups.flatMap((group) =>
    [...own, ...attributes].filter(([, field]) => field.group === group),
  );
  const all = withTranslations(ordered, languages);
  const entries = new Map(
    ENTRY_LIST_FIELDS.map((list) => [list as string, withTranslations(entryFields(list), languages)]),
  );
  const names = [
    ...all,
    ...[...entries].flatMap(([list, fields]) =>
      [...fields].map(([key, field]) => [`${list}.${key}`, field] as const),
    ),
  ];
  const unquoted = new Set(names.filter(([, { kind }]) => UNQUOTED.has(kind)).map(([name]) => name));
  return { all, entries, attributes, languages, unquoted };
}

function withTranslations<Of extends EntryField | Field>(
  fields: Iterable<readonly [string, Of]>,
  [, ...languages]: readonly string[],
): ReadonlyMap<string, Of> {
  return new Map(
    [...fields].flatMap(([name, field]) => [
      [name, field] as const,
      ...(field.translate ? languages : []).map(
        (language) => [`${name}@${language}`, translated(name, field, language)] as const,
      ),
    ]),
  );
}

function translated<Of extends EntryField | Field>(base: string, field: Of, language: string): Of {
  const {
    required: _required,
    published: _published,
    examples: _examples,
    newCommandOption: _question,
    ...rest
  } = field as Field;
  const schema = rest.schema && OPTIONAL[rest.schema];
  const label = `${rest.label} (${language})`;
  return { ...rest, label, synonyms: [], base, language, ...(schema && { schema }) } as unknown as Of;
}

const OPTIONAL: Readonly<Partial<Record<string, Field['schema']>>> = { title: 'heading', paragraph: 'lines' };

export const STANDARD_FIELD_TABLE: FieldTable = fieldTable({}, []);

export const declaredTerms: (configuration: Declaration) => Terms = memoizeByObject(
  ({ fields = {}, languages = [], vocabulary }: Declaration) => {
    const isPlain = Object.keys(fields).length === 0 && languages.length < 2;
    return { fields: isPlain ? STANDARD_FIELD_TABLE : fieldTable(fields, languages), vocabulary };
  },
);

const NO_FIELDS: ReadonlyMap<string, EntryField> = new Map();

/** @param list the list whose entries have the fields, such as `photo`; empty for the fields of the property itself */
export function fieldsIn(
  { all, entries }: FieldTable,
  list: string,
): ReadonlyMap<string, EntryField | Field> {
  return list === '' ? all : (entries.get(list) ?? NO_FIELDS);
}
