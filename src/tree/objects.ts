/** The objects of a release that are made from its sequence (docs/release-format.md). */
import { filterableFieldsOf, parseFacets } from '../contract/filterable-values.ts';
import { chunkKey, citiesKey, facetsKey, rootKey } from '../contract/object-keys.ts';
import { foldText } from '../contract/sort-order.ts';
import type { Terms } from '../contract/terms.ts';
import { digestOf } from '../release/digest.ts';
import type { EntryPlace, Scope, SequenceEntry } from '../release/sequence.ts';
import type { SequenceColumns } from '../release/sequence-columns.ts';
import { CHUNK_SIZES, cityRunsOf, encodeChunk } from './format/chunk.ts';
import { type CityShard, cityShardText, divideIntoCityShards } from './format/city-table.ts';
import { divideByHash } from './format/divide.ts';
import { encodeFacets } from './format/facets.ts';
import { facetDigests, type RootFields, rootText } from './format/root.ts';
import { uuidHashes } from './format/text-hash.ts';

export type TreeObject = {
  readonly key: string;
  readonly digest: string;
  readonly content: () => Uint8Array;
};

export type TreePlan = {
  /** `end`: index at which the next chunk starts. `city`: city of the chunk's first entry. */
  readonly chunks: readonly { readonly end: number; readonly city: string }[];
  readonly cityShards: readonly CityShard[];
  readonly countries: RootFields['countries'];
};

export function planTree({ ids }: Pick<SequenceColumns, 'ids'>, scopes: readonly Scope[]): TreePlan {
  const countries: { country: string; count: number }[] = [];
  const cities = new Map<string, { country: string; count: number }[]>();
  for (const { country, city, total } of scopes) {
    if (country === '') continue;
    const list = city === '' ? countries : (cities.get(city) ?? []);
    list.push({ country, count: total });
    if (city !== '') cities.set(city, list);
  }
  // Scopes of a city in one country, in sequence order. They tell the city of a chunk's first entry without reading
  // the entry.
  const runs = scopes.filter(({ country, city }) => country && city);
  let run = 0;
  const ends = divideByHash(uuidHashes(ids), CHUNK_SIZES);
  const chunks = ends.map((end, index) => {
    while (runs[run]!.runs[0]!.end <= (ends[index - 1] ?? 0)) run++;
    return { end, city: runs[run]!.city };
  });
  const entries = [...cities].map(([city, list]) => ({ city, folded: foldText(city), countries: list }));
  return { chunks, cityShards: divideIntoCityShards(entries), countries };
}

export function treeObjectCount({ chunks, cityShards }: TreePlan): number {
  return 2 * chunks.length + cityShards.length + 2;
}

type TreeEntry = EntryPlace & Pick<SequenceEntry, 'id' | 'summary' | 'latitude' | 'longitude' | 'facets'>;

/** `entries`: the sequence that was divided into these chunks. */
export type PreviousChunks<Of> = Pick<RootFields, 'chunks' | 'facets'> & { readonly entries: readonly Of[] };

/**
 * Yields chunks, each followed by its facets, then shards of the city table. Keeps one chunk and its facets in
 * memory.
 * @param last the previous release's chunks. A new chunk that has the same entries as a previous one is encoded only if
 * the caller calls `content`.
 * @returns the content of the root, without `details` and `contents`
 */
export function* treeObjects<Of extends TreeEntry>(
  sequence: readonly Of[],
  plan: TreePlan,
  terms: Terms,
  last?: PreviousChunks<Of>,
): Generator<TreeObject, Omit<RootFields, 'details' | 'contents'>> {
  const chunks: RootFields['chunks'][number][] = [];
  const names = filterableFieldsOf(terms.fields).map(([name]) => name);
  const findKnown = last ? createChunkLookup(last) : () => undefined;
  let digestsOfFacets = '';
  let start = 0;
  for (const { end, city } of plan.chunks) {
    const first = start;
    const encodedChunk = () => {
      const summaries = sequence.slice(first, end).map(({ summary }) => summary);
      return encodeChunk(summaries, cityRunsOf(sequence, first, end));
    };
    const encodedFacets = () => {
      const entries = sequence.slice(first, end).map(({ id, facets, latitude, longitude }) => ({
        ...parseFacets(facets, terms),
        id,
        latitude,
        longitude,
      }));
      return encodeFacets(entries, names);
    };
    const known = findKnown(sequence, first, end);
    const chunk = objectOf(chunkKey, encodedChunk, known?.digest);
    const facets = objectOf(facetsKey, encodedFacets, known?.facets);
    chunks.push({ digest: chunk.digest, count: end - first, folded: foldText(city), city });
    digestsOfFacets += facets.digest;
    yield chunk;
    yield facets;
    start = end;
  }
  const cityShards: RootFields['cityShards'][number][] = [];
  for (const { from, cities } of plan.cityShards) {
    const bytes = Buffer.from(cityShardText(cities));
    const digest = digestOf(bytes);
    cityShards.push({ from, digest });
    yield { key: citiesKey(digest), digest, content: () => bytes };
  }
  const facets = Buffer.from(digestsOfFacets, 'hex').toString('base64');
  return { countries: plan.countries, chunks, cityShards, facets };
}

function objectOf(
  keyOf: (digest: string) => string,
  encoded: () => Uint8Array,
  known: string | undefined,
): TreeObject {
  const bytes = known === undefined ? encoded() : undefined;
  const digest = bytes ? digestOf(bytes) : known!;
  return { key: keyOf(digest), digest, content: () => bytes ?? encoded() };
}

function createChunkLookup<Of>({ entries, chunks, facets }: PreviousChunks<Of>) {
  const byFirst = new Map<Of, { readonly start: number; readonly index: number }>();
  let start = 0;
  for (const [index, { count }] of chunks.entries()) {
    byFirst.set(entries[start]!, { start, index });
    start += count;
  }
  const ofFacets = facetDigests({ facets });
  return (sequence: readonly Of[], from: number, to: number) => {
    const { start, index } = byFirst.get(sequence[from]!) ?? { start: 0, index: -1 };
    const chunk = chunks[index];
    if (chunk?.count !== to - from) return undefined;
    for (let at = 1; at < chunk.count; at++)
      if (sequence[from + at] !== entries[start + at]) return undefined;
    return { digest: chunk.digest, facets: ofFacets[index]! };
  };
}

/** The digest of the root is the name of the release. */
export function rootObject(fields: RootFields): TreeObject {
  const root = Buffer.from(rootText(fields));
  const digest = digestOf(root);
  return { key: rootKey(digest), digest, content: () => root };
}
