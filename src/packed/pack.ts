/** Packs a sequence into the objects of the packed layout (docs/packed-format.md). */

import { CURRENT_KEY, chunkKey, citiesKey, rootKey, sequenceKey } from '../contract/keys.ts';
import { fold } from '../contract/order.ts';
import type { Comparable } from '../release/comparison.ts';
import { digestOf } from '../release/digest.ts';
import { encodePiece, PIECES } from '../release/pieces.ts';
import type { JoinedSummaries, Scope } from '../release/sequence.ts';
import { CHUNKS, citiesOf, encodeChunk } from './format/chunk.ts';
import { type CityShard, citiesText, shardsOf } from './format/city-table.ts';
import { divide } from './format/divide.ts';
import { currentText, type RootParts, rootDigest, rootText } from './format/root.ts';
import { textHashes } from './format/text-hash.ts';

export type PackedObject = {
  readonly key: string;
  /** Digest of the bytes. */
  readonly digest: string;
  readonly content: () => Uint8Array;
};

/** Digests of chunks, by the digest of what each depends on. */
export type ChunkDigests = ReadonlyMap<string, string>;

/** Division of a sequence, known before packing. */
export type PackedPlan = {
  /** End of each chunk, which is the start of the next. */
  readonly ends: readonly number[];
  readonly shards: readonly CityShard[];
  readonly countries: RootParts['countries'];
  /** End of each piece of the sequence; empty where the manifest includes the sequence. */
  readonly pieces: readonly number[];
};

/**
 * Plans chunks, shards and pieces.
 *
 * @param inPieces whether the manifest names pieces of the sequence instead of including it.
 */
export function planPacked(
  sequence: readonly { readonly id: string }[],
  scopes: readonly Scope[],
  inPieces = false,
): PackedPlan {
  const countries: { country: string; count: number }[] = [];
  const cities = new Map<string, { country: string; count: number }[]>();
  for (const { country, city, total } of scopes) {
    if (country === '') continue;
    const list = city === '' ? countries : (cities.get(city) ?? []);
    list.push({ country, count: total });
    if (city !== '') cities.set(city, list);
  }
  const entries = [...cities].map(([city, list]) => ({ city, folded: fold(city), countries: list }));
  const hashes = textHashes(sequence.length, (place) => sequence[place]!.id);
  const pieces = inPieces ? divide(hashes, PIECES) : [];
  return { ends: divide(hashes, CHUNKS), shards: shardsOf(entries), countries, pieces };
}

export function countPacked({ ends, shards, pieces }: PackedPlan): number {
  return ends.length + shards.length + pieces.length + 2;
}

/**
 * Yields the objects of a sequence: pieces, chunks, and shards of the city table; one in memory at a time.
 *
 * @param release the name of the release.
 * @param known digests of chunks that need not be encoded again.
 * @returns the content of the root, without the parts of the details; and the digests of the chunks.
 */
export function* packedObjects(
  sequence: readonly Comparable[],
  summaries: JoinedSummaries,
  plan: PackedPlan,
  release: string,
  known: ChunkDigests = new Map(),
): Generator<PackedObject, { readonly root: Omit<RootParts, 'details'>; readonly chunks: ChunkDigests }> {
  let start = 0;
  for (const end of plan.pieces) {
    const bytes = encodePiece(sequence, start, end);
    const digest = digestOf(bytes);
    yield { key: sequenceKey(digest), digest, content: () => bytes };
    start = end;
  }
  const chunks: RootParts['chunks'][number][] = [];
  const digests = new Map<string, string>();
  start = 0;
  for (const end of plan.ends) {
    const first = start;
    // A summary has country and city.
    let text = '';
    for (let place = first; place < end; place++) text += sequence[place]!.summaryDigest;
    const cause = digestOf(text);
    const encoded = () => encodeChunk(summaries, first, end, citiesOf(sequence, first, end));
    const made = known.has(cause) ? undefined : encoded();
    const digest = made ? digestOf(made) : known.get(cause)!;
    digests.set(cause, digest);
    const { city } = sequence[first]!;
    chunks.push({ digest, count: end - first, folded: fold(city), city });
    yield { key: chunkKey(digest), digest, content: () => made ?? encoded() };
    start = end;
  }
  const shards: RootParts['shards'][number][] = [];
  for (const { from, cities } of plan.shards) {
    const bytes = Buffer.from(citiesText(cities));
    const digest = digestOf(bytes);
    shards.push({ from, digest });
    yield { key: citiesKey(digest), digest, content: () => bytes };
  }
  return { root: { release, countries: plan.countries, chunks, shards }, chunks: digests };
}

/** Yields the root and the current pointer. */
export function* packedRoot(parts: RootParts): Generator<PackedObject> {
  const { release } = parts;
  const root = Buffer.from(rootText(parts, digestOf));
  yield { key: rootKey(release), digest: digestOf(root), content: () => root };
  const current = Buffer.from(currentText({ release, root: rootDigest(root)! }));
  yield { key: CURRENT_KEY, digest: digestOf(current), content: () => current };
}
