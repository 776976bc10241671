import { isValidValue } from '../contract/declared-field-values.ts';
import type { Field, FieldTable } from '../contract/fields.ts';
import { KNOWN_FIELDS, type KnownField } from '../contract/known-fields.ts';
import { correctorFor } from '../source/correction.ts';
import { findCurrencyByName } from '../source/country-and-currency-aliases.ts';
import { declaredFieldNamed, isBareNumber } from './column-names.ts';
import { type DecimalMark, withDecimalPoint } from './column-values.ts';
import { type DeclarationEdit, declareFields } from './declare.ts';
import { type Proposal, readMapping, type TableMapping, type ValueSource } from './mapping.ts';
import {
  fieldLine,
  isColumnNewToProposal,
  sampleText,
  unusedColumns,
  unusedPublicColumns,
} from './mapping-text.ts';
import type { Column, Profile } from './profile.ts';

export function declaredColumns(columns: readonly Column[], table: FieldTable): ReadonlyMap<string, Column> {
  const found = columns.flatMap((column) => {
    const named = declaredFieldNamed(column.name, table);
    const field = named && table.all.get(named.field);
    return field && fitsField(column, named.field, field) ? [{ ...named, column }] : [];
  });
  found.sort((a, b) => b.certainty - a.certainty);
  const chosen = new Map<string, Column>();
  for (const { field, column } of found) if (!chosen.has(field)) chosen.set(field, column);
  return chosen;
}

function fitsField(column: Column, name: string, field: Field): boolean {
  const { list, words, samples, share } = column;
  if (name === 'reference' && share.uuid > 0.5) return false;
  if (list === 'objects' || (list === 'texts' && field.kind !== 'words')) return false;
  const grouped = name === 'price_from' ? markOfGroups(column) : undefined;
  const decimal = field.kind === 'decimal' ? (decimalMark(column) ?? grouped) : undefined;
  const values = [...(words?.keys() ?? samples)].map((one) =>
    decimal ? withDecimalPoint(one, decimal) : one,
  );
  const fitting = values.filter(
    (value) => isOf(value, name, field) || (words && countIn(value, name, field) !== undefined),
  );
  return fitting.length > 0 && fitting.length >= values.length / 2;
}

function isOf(text: string, name: string, field: Field): boolean {
  const { type, terms } = field.declared ?? {};
  if (type === undefined || type === 'text' || type === 'lines') return true;
  const value = correctorFor(name, field)?.(text, {}) ?? text;
  return terms ? Object.hasOwn(terms.labels, value) : isValidValue(type, value);
}

const STAR = /[*★⭐]|star|stern|étoile|estrella|stell|sterr|estrela|gwiazd/i;

function countIn(text: string, name: string, { kind }: Field): string | undefined {
  if (kind !== 'integer' && (kind !== 'decimal' || name === 'price_from')) return undefined;
  if (name === 'stars' && /^[*★⭐]+$/u.test(text)) return String([...text].length);
  if (name === 'stars' && !STAR.test(text)) return undefined;
  if (name === 'bedrooms' && /^studio(?:\s|$)/i.test(text)) return '0';
  const [, most] = /^\d+\s*[-–]\s*(\d+)$/.exec(text) ?? [];
  if (name === 'max_guests' && most !== undefined) return most;
  const [, number] = /^[^\d-]*(\d+(?:[.,]\d+)?)[^\d]*$/.exec(text) ?? [];
  const count = number?.replace(',', '.');
  return count !== undefined && isValidValue(kind, count) ? count : undefined;
}

export function declaredMapping(column: Column, name: string, { all }: FieldTable): ValueSource {
  const field = all.get(name)!;
  const split = field.kind === 'words' ? separatorOf(column) : undefined;
  if (split !== undefined) return { from: column.name, split };
  const pairs = [...(column.words?.keys() ?? [])].sort().flatMap((word) => {
    const count = isOf(word, name, field) ? undefined : countIn(word, name, field);
    return count === undefined ? [] : [[word, count] as const];
  });
  if (pairs.length > 0) return { from: column.name, map: Object.fromEntries(pairs) };
  const decimal = field.kind === 'decimal' ? decimalMark(column) : undefined;
  return decimal ? { from: column.name, decimal } : column.name;
}

