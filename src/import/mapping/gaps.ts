import type { FieldTable } from '../../contract/fields.ts';
import { countText, formatNumber } from '../../text/amounts.ts';
import { cutText } from '../../text/shorten.ts';
import { sortedByCount } from '../../values/sort-by-count.ts';
import type { RepairCount } from '../finding.ts';
import type { Column, Profile } from '../table/profile.ts';
import { squeezedName } from '../words/column-names.ts';
import { type DecimalMark, isPlaceholderValue, withDecimalPoint } from '../words/column-values.ts';
import { isGroupedPrice } from './decimal-mark.ts';
import {
  type Conversion,
  columnsOf,
  conversionOf,
  type Proposal,
  type TableMapping,
  type ValueSource,
} from './mapping.ts';
import { fieldLine } from './mapping-text.ts';

export type FieldGap = {
  readonly field: string;
  readonly none: number;
  readonly rows: number;
  readonly filling: string | undefined;
  readonly column: Column | undefined;
};

export function findGaps(
  mapping: Proposal,
  { columns, rows: all, unread }: Profile,
  fields: FieldTable,
  source: string,
): readonly FieldGap[] {
  const rows = all - unread;
  const byName = new Map(columns.map((column) => [column.name, column]));
  return [...fields.all].flatMap(([field, { required }]): FieldGap[] => {
    const value = mapping[field] as ValueSource | undefined;
    if (!required || field === 'id' || field === 'longitude' || value === undefined || isDecided(value))
      return [];
    const found = columnsOf({ value }).flatMap((name) => byName.get(name) ?? []);
    const none = rows - Math.max(0, ...found.map(({ filled, placeholders }) => filled - placeholders));
    if (found.length === 0 || none <= 0) return [];
    const filling = field === 'latitude' ? undefined : fillingOf(found, source);
    const column = field === 'latitude' ? undefined : fullColumn(found, columns, rows);
    return [{ field, none, rows, filling, column }];
  });
}

function isDecided(value: ValueSource): boolean {
  const { default: other, missing, from } = conversionOf(value);
  return other !== undefined || missing !== undefined || from === undefined;
}

function fillingOf([column]: readonly Column[], source: string): string | undefined {
  const [usual, next] = sortedByCount(column?.words);
  if (!usual || !column) return undefined;
  if (!next) return usual[1] > 1 ? usual[0] : undefined;
  const isNamed = usual[1] > (column.filled - column.placeholders) / 2 && usual[0].length > 3;
  return isNamed && squeezedName(source).includes(squeezedName(usual[0])) ? usual[0] : undefined;
}

/** Finds a column without gaps that contains most of the values of `column`, such as "town" for "district". */
function fullColumn([column]: readonly Column[], columns: readonly Column[], rows: number) {
  const isName = (word: string) => /\p{L}{2}/u.test(word) && !isPlaceholderValue(word);
  const words = [...(column?.words ?? [])].filter(([word]) => isName(word));
  const all = words.reduce((sum, [, count]) => sum + count, 0);
  const shared = ({ words: others }: Column) =>
    words.reduce((sum, [word, count]) => sum + (others?.has(word) ? count : 0), 0);
  const isFull = ({ secret, filled, placeholders }: Column) =>
    secret === undefined && filled - placeholders === rows;
  return columns.find((one) => isFull(one) && one !== column && all > 0 && shared(one) * 2 > all);
}

function usualWords({ words }: Column): string {
  const sorted = sortedByCount(words);
  const shown = sorted.slice(0, 2).map(([word, count]) => `${cutText(word, 30)} ${formatNumber(count)}`);
  return [...shown, ...(sorted.length > 2 ? ['…'] : [])].join(', ');
}

type Filling = Pick<Conversion, 'default' | 'missing' | 'else'>;

export function withFilling(value: ValueSource, filling: Filling): ValueSource {
  return { ...conversionOf(value), ...filling };
}

/** `done`: a sentence on what becomes of the rows; undefined if the way needs an answer, or skips the rows. */
export type WayToFill = readonly [label: string, filling: Filling | 'text' | 'column', done?: string];

const SKIP: Filling = { missing: 'skip' };

/** Returns the ways to fill the gap, the recommended one first. */
export function waysToFill(
  { field, none, rows, filling, column }: FieldGap,
  mapping: Proposal,
): readonly WayToFill[] {
  const isPlace = field === 'latitude';
  const drafts = isPlace ? '; "catalogue dev --edit" places them on the map' : ', to be completed later';
  const hasCountry = field === 'country' && mapping.latitude !== undefined;
  const full = column && `${column.name} (${usualWords(column)})`;
  const fill = (isThere: boolean, what: string, filling: Filling) =>
    [isThere, `Fill in ${what}`, filling, `They get ${what}.`] as const;
  const ways: readonly (readonly [isThere: boolean, ...WayToFill])[] = [
    [!!full, `Fill in from ${full}`, { else: column?.name }, `They get it from ${full}.`],
    fill(filling !== undefined, `"${filling}"`, { default: filling }),
    fill(hasCountry, 'the country of the coordinates', { missing: 'point' }),
    fill(field === 'currency', 'the currency of the country', { missing: 'country' }),
    [true, `Make these rows drafts${drafts}`, { missing: 'draft' }, DRAFTS],
    [!isPlace, `Fill in ${filling === undefined ? 'a text' : 'another text'}`, 'text'],
    [!isPlace, 'Fill in from another column', 'column'],
    [true, `Only rows that have ${isPlace ? 'them' : 'one'} (${formatNumber(rows - none)})`, SKIP],
  ];
  return ways.flatMap(([isThere, ...way]) => (isThere ? [way] : []));
}

