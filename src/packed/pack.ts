/** Packs a sequence into the objects of the packed layout (docs/packed-format.md). */
import { filtersOf, parseFacets } from '../contract/facets.ts';
import { CURRENT_KEY, chunkKey, citiesKey, facetsKey, rootKey } from '../contract/object-keys.ts';
import { fold } from '../contract/order.ts';
import type { Terms } from '../contract/terms.ts';
import type { Columns } from '../release/columns.ts';
import { digestOf } from '../release/digest.ts';
import type { RangeEncoder } from '../release/range-encoder.ts';
import type { Entry, Placed, Scope } from '../release/sequence.ts';
import { CHUNKS, citiesOf, encodeChunk } from './format/chunk.ts';
import { type CityShard, citiesText, shardsOf } from './format/city-table.ts';
import { divide } from './format/divide.ts';
import { encodeFacets } from './format/facets.ts';
import { currentText, type RootParts, rootDigest, rootText } from './format/root.ts';
import { uuidHashes } from './format/text-hash.ts';

export type PackedObject = {
  readonly key: string;
  readonly digest: string;
  readonly content: () => Uint8Array;
};

/** Division of a sequence, known before packing. */
export type PackedPlan = {
  /** End of each chunk, which is the start of the next; and the city of its first record. */
  readonly chunks: readonly { readonly end: number; readonly city: string }[];
  readonly shards: readonly CityShard[];
  readonly countries: RootParts['countries'];
};

/** Plans chunks and shards. */
export function planPacked({ ids }: Pick<Columns, 'ids'>, scopes: readonly Scope[]): PackedPlan {
  const countries: { country: string; count: number }[] = [];
  const cities = new Map<string, { country: string; count: number }[]>();
  for (const { country, city, total } of scopes) {
    if (country === '') continue;
    const list = city === '' ? countries : (cities.get(city) ?? []);
    list.push({ country, count: total });
    if (city !== '') cities.set(city, list);
  }
  // In the order of the sequence. An entry decodes its city on demand, from a file.
  const runs = scopes.filter(({ country, city }) => country && city);
  let run = 0;
  const ends = divide(uuidHashes(ids), CHUNKS);
  const chunks = ends.map((end, index) => {
    while (runs[run]!.runs[0]!.end <= (ends[index - 1] ?? 0)) run++;
    return { end, city: runs[run]!.city };
  });
  const entries = [...cities].map(([city, list]) => ({ city, folded: fold(city), countries: list }));
  return { chunks, shards: shardsOf(entries), countries };
}

export function countPacked({ chunks, shards }: PackedPlan): number {
  return 2 * chunks.length + shards.length + 2;
}

/**
 * Yields the objects of a sequence: chunks, each with its facets, and shards of the city table; one in memory at a time.
 *
 * @param release the name of the release.
 * @returns the content of the root, without the parts of the details.
 */
export function* packedObjects(
  sequence: readonly (Placed & Pick<Entry, 'id' | 'summary' | 'latitude' | 'longitude' | 'facets'>)[],
  { ids, summaryDigests, detailDigests }: Columns,
  plan: PackedPlan,
  release: string,
  { encode }: RangeEncoder,
  terms: Terms,
): Generator<PackedObject, Omit<RootParts, 'details'>> {
  const chunks: RootParts['chunks'][number][] = [];
  const names = filtersOf(terms.fields).map(([name]) => name);
  let facetDigests = '';
  let start = 0;
  for (const { end, city } of plan.chunks) {
    const first = start;
    // A summary has its city.
    const { digest, content } = encode([summaryDigests], first, end, () => {
      const summaries = sequence.slice(first, end).map(({ summary }) => summary);
      return encodeChunk(summaries, citiesOf(sequence, first, end));
    });
    chunks.push({ digest, count: end - first, folded: fold(city), city });
    yield { key: chunkKey(digest), digest, content };
    // The facets of a property follow from its detail.
    const facets = encode([ids, detailDigests], first, end, () => {
      const entries = sequence.slice(first, end).map(({ id, facets, latitude, longitude }) => ({
        ...parseFacets(facets, terms),
        id,
        latitude,
        longitude,
      }));
      return encodeFacets(entries, names);
    });
    facetDigests += facets.digest;
    yield { key: facetsKey(facets.digest), ...facets };
    start = end;
  }
  const shards: RootParts['shards'][number][] = [];
  for (const { from, cities } of plan.shards) {
    const bytes = Buffer.from(citiesText(cities));
    const digest = digestOf(bytes);
    shards.push({ from, digest });
    yield { key: citiesKey(digest), digest, content: () => bytes };
  }
  const facets = Buffer.from(facetDigests, 'hex').toString('base64');
  return { release, countries: plan.countries, chunks, shards, facets };
}

/** Yields the root and the current pointer. */
export function* packedRoot(parts: RootParts): Generator<PackedObject> {
  const { release } = parts;
  const root = Buffer.from(rootText(parts, digestOf));
  yield { key: rootKey(release), digest: digestOf(root), content: () => root };
  const current = Buffer.from(currentText({ release, root: rootDigest(root)! }));
  yield { key: CURRENT_KEY, digest: digestOf(current), content: () => current };
}
