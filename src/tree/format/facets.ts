/**
 * The facets of a chunk are a JSON object with a column for each filter; each column has a value for each entry of
 * the chunk. Each facility has its own column, so that adding one to a property changes no other chunk's facets
 * (docs/release-format.md).
 */
import type { Facets, FilterableValue } from '../../contract/filterable-values.ts';
import { parseJson } from './chunk.ts';

export type FacetColumns = {
  /** Id of the first entry, so that two chunks never have the same facets. */
  readonly first: string;
  /** Bits of each facility in hexadecimal digits: one bit for each entry, the lowest bit first. */
  readonly facilities: Readonly<Record<string, string>>;
  readonly latitude: readonly number[];
  readonly longitude: readonly number[];
  readonly fields: Readonly<Record<string, readonly FilterableValue[]>>;
};

export type FacetedEntry = Facets & {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
};

/** @param names names of the filterable fields, in the order of each entry's `values` */
export function encodeFacets(entries: readonly FacetedEntry[], names: readonly string[]): Uint8Array {
  const digits = new Map<string, number[]>();
  for (const [index, { facilities }] of entries.entries())
    for (const word of facilities) {
      const own = digits.get(word) ?? new Array<number>(digitsFor(entries.length)).fill(0);
      own[index >> 2]! |= 1 << (index & 3);
      digits.set(word, own);
    }
  const columns: FacetColumns = {
    first: entries[0]!.id,
    facilities: Object.fromEntries(
      [...digits].map(([word, own]) => [word, own.map((digit) => digit.toString(16)).join('')]),
    ),
    latitude: entries.map(({ latitude }) => latitude),
    longitude: entries.map(({ longitude }) => longitude),
    fields: Object.fromEntries(
      names.map((name, index) => [name, entries.map(({ values }) => values[index]!)]),
    ),
  };
  return new TextEncoder().encode(`${JSON.stringify(columns)}\n`);
}

const digitsFor = (count: number) => Math.ceil(count / 4);

/** Undefined if the bytes are not the facets of a chunk with `count` entries. */
export function parseFacetColumns(bytes: Uint8Array, count: number): FacetColumns | undefined {
  const value = parseJson(bytes) as FacetColumns | undefined;
  const { first, facilities, latitude, longitude, fields } = value ?? {};
  const isColumn = (column: unknown, isSound: (one: unknown) => boolean) =>
    Array.isArray(column) && column.length === count && column.every(isSound);
  const isWithin = (degrees: number) => (one: unknown) =>
    Math.abs(one as number) <= degrees && typeof one === 'number';
  const isObject = (one: unknown): one is object => typeof one === 'object' && one !== null;
  const isSound =
    typeof first === 'string' &&
    isObject(facilities) &&
    Object.values(facilities).every((digits) => isBits(digits, count)) &&
    isColumn(latitude, isWithin(90)) &&
    isColumn(longitude, isWithin(180)) &&
    isObject(fields) &&
    Object.values(fields).every((column) => isColumn(column, isFacetValue));
  return isSound ? value : undefined;
}

/** Whether `digits` has one bit for each of `count` entries, and no bit set after the last one. */
function isBits(digits: unknown, count: number): boolean {
  if (typeof digits !== 'string' || digits.length !== digitsFor(count) || !/^[0-9a-f]*$/.test(digits))
    return false;
  return Number.parseInt(digits.at(-1) ?? '0', 16) < 2 ** (((count - 1) & 3) + 1);
}

function isFacetValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