export function numberMapping({ name, share }: Column): ValueSource {
  return share.comma > 0.5 && share.dotted === 0 ? { from: name, decimal: ',' } : name;
}

/** Undefined if the amounts of the column contradict each other, or are all ambiguous: 1.250 may be 1250. */
function decimalMark({ share: { commaAmount, pointAmount, commaGroups } }: Column): DecimalMark | undefined {
  if (commaAmount > 0 && pointAmount === 0) return ',';
  return pointAmount > 0 && commaAmount === 0 && commaGroups > 0 ? '.' : undefined;
}

const SIGN = '(?:\\p{Sc}|[A-Z]{3})?';
const GROUPED = new RegExp(`^${SIGN} ?([1-9]\\d{0,2})([.,])\\d{3} ?${SIGN}$`, 'u');
const UNDIVIDED = new RegExp(`^${SIGN} ?\\d+ ?${SIGN}$`, 'u');
const THREE_DECIMALS: ReadonlySet<string> = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));

/**
 * The decimal mark of prices that are all like 2.000 or 950, if they have thousands. A database may write 95.500 for
 * 95.5, but then it writes 950.000, and hardly a price below 10.
 */
function markOfGroups({ words, samples }: Column): DecimalMark | undefined {
  const texts = [...(words?.keys() ?? samples)];
  const grouped = texts.flatMap((text) => [GROUPED.exec(text) ?? []]).filter(({ length }) => length > 0);
  const [mark, other] = new Set(grouped.map(([, , found]) => found));
  const plain = texts.filter((text) => UNDIVIDED.test(text)).length;
  const isTelling = plain > 0 || grouped.some(([, whole]) => whole?.length === 1);
  if (!isTelling || other !== undefined || grouped.length + plain < texts.length) return undefined;
  return mark === '.' ? ',' : mark === ',' ? '.' : undefined;
}

/** Reads prices like 2.000 as thousands, unless their currency may have three decimals. */
export function withGroupedPrices(mapping: Proposal, { columns }: Pick<Profile, 'columns'>): Proposal {
  const { price_from: price, currency } = mapping;
  const column = columns.find(({ name }) => name === price);
  const decimal = column && markOfGroups(column);
  if (!decimal) return mapping;
  const codes = currenciesOf(currency as ValueSource | undefined, columns);
  if (codes.some((code) => code === undefined || THREE_DECIMALS.has(code))) return mapping;
  return { ...mapping, price_from: { from: column.name, decimal } };
}

export const isGroupedPrice = (text: string) => GROUPED.test(text);

function currenciesOf(mapped: ValueSource | undefined, columns: readonly Column[]): (string | undefined)[] {
  const { from, value, map = {}, missing } = typeof mapped === 'object' ? mapped : { from: mapped };
  if (value !== undefined || missing !== undefined) return [value];
  const words = columns.find(({ name }) => name === from)?.words?.keys();
  return words ? [...words].map((word) => map[word] ?? findCurrencyByName(word, '')) : [undefined];
}

/** Most likely separators first: the first one that divides the texts is used. */
const SEPARATORS = ['|', ';', '\n', ','] as const;

export function separatorOf({ samples, words, list }: Column): string | undefined {
  if (list !== undefined) return undefined;
  if (samples.some((text) => /^\s*[[{].*[\]}…]\s*$/s.test(text))) return 'json';
  const texts = words ? [...words.keys()] : samples;
  const divided = (separator: string) => texts.filter((text) => text.includes(separator)).length;
  const [best] = SEPARATORS.toSorted((one, other) => divided(other) - divided(one));
  return best !== undefined && divided(best) > 0 ? best : undefined;
}

/** `line`: mapping line that would use it. `isNew`: whether it was empty or missing when the mapping was proposed. */
export type UnusedColumn = Pick<Column, 'name' | 'filled' | 'secret'> & {
  readonly looks: string;
  readonly field?: string | undefined;
  readonly line?: string | undefined;
  readonly isNew?: boolean | undefined;
};

