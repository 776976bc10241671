/** Packs a sequence into the objects of the packed layout (docs/packed-format.md). */
import { CURRENT_KEY, chunkKey, citiesKey, rootKey } from '../contract/object-keys.ts';
import { fold } from '../contract/order.ts';
import type { Columns } from '../release/columns.ts';
import { digestOf } from '../release/digest.ts';
import type { Placed, Scope } from '../release/sequence.ts';
import { CHUNKS, citiesOf, encodeChunk } from './format/chunk.ts';
import { type CityShard, citiesText, shardsOf } from './format/city-table.ts';
import { divide } from './format/divide.ts';
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
  return chunks.length + shards.length + 2;
}

type Packed = Placed & { readonly summary: string };

/** Chunks of the last release, and the sequence that they are of. */
export type LastChunks<Of> = { readonly entries: readonly Of[]; readonly chunks: RootParts['chunks'] };

/**
 * Yields the objects of a sequence: chunks, and shards of the city table; one in memory at a time.
 *
 * @param release the name of the release.
 * @param last a chunk of the same entries is not encoded again.
 * @returns the content of the root, without the parts of the details.
 */
export function* packedObjects<Of extends Packed>(
  sequence: readonly Of[],
  plan: PackedPlan,
  release: string,
  last?: LastChunks<Of>,
): Generator<PackedObject, Omit<RootParts, 'details'>> {
  const chunks: RootParts['chunks'][number][] = [];
  const knownDigest = last ? findDigests(last) : () => undefined;
  let start = 0;
  for (const { end, city } of plan.chunks) {
    const first = start;
    const encoded = () => {
      const summaries = sequence.slice(first, end).map(({ summary }) => summary);
      return encodeChunk(summaries, citiesOf(sequence, first, end));
    };
    const known = knownDigest(sequence, first, end);
    const bytes = known === undefined ? encoded() : undefined;
    const digest = bytes ? digestOf(bytes) : known!;
    chunks.push({ digest, count: end - first, folded: fold(city), city });
    yield { key: chunkKey(digest), digest, content: () => bytes ?? encoded() };
    start = end;
  }
  const shards: RootParts['shards'][number][] = [];
  for (const { from, cities } of plan.shards) {
    const bytes = Buffer.from(citiesText(cities));
    const digest = digestOf(bytes);
    shards.push({ from, digest });
    yield { key: citiesKey(digest), digest, content: () => bytes };
  }
  return { release, countries: plan.countries, chunks, shards };
}

function findDigests<Of>({ entries, chunks }: LastChunks<Of>) {
  const known = new Map<Of, { readonly digest: string; readonly start: number; readonly count: number }>();
  let start = 0;
  for (const { digest, count } of chunks) {
    known.set(entries[start]!, { digest, start, count });
    start += count;
  }
  return (sequence: readonly Of[], from: number, to: number): string | undefined => {
    const one = known.get(sequence[from]!);
    if (one?.count !== to - from) return undefined;
    for (let index = 1; index < one.count; index++)
      if (sequence[from + index] !== entries[one.start + index]) return undefined;
    return one.digest;
  };
}

/** Yields the root and the current pointer. */
export function* packedRoot(parts: RootParts): Generator<PackedObject> {
  const { release } = parts;
  const root = Buffer.from(rootText(parts, digestOf));
  yield { key: rootKey(release), digest: digestOf(root), content: () => root };
  const current = Buffer.from(currentText({ release, root: rootDigest(root)! }));
  yield { key: CURRENT_KEY, digest: digestOf(current), content: () => current };
}
