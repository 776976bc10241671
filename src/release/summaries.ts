/** Reads single summaries of a release from its pages or chunks. */
import { chunkKey, pageKey, rootKey, scopeFolder } from '../contract/object-keys.ts';
import type { Page } from '../contract/property.ts';
import { type Chunk, parseChunk, recordsOf } from '../packed/format/chunk.ts';
import { chunkSlices } from '../packed/format/page.ts';
import { parseRoot, type Root } from '../packed/format/root.ts';
import { digestOf } from './digest.ts';
import type { Release } from './release.ts';

export type ReadPage = (number: number, size: number) => Promise<{ name: string; bytes: Buffer }>;

export type ReleaseObjects = {
  /** Reads an object by key. @throws the caller's error when it is absent. */
  readonly read: (key: string) => Promise<Buffer>;
  /** Reads a range of an object that was read before. @default chunks stay in memory */
  readonly readRange?: ((key: string, from: number, to: number) => Buffer) | undefined;
  /** Bytes of chunks kept in memory where single records can be read instead. @default 32 MB */
  readonly cacheBytes?: number | undefined;
  /** Reads a page of the unfiltered list. @default the object of that page */
  readonly page?: ReadPage | undefined;
  /** Makes the error for an object that differs from the manifest. */
  readonly differs: (name: string) => Error;
};

/**
 * Limit in bytes: an archive reads summaries in the order of ids, and so all chunks repeatedly, which take 200 MB for a
 * million properties.
 */
const CACHE_BYTES = 32 * 2 ** 20;

type EntryAt = (place: number) => Promise<{ readonly name: string; readonly text: string }>;

/**
 * Makes a reader of summaries. Reads each page or chunk once, on demand.
 *
 * @returns a function from id to summary JSON, which throws {@link ReleaseObjects.differs}.
 */
export function openSummaries(release: Release, objects: ReleaseObjects): (id: string) => Promise<string> {
  const { sequence, places } = release;
  const entryAt = release.hasPages || objects.page ? inPages(release, objects) : inChunks(release, objects);
  return async (id) => {
    const place = places.get(id)!;
    const { name, text } = await entryAt(place);
    if (digestOf(text) !== sequence.at(place)!.summaryDigest) throw objects.differs(name);
    return text;
  };
}

type OpenChunk = {
  readonly count: number;
  readonly records: (from: number, to: number) => Uint8Array;
};

function cachedChunk(chunk: Chunk): OpenChunk {
  return { count: chunk.count, records: (from, to) => recordsOf(chunk, from, to) };
}

/** Keeps the offsets of the records in memory, and reads the records on demand. */
function storedChunk(
  { count, offsets }: Chunk,
  key: string,
  start: number,
  readRange: NonNullable<ReleaseObjects['readRange']>,
): OpenChunk {
  return { count, records: (from, to) => readRange(key, start + offsets[from]!, start + offsets[to]! - 1) };
}

function inPages({ sizes }: Release, { read, page = stored(read), differs }: ReleaseObjects): EntryAt {
  const size = Math.max(...sizes);
  const open = async (number: number) => {
    const { name, bytes } = await page(number, size);
    try {
      return { name, data: (JSON.parse(bytes.toString('utf8')) as Page).data };
    } catch {
      throw differs(name);
    }
  };
  const pages = new Map<number, ReturnType<typeof open>>();
  return async (place) => {
    const number = Math.floor(place / size) + 1;
    const { name, data } = await memoized(pages, number, open);
    return { name, text: JSON.stringify(data?.[place % size]) ?? '' };
  };
}

function stored(read: ReleaseObjects['read']): ReadPage {
  return async (number, size) => {
    const name = pageKey(scopeFolder('', ''), size, number);
    return { name, bytes: await read(name) };
  };
}

export async function openRoot(
  { name, manifest, sequence }: Release,
  { read, differs }: Pick<ReleaseObjects, 'read' | 'differs'>,
): Promise<Root> {
  const key = rootKey(name);
  const bytes = await read(key);
  const root = digestOf(bytes) === manifest.documents[key] ? parseRoot(bytes) : undefined;
  if (root?.total !== sequence.length) throw differs(key);
  return root;
}

function inChunks(release: Release, objects: ReleaseObjects): EntryAt {
  const { read, readRange, cacheBytes = CACHE_BYTES, differs } = objects;
  let free = cacheBytes;
  const openChunk = async (digest: string): Promise<OpenChunk> => {
    const key = chunkKey(digest);
    const bytes = await read(key);
    const chunk = digestOf(bytes) === digest ? parseChunk(bytes) : undefined;
    if (!chunk) throw differs(key);
    free -= bytes.length;
    if (!readRange || free >= 0) return cachedChunk(chunk);
    return storedChunk(chunk, key, bytes.length - chunk.entries.length, readRange);
  };
  let opened: Promise<Root> | undefined;
  const chunks = new Map<string, Promise<OpenChunk>>();
  return async (place) => {
    opened ??= openRoot(release, objects);
    const root = await opened;
    const { part, start, end } = chunkSlices(root, place, place + 1)[0]!;
    const { digest, ...range } = root.chunks[part]!;
    const chunk = await memoized(chunks, digest, openChunk);
    if (chunk.count !== range.end - range.start) throw differs(chunkKey(digest));
    return { name: chunkKey(digest), text: Buffer.from(chunk.records(start, end)).toString('utf8') };
  };
}

function memoized<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  read: (key: Key) => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? read(key);
  known.set(key, value);
  return value;
}