/** `done`: a sentence on what becomes of the rows with the gap; empty if they are refused. */
export type GapAdvice = FieldGap & { readonly done: string; readonly advice: string };

const DRAFTS = 'They become drafts.';

export function fillGaps(proposal: Proposal, gaps: readonly FieldGap[]) {
  let mapping = proposal;
  const advice = gaps.map((gap): GapAdvice => {
    const ways = waysToFill(gap, proposal).filter(([, way]) => typeof way === 'object');
    const [, filling, done] = ways[0] as readonly [string, Filling, string];
    const value = mapping[gap.field] as ValueSource;
    if (gap.field !== 'latitude') mapping = { ...mapping, [gap.field]: withFilling(value, filling) };
    const advice = filling.missing === 'draft' ? adviceFor(gap, value) : onlyAdvice(gap, value);
    return { ...gap, done, advice };
  });
  return { mapping, advice };
}

export function gapAdvice(gaps: readonly FieldGap[], mapping: Proposal): GapAdvice[] {
  const adviceOf = (gap: FieldGap) => adviceFor(gap, mapping[gap.field] as ValueSource);
  const done = ({ field }: FieldGap) => (field === 'latitude' ? DRAFTS : '');
  return gaps.map((gap) => ({ ...gap, done: done(gap), advice: adviceOf(gap) }));
}

function onlyAdvice({ field }: FieldGap, value: ValueSource): string {
  return `To import only the rows that have one: ${fieldLine(field, withFilling(value, SKIP))}`;
}

function adviceFor(gap: FieldGap, value: ValueSource): string {
  const { field, filling, column } = gap;
  const only = onlyAdvice(gap, value);
  if (field === 'latitude') return `"catalogue dev --edit" places drafts on the map. ${only}`;
  const other = filling === undefined || column ? { else: column?.name ?? '<column>' } : { default: filling };
  return `To fill it in: ${fieldLine(field, withFilling(value, other))}. ${only}`;
}

/** Counts the values that the mapping changes: mapped words, filled gaps, and prices like 2.000 that become 2000. */
export function countConversions(mapping: TableMapping, { columns, rows }: Profile): RepairCount[] {
  return Object.entries(mapping).flatMap(([field, value]): RepairCount[] => {
    const { from, map = {}, else: other, default: usual, missing, decimal } = conversionOf(value);
    const column = columns.find(({ name }) => name === from);
    // A proposed currency is often mapped from the country column (Ireland: EUR). That derives a value and corrects no
    // cell, so currencies are not counted.
    if (!column || field === 'currency') return [];
    const derived = missing === 'point' ? 'country of the coordinates' : usual;
    const filling = other === undefined ? derived : `value of ${other}`;
    const pairs: (readonly [from: string, to: string, count: number])[] = [
      ...Object.entries(map).map(([word, to]) => [word, to, column.words?.get(word) ?? 0] as const),
      ['', filling ?? '', rows - column.filled + column.placeholders],
      ...(decimal && field === 'price_from' ? groupedPrices(column, decimal) : []),
    ];
    const examples = pairs.flatMap(([word, to, count]) => {
      return count > 0 && word !== to ? [{ at: '', from: word, to, count }] : [];
    });
    examples.sort((one, other) => other.count - one.count);
    const count = examples.reduce((sum, one) => sum + one.count, 0);
    return count === 0 ? [] : [{ field, count, examples }];
  });
}

/**
 * Counts prices such as 2.000 that are read as 2000. If the prices are too varied for the profile to count them,
 * returns one such price with the number of all prices. Empty if other prices, such as 12.50, prove the decimal mark.
 */
function groupedPrices({ share, words, samples, filled, placeholders }: Column, decimal: DecimalMark) {
  if (share.commaAmount + share.pointAmount > 0) return [];
  const counted = words ?? new Map([[samples.find(isGroupedPrice) ?? '', filled - placeholders]]);
  const grouped = [...counted].filter(([text]) => isGroupedPrice(text));
  return grouped.map(([text, count]) => [text, withDecimalPoint(text, decimal), count] as const);
}

export function gapSentence({ field, none, rows }: FieldGap): string {
  const what = field === 'latitude' ? 'coordinates' : field;
  return `${what}: ${formatNumber(none)} of ${countText(rows, 'row')} ${rows === 1 ? 'has' : 'have'} none`;
}
