/** The sequence as the objects of the packed layout (docs/packed-format.md), one after the other. */
import { digestOf } from '../catalogue/digest.ts';
import { releaseId } from '../catalogue/release-id.ts';
import type { Entry } from '../catalogue/sequence.ts';
import { endsChunk } from '../contract/boundary.ts';
import { CURRENT_KEY, chunkKey, citiesKey, rootKey } from '../contract/layout.ts';
import { fold } from '../contract/order.ts';
import { type ChunkCity, encodeChunk } from '../contract/packed-chunk.ts';
import { type CityEntry, citiesText, shardsOf } from '../contract/packed-cities.ts';
import { currentText, type RootParts, rootDigest, rootText } from '../contract/packed-root.ts';
import type { JoinedSummaries } from './page-files.ts';

/** An object of the packed layout. */
export type PackedObject = {
  readonly key: string;
  /** Digest of its bytes. */
  readonly digest: string;
  readonly bytes: Uint8Array;
};

/**
 * Packs a sequence: chunks, then the table of cities, then the root, then what names it. One object is in memory at a
 * time, besides the numbers of each city.
 */
export function* packedObjects(
  sequence: readonly Pick<Entry, 'id' | 'country' | 'city' | 'summaryDigest' | 'detailDigest'>[],
  summaries: JoinedSummaries,
): Generator<PackedObject> {
  const countries = new Map<string, number>();
  const cities = new Map<string, Map<string, number>>();
  const chunks: RootParts['chunks'][number][] = [];
  let start = 0;
  let inChunk: { country: string; city: string; count: number }[] = [];
  for (const [index, { id, country, city }] of sequence.entries()) {
    const last = inChunk.at(-1);
    if (last && last.city === city && last.country === country) last.count++;
    else inChunk.push({ country, city, count: 1 });
    const end = index + 1;
    if (end < sequence.length && !endsChunk(id, end - start)) continue;
    count(inChunk, countries, cities);
    const bytes = encodeChunk(summaries, start, end, inChunk);
    const digest = digestOf(bytes);
    const first = sequence[start]!.city;
    chunks.push({ digest, count: end - start, folded: fold(first), city: first });
    yield { key: chunkKey(digest), digest, bytes };
    start = end;
    inChunk = [];
  }
  const shards: RootParts['shards'][number][] = [];
  for (const shard of shardsOf(entriesOf(cities))) {
    const bytes = Buffer.from(citiesText(shard.cities));
    const digest = digestOf(bytes);
    shards.push({ from: shard.from, digest });
    yield { key: citiesKey(digest), digest, bytes };
  }
  const release = releaseId(sequence);
  const runs = [...countries].map(([country, count]) => ({ country, count }));
  const root = Buffer.from(rootText({ release, countries: runs, chunks, shards }, digestOf));
  yield { key: rootKey(release), digest: digestOf(root), bytes: root };
  const current = Buffer.from(currentText({ release, root: rootDigest(root)! }));
  yield { key: CURRENT_KEY, digest: digestOf(current), bytes: current };
}

function count(
  inChunk: readonly ChunkCity[],
  countries: Map<string, number>,
  cities: Map<string, Map<string, number>>,
): void {
  for (const { country, city, count } of inChunk) {
    countries.set(country, (countries.get(country) ?? 0) + count);
    const ofCity = cities.get(city) ?? new Map<string, number>();
    ofCity.set(country, (ofCity.get(country) ?? 0) + count);
    cities.set(city, ofCity);
  }
}

/** The cities; countries come in the order of the sequence, as they were met. */
function entriesOf(cities: ReadonlyMap<string, ReadonlyMap<string, number>>): CityEntry[] {
  return [...cities].map(([city, counts]) => ({
    city,
    folded: fold(city),
    countries: [...counts].map(([country, count]) => ({ country, count })),
  }));
}
