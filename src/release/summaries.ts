/** Reads the summaries of a release from its chunks. */
import { chunkKey, rootKey } from '../contract/object-keys.ts';
import { type Chunk, parseChunk, recordsOf } from '../packed/format/chunk.ts';
import { chunkSlices } from '../packed/format/page.ts';
import { parseRoot, type Root } from '../packed/format/root.ts';
import { digestOf } from './digest.ts';
import type { Release } from './release.ts';
import type { JoinedSummaries } from './sequence.ts';

export type ReleaseObjects = {
  /** Reads an object by key. @throws the caller's error when it is absent. */
  readonly read: (key: string) => Promise<Buffer>;
  /** Reads a range of an object that was read before. @default chunks stay in memory */
  readonly readRange?: ((key: string, from: number, to: number) => Buffer) | undefined;
  /** Bytes of chunks kept in memory where single records can be read instead. @default 32 MB */
  readonly cacheBytes?: number | undefined;
  /** Makes the error for an object that differs from the manifest. */
  readonly differs: (name: string) => Error;
};

/** Limit in bytes: properties are read in the order of ids, and so all chunks repeatedly: 200 MB at a million. */
const CACHE_BYTES = 32 * 2 ** 20;

type EntryAt = (place: number) => Promise<{ readonly name: string; readonly text: string }>;

/**
 * Makes a reader of summaries. Reads each chunk once, on demand.
 *
 * @returns a function from id to summary JSON, which throws {@link ReleaseObjects.differs}.
 */
export function openSummaries(release: Release, objects: ReleaseObjects): (id: string) => Promise<string> {
  const { sequence, places } = release;
  const entryAt = inChunks(release, objects);
  return async (id) => {
    const place = places.get(id)!;
    const { name, text } = await entryAt(place);
    if (digestOf(text) !== sequence.at(place)!.summaryDigest) throw objects.differs(name);
    return text;
  };
}

type OpenChunk = {
  readonly records: (from: number, to: number) => Uint8Array;
};

function cachedChunk(chunk: Chunk): OpenChunk {
  return { records: (from, to) => recordsOf(chunk, from, to) };
}

/** Keeps the offsets of the records in memory, and reads the records on demand. */
function storedChunk(
  { offsets }: Chunk,
  key: string,
  start: number,
  readRange: NonNullable<ReleaseObjects['readRange']>,
): OpenChunk {
  return { records: (from, to) => readRange(key, start + offsets[from]!, start + offsets[to]! - 1) };
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

/** Reads all summaries, in the order of the sequence. */
export async function readSummaries(
  release: Release,
  objects: Pick<ReleaseObjects, 'read' | 'differs'>,
): Promise<JoinedSummaries> {
  const { chunks, total } = await openRoot(release, objects);
  const pieces: Uint8Array[] = [];
  const offsets = new Uint32Array(total + 1);
  let size = 0;
  for (const { digest, start, end } of chunks) {
    const { chunk } = await readChunk(digest, end - start, objects);
    for (let index = 1; index <= chunk.count; index++) offsets[start + index] = size + chunk.offsets[index]!;
    pieces.push(chunk.entries, COMMA);
    size += chunk.entries.length + COMMA.length;
  }
  return { bytes: Buffer.concat(pieces), offsets };
}

const COMMA = Buffer.from(',');

/** @returns also the number of bytes of its object. */
async function readChunk(
  digest: string,
  count: number,
  { read, differs }: Pick<ReleaseObjects, 'read' | 'differs'>,
): Promise<{ readonly chunk: Chunk; readonly length: number }> {
  const key = chunkKey(digest);
  const bytes = await read(key);
  const chunk = digestOf(bytes) === digest ? parseChunk(bytes) : undefined;
  if (chunk?.count !== count) throw differs(key);
  return { chunk, length: bytes.length };
}

function inChunks(release: Release, objects: ReleaseObjects): EntryAt {
  const { readRange, cacheBytes = CACHE_BYTES } = objects;
  let free = cacheBytes;
  const openChunk = async ({ digest, start, end }: Root['chunks'][number]): Promise<OpenChunk> => {
    const { chunk, length } = await readChunk(digest, end - start, objects);
    free -= length;
    if (!readRange || free >= 0) return cachedChunk(chunk);
    return storedChunk(chunk, chunkKey(digest), length - chunk.entries.length, readRange);
  };
  let opened: Promise<Root> | undefined;
  const chunks = new Map<Root['chunks'][number], Promise<OpenChunk>>();
  return async (place) => {
    opened ??= openRoot(release, objects);
    const root = await opened;
    const { part, start, end } = chunkSlices(root, place, place + 1)[0]!;
    const of = root.chunks[part]!;
    const chunk = await memoized(chunks, of, openChunk);
    return { name: chunkKey(of.digest), text: Buffer.from(chunk.records(start, end)).toString('utf8') };
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
