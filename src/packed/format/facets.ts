/**
 * The facets of a chunk: a column for each filter, whose entries are those of the chunk, as JSON. The words are its own, so
 * that a new one changes one object (docs/release-format.md).
 */
import type { Facets, FacetValue } from '../../contract/facets.ts';
import { parseJson } from './chunk.ts';

export type FacetColumns = {
  /** Id of the first entry: two chunks have no facets in common, and facets tell their chunk. */
  readonly first: string;
  readonly words: readonly string[];
  /** Numbers of words. */
  readonly facilities: readonly (readonly number[])[];
  readonly latitude: readonly number[];
  readonly longitude: readonly number[];
  readonly fields: Readonly<Record<string, readonly FacetValue[]>>;
};

export type Faceted = Facets & { readonly id: string; readonly latitude: number; readonly longitude: number };

/** @param names those of the values. */
export function encodeFacets(entries: readonly Faceted[], names: readonly string[]): Uint8Array {
  const numbers = new Map<string, number>();
  const numberOf = (word: string) => {
    const number = numbers.get(word) ?? numbers.size;
    numbers.set(word, number);
    return number;
  };
  const facilities = entries.map((entry) => entry.facilities.map(numberOf));
  const columns: FacetColumns = {
    first: entries[0]!.id,
    words: [...numbers.keys()],
    facilities,
    latitude: entries.map(({ latitude }) => latitude),
    longitude: entries.map(({ longitude }) => longitude),
    fields: Object.fromEntries(
      names.map((name, index) => [name, entries.map(({ values }) => values[index]!)]),
    ),
  };
  return new TextEncoder().encode(`${JSON.stringify(columns)}\n`);
}

/** Parses the facets of a chunk; undefined for anything else. */
export function parseFacetColumns(bytes: Uint8Array, count: number): FacetColumns | undefined {
  const value = parseJson(bytes) as FacetColumns | undefined;
  const { first, words, facilities, latitude, longitude, fields } = value ?? {};
  const isColumn = (column: unknown, isSound: (one: unknown) => boolean) =>
    Array.isArray(column) && column.length === count && column.every(isSound);
  const isText = (one: unknown) => typeof one === 'string';
  const isWord = (one: unknown) => Number.isInteger(one) && words![one as number] !== undefined;
  const isSound =
    isText(first) &&
    Array.isArray(words) &&
    words.every(isText) &&
    isColumn(facilities, (own) => Array.isArray(own) && own.every(isWord)) &&
    isColumn(latitude, (one) => Math.abs(one as number) <= 90 && typeof one === 'number') &&
    isColumn(longitude, (one) => Math.abs(one as number) <= 180 && typeof one === 'number') &&
    typeof fields === 'object' &&
    fields !== null &&
    Object.values(fields).every((column) => isColumn(column, isFacetValue));
  return isSound ? value : undefined;
}

function isFacetValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
