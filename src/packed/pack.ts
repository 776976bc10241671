/** The sequence as the objects of the packed layout (docs/packed-format.md), one after the other. */

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

/** An object of the packed layout. */
export type PackedObject = {
  readonly key: string;
  /** Digest of its bytes. */
  readonly digest: string;
  readonly bytes: Uint8Array;
};

/** How a sequence is divided, known before anything is packed. */
export type PackedPlan = {
  /** Where each chunk ends, and so the next one starts. */
  readonly ends: readonly number[];
  readonly shards: readonly CityShard[];
  readonly countries: RootParts['countries'];
  /** Where each piece of the sequence ends; empty where the manifest holds the sequence. */
  readonly pieces: readonly number[];
};

/**
 * Divides a sequence.
 *
 * @param inPieces whether the manifest names pieces of the sequence, and does not hold it.
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

/** Number of the objects of a plan. */
export function countPacked({ ends, shards, pieces }: PackedPlan): number {
  return ends.length + shards.length + pieces.length + 2;
}

/**
 * Packs a sequence: its pieces in order, chunks, the table of cities, the root, and what names it; one in memory at a time.
 *
 * @param release the name of the release.
 */
export function* packedObjects(
  sequence: readonly Comparable[],
  summaries: JoinedSummaries,
  plan: PackedPlan,
  release: string,
): Generator<PackedObject> {
  let start = 0;
  for (const end of plan.pieces) {
    const bytes = encodePiece(sequence, start, end);
    const digest = digestOf(bytes);
    yield { key: sequenceKey(digest), digest, bytes };
    start = end;
  }
  const chunks: RootParts['chunks'][number][] = [];
  start = 0;
  for (const end of plan.ends) {
    const bytes = encodeChunk(summaries, start, end, citiesOf(sequence, start, end));
    const digest = digestOf(bytes);
    const { city } = sequence[start]!;
    chunks.push({ digest, count: end - start, folded: fold(city), city });
    yield { key: chunkKey(digest), digest, bytes };
    start = end;
  }
  const shards: RootParts['shards'][number][] = [];
  for (const { from, cities } of plan.shards) {
    const bytes = Buffer.from(citiesText(cities));
    const digest = digestOf(bytes);
    shards.push({ from, digest });
    yield { key: citiesKey(digest), digest, bytes };
  }
  const root = Buffer.from(rootText({ release, countries: plan.countries, chunks, shards }, digestOf));
  yield { key: rootKey(release), digest: digestOf(root), bytes: root };
  const current = Buffer.from(currentText({ release, root: rootDigest(root)! }));
  yield { key: CURRENT_KEY, digest: digestOf(current), bytes: current };
}
