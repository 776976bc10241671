/** Tells which values of a property are texts of an editor, and what each may have. */
import {
  entryFields,
  FIELD_NAMES,
  type Field,
  type FieldTable,
  fieldOf,
  LIST_FIELDS,
} from '../contract/fields.ts';

/** `name`: a title or a city, which filters compare exactly. `lines`: a text that may have several lines. */
export type TextKind = 'name' | 'line' | 'lines';

/** Kinds by name; values with rules of their own (a link, a date) are not among them. */
export type TextKinds = readonly (readonly [name: string, kind: TextKind])[];

function kindsOf(fields: Iterable<readonly [string, Pick<Field, 'kind' | 'value'>]>): TextKinds {
  return [...fields].flatMap(([name, { kind, value = kind }]): [string, TextKind][] => {
    if (value === 'title' || value === 'city') return [[name, 'name']];
    if (value === 'lines' || value === 'paragraph') return [[name, 'lines']];
    return value === 'text' || value === 'filled' ? [[name, 'line']] : [];
  });
}

export const TEXTS = kindsOf(FIELD_NAMES.map((name) => [name, fieldOf(name)]));

/** Texts of the entries of each list. */
export const TEXTS_OF_LISTS = LIST_FIELDS.map((list) => [list, kindsOf(entryFields(list))] as const).filter(
  ([, kinds]) => kinds.length > 0,
);

/** Returns the kind of a text; undefined for a value with rules of its own. `list`: whose entry has it. */
export function textKindOf(name: string, list = '', table?: FieldTable): TextKind | undefined {
  if (list === '' && name === 'facilities') return 'line';
  const [base = name] = name.split('@');
  const type = list === '' ? table?.attributes.get(base)?.declared?.type : undefined;
  if (type !== undefined) return type === 'text' ? 'line' : type === 'lines' ? 'lines' : undefined;
  const kinds = list === '' ? TEXTS : (TEXTS_OF_LISTS.find(([other]) => other === list)?.[1] ?? []);
  return kinds.find(([other]) => other === base)?.[1];
}
