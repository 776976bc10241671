/** Finds required fields that rows have no value for, and what could fill them. */
import type { FieldTable } from '../contract/fields.ts';
import { cut, number, plural } from '../text/words.ts';
import { squeezed } from './column-names.ts';
import { isNothing } from './column-values.ts';
import type { ValueMapping } from './mapping.ts';
import { fieldLine } from './mapping-text.ts';
import type { Column, Profile } from './profile.ts';
import type { Proposal } from './propose.ts';

/** A required field that some rows lack. */
export type Gap = {
  readonly field: string;
  /** Number of rows without a value; at most that many where several columns are read. */
  readonly none: number;
  readonly rows: number;
  /** What surely belongs there; undefined when nothing does. */
  readonly filling: string | undefined;
  /** A column without gaps that has the same kind of values; undefined for none. */
  readonly column: Column | undefined;
};

/** Lists the required fields of a mapping that rows have no value for, and that it does not decide about. */
export function gapsIn(
  mapping: Proposal,
  { columns, rows }: Profile,
  { all }: FieldTable,
  source: string,
): readonly Gap[] {
  const byName = new Map(columns.map((column) => [column.name, column]));
  return [...all].flatMap(([field, { required }]): Gap[] => {
    const value = mapping[field] as ValueMapping | undefined;
    if (!required || field === 'id' || field === 'longitude' || value === undefined || isDecided(value))
      return [];
    const found = columnNames(value).flatMap((name) => byName.get(name) ?? []);
    const none = rows - Math.max(0, ...found.map(({ filled, nothing }) => filled - nothing));
    if (found.length === 0 || none <= 0) return [];
    const filling = field === 'latitude' ? undefined : fillingOf(found, source);
    const column = field === 'latitude' ? undefined : fullColumn(found, columns, rows);
    return [{ field, none, rows, filling, column }];
  });
}

/** Columns of which one is enough for a value. */
function columnNames(value: ValueMapping): readonly string[] {
  return typeof value === 'string' ? [value] : [value.from ?? [], value.else ?? []].flat();
}

/** Tells whether a mapping says what happens to rows without a value. */
function isDecided(value: ValueMapping): boolean {
  return (
    typeof value !== 'string' &&
    (value.default !== undefined || value.missing !== undefined || value.from === undefined)
  );
}

/** Returns the only value of a column, or the usual one that the name of the source holds. */
function fillingOf([column]: readonly Column[], source: string): string | undefined {
  const words = [...(column?.words ?? [])].sort(([, one], [, other]) => other - one);
  const [usual, next] = words;
  if (!usual || !column) return undefined;
  if (!next) return usual[1] > 1 ? usual[0] : undefined;
  const isNamed = usual[1] > (column.filled - column.nothing) / 2 && usual[0].length > 3;
  return isNamed && squeezed(source).includes(squeezed(usual[0])) ? usual[0] : undefined;
}

/** Finds the column that all rows have, and that has most words of one with gaps: the towns beside the districts. */
function fullColumn(
  [column]: readonly Column[],
  columns: readonly Column[],
  rows: number,
): Column | undefined {
  const words = [...(column?.words ?? [])].filter(([word]) => /\p{L}{2}/u.test(word) && !isNothing(word));
  const all = words.reduce((sum, [, count]) => sum + count, 0);
  const shared = ({ words: others }: Column) =>
    words.reduce((sum, [word, count]) => sum + (others?.has(word) ? count : 0), 0);
  return columns.find(
    (other) =>
      other !== column &&
      other.secret === undefined &&
      other.filled - other.nothing === rows &&
      all > 0 &&
      shared(other) * 2 > all,
  );
}

/** Lists the most frequent values of a column: `Madrid 642, Las Rozas 2, …`. */
export function usualWords({ words }: Column): string {
  const [first, second, third] = [...(words ?? [])].sort(([, one], [, other]) => other - one);
  const shown = [first, second].flatMap((one) => (one ? [`${cut(one[0], 30)} ${number(one[1])}`] : []));
  return [...shown, ...(third ? ['…'] : [])].join(', ');
}

/** Adds what fills, or happens to, the rows without a value. */
export function withFilling(
  value: ValueMapping,
  filling: Partial<Record<'default' | 'missing' | 'else', string>>,
): ValueMapping {
  return { ...(typeof value === 'string' ? { from: value } : value), ...filling } as ValueMapping;
}

export type GapAdvice = Gap & { readonly advice: string };

export function adviceFor(gaps: readonly Gap[], mapping: Proposal): GapAdvice[] {
  return gaps.map((gap) => {
    const { field, filling, column } = gap;
    const line = (more: Parameters<typeof withFilling>[1]) =>
      fieldLine(field, withFilling(mapping[field] as ValueMapping, more));
    const only = `To import only the rows that have one: ${line({ missing: 'skip' })}`;
    const advice =
      field === 'latitude'
        ? `They become drafts, which "catalogue dev --edit" places on the map. ${only}`
        : `To fill it in: ${line(column ? { else: column.name } : filling === undefined ? { else: '<column>' } : { default: filling })}. ${only}`;
    return { ...gap, advice };
  });
}

/** Says what a gap is, such as `city: 572 of 648 rows have none`. */
export function gapSentence({ field, none, rows }: Gap): string {
  const what = field === 'latitude' ? 'coordinates' : field;
  return `${what}: ${number(none)} of ${plural(rows, 'row')} ${rows === 1 ? 'has' : 'have'} none`;
}
