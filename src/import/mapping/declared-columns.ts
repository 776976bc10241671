import { isValidValue } from '../../contract/declared-field-values.ts';
import type { Field, FieldTable } from '../../contract/fields.ts';
import { KNOWN_FIELDS, type KnownField } from '../../contract/known-fields.ts';
import { correctorFor } from '../../source/correction.ts';
import { type Column, isContainer, type Profile, textsOf } from '../table/profile.ts';
import {
  facilityOfColumn,
  guessDeclaredField,
  isBareNumberWord,
  squeezedName,
} from '../words/column-names.ts';
import { withDecimalPoint } from '../words/column-values.ts';
import { decimalMark, decimalMarkOfGroupedAreas, decimalMarkOfGroupedPrices } from './decimal-mark.ts';
import { type DeclarationEdit, planFieldDeclarations } from './declare.ts';
import { conversionOf, type Proposal, readMapping, type TableMapping, type ValueSource } from './mapping.ts';
import {
  fieldLine,
  isColumnNewToProposal,
  sampleText,
  unusedColumns,
  unusedPublicColumns,
  withoutListedColumns,
  yamlFlowText,
} from './mapping-text.ts';
import { type ProposedField, proposedFieldOf } from './proposed-field.ts';

export function declaredColumns(columns: readonly Column[], table: FieldTable): ReadonlyMap<string, Column> {
  const found = columns.flatMap((column) => {
    const named = guessDeclaredField(column.name, table);
    const field = named && table.all.get(named.field);
    // Only a field that is a list may have the values of a list.
    const isOneOfSeveral = field?.kind !== 'words' && isMember(column.name, columns);
    return field && !isOneOfSeveral && fitsField(column, named.field, field) ? [{ ...named, column }] : [];
  });
  found.sort((a, b) => b.certainty - a.certainty);
  const chosen = new Map<string, Column>();
  for (const { field, column } of found) if (!chosen.has(field)) chosen.set(field, column);
  return chosen;
}

function fitsField(column: Column, name: string, field: Field): boolean {
  const { list, words, share } = column;
  if (name === 'reference' && share.uuid > 0.5) return false;
  if (isContainer(column) || (list === 'texts' && field.kind !== 'words')) return false;
  const grouped = name === 'price_from' ? decimalMarkOfGroupedPrices(column) : undefined;
  const decimal = markOf(column, name, field) ?? grouped;
  const values = textsOf(column).map((one) => withDecimalPoint(one, decimal));
  const fitting = values.filter(
    (value) => isValueOfField(value, name, field) || (words && countIn(value, name, field) !== undefined),
  );
  return fitting.length > 0 && fitting.length >= values.length / 2;
}

const markOf = (column: Column, name: string, field: Field) =>
  (name === 'floor_area' ? decimalMarkOfGroupedAreas(column) : undefined) ?? decimalMark(column, field);

export function isValueOfField(text: string, name: string, field: Field): boolean {
  const { type, terms } = field.declared ?? {};
  if (type === undefined || type === 'text' || type === 'lines') return true;
  const value = correctorFor(name, field)?.(text, {}) ?? text;
  return terms ? Object.hasOwn(terms.labels, value) : isValidValue(type, value);
}

const STAR = /[*★⭐]|star|stern|étoile|estrella|stell|sterr|estrela|gwiazd/i;

const OTHER_PERIOD = /w(?:ee|o)[ck]|s[ei]man|semain|settiman|t(?:yg|ydz)|mon[ta]|mois|mes|maand|mies|mês/i;

function countIn(text: string, name: string, { kind }: Field): string | undefined {
  if (kind !== 'integer' && (kind !== 'decimal' || name === 'price_from')) return undefined;
  if (name === 'stars' && /^[*★⭐]+$/u.test(text)) return String([...text].length);
  if (name === 'stars' && !STAR.test(text)) return undefined;
  if (name === 'minimum_nights' && OTHER_PERIOD.test(text)) return undefined;
  if (name === 'bedrooms' && /^studio(?:\s|$)/i.test(text)) return '0';
  const [, number] = /^[^\d-]*(\d+(?:[.,]\d+)?)[^\d+]*$/.exec(text) ?? [];
  const count = number?.replace(',', '.');
  return count !== undefined && isValidValue(kind, count) ? count : undefined;
}

