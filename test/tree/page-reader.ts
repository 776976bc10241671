/** Answers list requests from the release tree, by the steps of docs/release-format.md; counts what it reads. */
import { createHash } from 'node:crypto';
import { CURRENT_KEY, chunkKey, citiesKey, rootKey } from '../../src/contract/object-keys.ts';
import { assemblePage, concatBytes, pageSlices } from '../../src/release/page.ts';
import { type Chunk, entryBytes, parseChunk } from '../../src/tree/format/chunk.ts';
import { parseCityShard } from '../../src/tree/format/city-table.ts';
import {
  chunkSlices,
  cityStart,
  countryRange,
  findChunkBefore,
  findCityShard,
  pageIdentity,
} from '../../src/tree/format/list-lookup.ts';
import { digestFromSha256, parseCurrentJson, parseRoot, type Root } from '../../src/tree/format/root.ts';

/** A page, the keys of the chunks and shards that were read for it, and the input of its entity tag. */
export type PageRead = {
  readonly text: string;
  readonly total: number;
  readonly reads: string[];
  readonly identity: string;
};

const digest = (bytes: Uint8Array) => digestFromSha256(createHash('sha256').update(bytes).digest());

/** Opens the live release. @throws Error for any damaged object. */
export function openTree(read: (key: string) => Uint8Array) {
  const { release } = sound(parseCurrentJson(read(CURRENT_KEY)), CURRENT_KEY);
  const bytes = read(rootKey(release));
  if (digest(bytes) !== release) throw new Error('damaged root');
  const root = sound(parseRoot(bytes, release), 'root');
  return {
    root,
    page: (country: string, city: string, number: number, size: number) =>
      pageIn(root, read, country, city, number, size),
  };
}

function pageIn(
  root: Root,
  read: (key: string) => Uint8Array,
  country: string,
  city: string,
  number: number,
  size: number,
): PageRead {
  const reads: string[] = [];
  const named = (key: string, name: string) => {
    const bytes = read(key);
    if (digest(bytes) !== name) throw new Error(`damaged ${key}`);
    if (!reads.includes(key)) reads.push(key);
    return bytes;
  };
  const chunkAt = (index: number): Chunk => {
    const name = root.chunks[index]!.digest;
    return sound(parseChunk(named(chunkKey(name), name)), chunkKey(name));
  };
  let counts: number[] = [];
  let startOf = (_run: number): number => 0;
  if (city === '') {
    const range = countryRange(root, country);
    counts = range ? [range.end - range.start] : [];
    startOf = () => range!.start;
  } else {
    const shard = findCityShard(root, city);
    const entry =
      shard === undefined
        ? undefined
        : sound(parseCityShard(named(citiesKey(shard), shard)), shard).get(city);
    const runs = (entry?.countries ?? []).filter((run) => country === '' || run.country === country);
    counts = runs.map((run) => run.count);
    startOf = (run) => {
      const place = { country: runs[run]!.country, folded: entry!.folded, city };
      const index = findChunkBefore(root, place);
      return sound(cityStart(root, place, index, index < 0 ? undefined : chunkAt(index)), city);
    };
  }
  const total = counts.reduce((sum, count) => sum + count, 0);
  const slices = pageSlices(counts, number, size).flatMap(({ index, start, end }) => {
    const first = startOf(index);
    return chunkSlices(root, first + start, first + end);
  });
  const entries = slices.map(({ index, start, end }) => entryBytes(chunkAt(index), start, end));
  const text = Buffer.from(concatBytes(assemblePage(entries, number, size, total))).toString('utf8');
  return { text, total, reads, identity: pageIdentity(root, slices, number, size, total) };
}

function sound<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`damaged ${what}`);
  return value;
}