export function findLookalikeColumns(
  profile: Profile,
  mapping: Proposal | TableMapping,
  all: FieldTable,
): LookalikeColumns {
  const unused = unusedPublicColumns(profile, mapping).filter(({ name }) => !isMember(name, profile));
  const found = new Map(declaredColumns(unused, all));
  const key = keyColumn(profile, mapping);
  if (key && !found.has('reference')) found.set('reference', key);
  return new Map([...found].filter(([field]) => mapping[field as 'title'] === undefined));
}

/** The column that ids are made from. An id is a hash, so the values themselves need a field. */
function keyColumn({ columns }: Profile, { id }: Proposal | TableMapping): Column | undefined {
  const { from, uuid } = Object(id) as { readonly from?: unknown; readonly uuid?: string };
  return columns.find(({ name }) => uuid !== undefined && name === from && !isBareNumber(name));
}

/** Whether the column is a member of the objects in a list, as of photos. */
function isMember(name: string, { columns }: Profile): boolean {
  return columns.some((one) => one.list === 'objects' && name.startsWith(`${one.name}.`));
}

export type LookalikeColumns = ReadonlyMap<string, Column>;

export function declarationsFor(
  content: string,
  mapping: Proposal | TableMapping,
  looking: LookalikeColumns,
  { attributes }: FieldTable,
): DeclarationEdit | undefined {
  const named = new Set([...Object.keys(mapping), ...looking.keys()]);
  const names = Object.keys(KNOWN_FIELDS).filter((name) => named.has(name) && !attributes.has(name));
  return names.length === 0 ? undefined : declareFields(content, names);
}

export function offerSentence(
  looking: readonly (readonly [string, Column])[],
  own: FieldTable,
  isGiven: boolean,
) {
  const parts = looking.map(
    ([field, column]) => `${column.name} (${sampleText(column)}) as ${field}${meaningNote(field)}`,
  );
  const undeclared = looking.flatMap(([field]) => (own.all.has(field) ? [] : [field]));
  const ways = [
    ...(isGiven ? ['adds them to the mapping'] : []),
    ...(undeclared.length > 0 ? [`declares ${undeclared.join(', ')} in catalogue.yaml`] : []),
  ];
  return `Publish ${isGiven ? 'these new columns' : 'these columns'} too: ${parts.join(', ')}? Yes ${ways.join(' and ')}; No leaves them out. Everybody can read a catalogue.`;
}

/** For numbers, whose names leave open what they count, such as "(lowest price for a night)". */
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
  looking: LookalikeColumns,
  fields: FieldTable,
): { readonly mapping: TableMapping; readonly text?: string } {
  if (looking.size === 0) return { mapping: given };
  const lines = [...looking].map(([name, column]) => fieldLine(name, declaredMapping(column, name, fields)));
  const text = `${before}${before.endsWith('\n') ? '' : '\n'}${lines.join('\n')}\n`;
  const { mapping } = readMapping(text, path, fields);
  // A mapping in braces (flow style) has no lines to append to.
  return mapping ? { mapping, text } : { mapping: given };
}

type Unused = {
  readonly looking: LookalikeColumns;
  readonly own: FieldTable;
  readonly before: string;
  readonly lineOf: (column: Column) => string | undefined;
};

export function describeUnusedColumns(
  profile: Profile,
  mapping: Proposal | TableMapping,
  { looking, own, before, lineOf }: Unused,
): UnusedColumn[] {
  const fields = new Map([...looking].map(([field, column]) => [column.name, field]));
  const unused = unusedColumns(profile, mapping);
  const key = before === '' ? looking.get('reference') : undefined;
  return [...unused, ...(key && !unused.includes(key) ? [key] : [])].map((column) => {
    const { name, filled, secret } = column;
    const field = fields.get(name);
    const isOwn = field !== undefined && own.all.has(field);
    const line = isOwn
      ? fieldLine(field, declaredMapping(column, field, own))
      : field === undefined && !isMember(name, profile)
        ? lineOf(column)
        : undefined;
    return {
      name,
      filled,
      secret,
      looks: sampleText(column),
      field,
      line,
      isNew: isColumnNewToProposal(before, column),
    };
  });
}
