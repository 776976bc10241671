/** The sequence as the objects of the packed layout (docs/packed-format.md), one after the other. */

import { CURRENT_KEY, chunkKey, citiesKey, rootKey } from '../contract/keys.ts';
import { fold } from '../contract/order.ts';
import type { Comparable } from '../release/comparison.ts';
import { digestOf } from '../release/digest.ts';
import type { JoinedSummaries, Scope } from '../release/sequence.ts';
import { type ChunkCity, encodeChunk } from './format/chunk.ts';
import { chunkEnds } from './format/chunk-ends.ts';
import { type CityShard, citiesText, shardsOf } from './format/city-table.ts';
import { currentText, type RootParts, rootDigest, rootText } from './format/root.ts';

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
};

/** Divides a sequence. */
export function planPacked(
  sequence: readonly { readonly id: string }[],
  scopes: readonly Scope[],
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
  return { ends: chunkEnds(sequence), shards: shardsOf(entries), countries };
}

/** Number of the objects of a plan. */
export function countPacked({ ends, shards }: PackedPlan): number {
  return ends.length + shards.length + 2;
}

/**
 * Packs a sequence: chunks, then the table of cities, then the root, then what names it; one in memory at a time.
 *
 * @param release the name of the release.
 */
export function* packedObjects(
  sequence: readonly Comparable[],
  summaries: JoinedSummaries,
  plan: PackedPlan,
  release: string,
): Generator<PackedObject> {
  const chunks: RootParts['chunks'][number][] = [];
  let start = 0;
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

function citiesOf(sequence: readonly Comparable[], start: number, end: number): ChunkCity[] {
  const cities: { country: string; city: string; count: number }[] = [];
  for (let index = start; index < end; index++) {
    const { country, city } = sequence[index]!;
    const last = cities.at(-1);
    if (last && last.city === city && last.country === country) last.count++;
    else cities.push({ country, city, count: 1 });
  }
  return cities;
}