export function declaredFieldMapping(
  column: Column,
  name: string,
  { all }: Pick<FieldTable, 'all'>,
): ValueSource {
  const field = all.get(name)!;
  const split = field.kind === 'words' ? separatorOf(column) : undefined;
  if (split !== undefined) return { from: column.name, split };
  const decimal = markOf(column, name, field);
  let isCounted = false;
  const pairs = [...(column.words?.keys() ?? [])].sort().flatMap((word) => {
    const plain = withDecimalPoint(word, decimal);
    const count = isValueOfField(plain, name, field) ? undefined : countIn(plain, name, field);
    isCounted ||= count !== undefined;
    return count === undefined && plain === word ? [] : [[word, count ?? plain] as const];
  });
  // The map already gives every number a decimal point, so the mapping needs no `decimal`.
  if (isCounted) return { from: column.name, map: Object.fromEntries(pairs) };
  return decimal ? { from: column.name, decimal } : column.name;
}

/** The separator that occurs in the most texts is chosen; on a tie, the first of this list. */
const SEPARATORS = ['|', ';', '\n', ',', ' / ', '•', ' · '] as const;
/** Only for facilities: file names and registration numbers may contain " - " and " + ". */
const SEPARATORS_OF_FACILITIES = [...SEPARATORS, ' - ', ' + '] as const;
/** These also occur within one item, so they separate only if at least half of the texts have them. */
const DOUBTFUL: ReadonlySet<string> = new Set([' / ', '•', ' · ', ' - ', ' + ']);

export function separatorOf(column: Column, separators: readonly string[] = SEPARATORS): string | undefined {
  if (column.list !== undefined) return undefined;
  if (column.samples.some((text) => /^\s*[[{].*[\]}…]\s*$/s.test(text))) return 'json';
  const texts = textsOf(column);
  const divided = (separator: string) => texts.filter((text) => text.includes(separator)).length;
  const isSure = (separator: string) => !DOUBTFUL.has(separator) || divided(separator) * 2 >= texts.length;
  const [best] = separators.filter(isSure).toSorted((one, other) => divided(other) - divided(one));
  return best !== undefined && divided(best) > 0 ? best : undefined;
}

/** Returns several separators if rows differ, and others than the usual one divide a text into words that are known. */
export function facilitySeparatorOf(column: Column): string | string[] | undefined {
  const usual = separatorOf(column, SEPARATORS_OF_FACILITIES);
  if (usual === undefined || usual === 'json') return usual;
  const partsBy = (separator: string, text: string) => text.split(separator).map((part) => part.trim());
  const [divided, whole] = [true, false].map((is) =>
    textsOf(column).filter((text) => text.includes(usual) === is),
  ) as [string[], string[]];
  const words = new Set([...divided, ...whole].flatMap((text) => partsBy(usual, text)).map(squeezedName));
  const isKnown = (part: string) =>
    words.has(squeezedName(part)) || facilityOfColumn(part) !== undefined || part === '';
  const others = SEPARATORS_OF_FACILITIES.filter((one) => {
    const texts = whole.filter((text) => text.includes(one));
    return texts.length > 0 && texts.every((text) => partsBy(one, text).every(isKnown));
  });
  return others.length === 0 ? usual : [usual, ...others];
}

/** `line`: a mapping line that uses the column. `isNew`: the comments of the proposed mapping do not list it. */
export type UnusedColumn = Pick<Column, 'name' | 'filled' | 'secret'> & {
  readonly looks: string;
  readonly field?: string | undefined;
  readonly line?: string | undefined;
  /** Entry to add below `fields` in catalogue.yaml: declares a new field, to which `line` maps the column. */
  readonly declaration?: string | undefined;
  readonly isNew?: boolean | undefined;
  /** Whether the user has just declined the column. @default false */
  readonly isDeclined?: boolean;
};

export function findColumnsOfKnownFields(
  profile: Profile,
  mapping: Proposal,
  all: FieldTable,
): ColumnsByField {
  const unused = unusedPublicColumns(profile, mapping).filter(({ name }) => !isMember(name, profile.columns));
  const found = new Map(declaredColumns(unused, all));
  const key = keyColumn(profile, mapping);
  if (key && !found.has('reference')) found.set('reference', key);
  return new Map([...found].filter(([field]) => mapping[field] === undefined));
}

