/** Packs a sequence into the objects of the packed layout (docs/packed-format.md). */
import { createHash } from 'node:crypto';
import { CURRENT_KEY, chunkKey, citiesKey, rootKey, sequenceKey } from '../contract/keys.ts';
import { fold } from '../contract/order.ts';
import { type Columns, WIDTH } from '../release/columns.ts';
import { digestOf } from '../release/digest.ts';
import { encodePiece, PIECES } from '../release/pieces.ts';
import type { Placed, Scope } from '../release/sequence.ts';
import { CHUNKS, citiesOf, encodeChunk } from './format/chunk.ts';
import { type CityShard, citiesText, shardsOf } from './format/city-table.ts';
import { divide } from './format/divide.ts';
import { currentText, type RootParts, rootDigest, rootText } from './format/root.ts';
import { uuidHashes } from './format/text-hash.ts';

export type PackedObject = {
  readonly key: string;
  /** Digest of the bytes. */
  readonly digest: string;
  readonly content: () => Uint8Array;
};

/** Digests of pieces and chunks, by the SHA-256 of what decides each. */
export type KnownDigests = ReadonlyMap<string, string>;

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
  { ids }: Pick<Columns, 'ids'>,
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
  const hashes = uuidHashes(ids);
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
 * @param known digests of pieces and chunks that need not be encoded again.
 * @returns the content of the root, without the parts of the details; and the digests of pieces and chunks.
 */
export function* packedObjects(
  sequence: readonly (Placed & { readonly summary: string })[],
  columns: Columns,
  plan: PackedPlan,
  release: string,
  known: KnownDigests = new Map(),
): Generator<PackedObject, { readonly root: Omit<RootParts, 'details'>; readonly known: KnownDigests }> {
  const { ids, summaryDigests, detailDigests } = columns;
  const digests = new Map<string, string>();
  /** Encodes a range of the sequence, unless the columns that decide its bytes are known; a summary has its city. */
  const made = (deciding: readonly Uint8Array[], start: number, end: number, encode: () => Uint8Array) => {
    const hash = createHash('sha256');
    for (const column of deciding) hash.update(column.subarray(WIDTH * start, WIDTH * end));
    const cause = hash.digest('hex');
    const bytes = known.has(cause) ? undefined : encode();
    const digest = bytes ? digestOf(bytes) : known.get(cause)!;
    digests.set(cause, digest);
    return { digest, content: () => bytes ?? encode() };
  };
  let start = 0;
  for (const end of plan.pieces) {
    const first = start;
    const { digest, content } = made([ids, summaryDigests, detailDigests], first, end, () =>
      encodePiece(sequence, columns, first, end),
    );
    yield { key: sequenceKey(digest), digest, content };
    start = end;
  }
  const chunks: RootParts['chunks'][number][] = [];
  start = 0;
  for (const end of plan.ends) {
    const first = start;
    const { digest, content } = made([summaryDigests], first, end, () => {
      const summaries = sequence.slice(first, end).map(({ summary }) => summary);
      return encodeChunk(summaries, citiesOf(sequence, first, end));
    });
    const { city } = sequence[first]!;
    chunks.push({ digest, count: end - first, folded: fold(city), city });
    yield { key: chunkKey(digest), digest, content };
    start = end;
  }
  const shards: RootParts['shards'][number][] = [];
  for (const { from, cities } of plan.shards) {
    const bytes = Buffer.from(citiesText(cities));
    const digest = digestOf(bytes);
    shards.push({ from, digest });
    yield { key: citiesKey(digest), digest, content: () => bytes };
  }
  return { root: { release, countries: plan.countries, chunks, shards }, known: digests };
}

/** Yields the root and the current pointer. */
export function* packedRoot(parts: RootParts): Generator<PackedObject> {
  const { release } = parts;
  const root = Buffer.from(rootText(parts, digestOf));
  yield { key: rootKey(release), digest: digestOf(root), content: () => root };
  const current = Buffer.from(currentText({ release, root: rootDigest(root)! }));
  yield { key: CURRENT_KEY, digest: digestOf(current), content: () => current };
}