/** Finds the column that ids are made from. Ids are hashes, so the column's values are lost unless a field has them. */
function keyColumn({ columns }: Profile, { id }: Proposal): Column | undefined {
  const { from, uuid } = conversionOf(id);
  return columns.find(({ name }) => uuid !== undefined && name === from && !isBareNumberWord(name));
}

/** Whether a column is inside the objects of a list, such as the `images.url` of each photo. */
export function isMember(name: string, columns: readonly Column[]): boolean {
  return columns.some((one) => one.list === 'objects' && name.startsWith(`${one.name}.`));
}

export type ColumnsByField = ReadonlyMap<string, Column>;

/**
 * Prepares to declare new fields, and the known fields that `mapping` or `lookalikes` have. Returns undefined if all of
 * them are declared already.
 * @param newFieldOptions the options of the new fields, by field name
 */
export function declarationsFor(
  content: string,
  mapping: Proposal,
  lookalikes: ColumnsByField,
  { attributes }: FieldTable,
  newFieldOptions: Readonly<Record<string, ProposedField['options']>>,
): DeclarationEdit | undefined {
  const named = new Set([...Object.keys(mapping), ...lookalikes.keys()]);
  const known = Object.keys(KNOWN_FIELDS).filter((name) => named.has(name));
  const names = [...known, ...Object.keys(newFieldOptions)].filter((name) => !attributes.has(name));
  return names.length === 0 ? undefined : planFieldDeclarations(content, names, newFieldOptions);
}

/** Returns what a decimal field means, such as " (lowest price for a night)", and an empty text for other fields. */
export function meaningNote(field: string): string {
  const { type, description = '' } = (KNOWN_FIELDS as Readonly<Record<string, KnownField>>)[field] ?? {};
  if (type !== 'decimal') return '';
  const [meaning = ''] = description.split(/[,.;]/);
  return ` (${meaning.charAt(0).toLowerCase()}${meaning.slice(1)})`;
}

export function withMappedColumns(
  given: TableMapping,
  before: string,
  path: string,
  lookalikes: ColumnsByField,
  fields: FieldTable,
): { readonly mapping: TableMapping; readonly text: string } {
  if (lookalikes.size === 0) return { mapping: given, text: before };
  const lines = [...lookalikes].map(([name, column]) =>
    fieldLine(name, declaredFieldMapping(column, name, fields)),
  );
  const listed = withoutListedColumns(before, [...lookalikes.values()]);
  const text = `${listed}${listed.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
  const { mapping } = readMapping(text, path, fields);
  // Lines cannot be appended to a mapping in braces (flow style), so such a mapping stays unchanged.
  return mapping ? { mapping, text } : { mapping: given, text: before };
}

type Unused = {
  readonly lookalikes: ColumnsByField;
  readonly own: FieldTable;
  readonly before: string;
  readonly lineOf: (column: Column) => string | undefined;
};

export function describeUnusedColumns(
  profile: Profile,
  mapping: Proposal,
  { lookalikes, own, before, lineOf }: Unused,
): UnusedColumn[] {
  const fields = new Map([...lookalikes].map(([field, column]) => [column.name, field]));
  const unused = unusedColumns(profile, mapping);
  const key = before === '' ? lookalikes.get('reference') : undefined;
  return [...unused, ...(key && !unused.includes(key) ? [key] : [])].map((column) => {
    const { name, filled, secret } = column;
    const field = fields.get(name);
    const isOpen = field === undefined && !isMember(name, profile.columns);
    const known = isOpen ? lineOf(column) : undefined;
    // E-mail addresses and phone numbers may be a person's, so no field is proposed for them.
    const isContact = column.share.email > 0.5 || column.share.phone > 0.5;
    const isUnknown =
      isOpen && known === undefined && secret === undefined && !isContact && !isContainer(column);
    const ownField = isUnknown ? proposedFieldOf(column, own) : undefined;
    const target = ownField?.name ?? field;
    const all = ownField ? new Map([[ownField.name, ownField.field]]) : own.all;
    const isDeclared = target !== undefined && all.has(target);
    return {
      ...{ name, filled, secret },
      looks: unused.includes(column) ? sampleText(column) : 'only the ids follow from it',
      field,
      line: isDeclared ? fieldLine(target, declaredFieldMapping(column, target, { all })) : known,
      declaration: ownField && `${ownField.name}: ${yamlFlowText(ownField.options)}`,
      isNew: isColumnNewToProposal(before, column),
    };
  });
}
