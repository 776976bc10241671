/** Reads the leaves of a release's tree and checks each one against the digest that names it. */
import { partKey } from '../contract/document-keys.ts';
import { chunkKey, citiesKey, ID_PATTERN, imageListKey } from '../contract/object-keys.ts';
import { type Chunk, parseChunk } from '../tree/format/chunk.ts';
import { type CityEntry, parseCityShard } from '../tree/format/city-table.ts';
import { type ParsedPart, parsePart } from '../tree/format/detail-part.ts';
import { digestOf } from './digest.ts';
import { parseImageList } from './root-contents.ts';

/**
 * Each function reads one leaf. If the leaf is missing or damaged, the function rejects with an error that `leafError`
 * created; in a partial release, the function resolves to undefined instead.
 */
export type Leaves = {
  readonly chunk: (digest: string) => Promise<Chunk | undefined>;
  readonly cities: (digest: string) => Promise<ReadonlyMap<string, CityEntry> | undefined>;
  readonly part: (digest: string) => Promise<ParsedPart | undefined>;
  readonly images: (digest: string) => Promise<readonly string[] | undefined>;
  readonly leafError: CreateLeafError;
};

type CreateLeafError = (key: string, isMissing: boolean) => Error;

export type LeafSource = {
  /** Undefined if the object is missing. */
  readonly read: (key: string) => Promise<Buffer | undefined>;
  /** @default creates a plain Error */
  readonly leafError?: CreateLeafError | undefined;
  /** Gives undefined for a missing or damaged leaf, instead of an error. @default false */
  readonly isPartial?: boolean | undefined;
};

/** Maximum number of leaves in memory. A leaf has at most 0.8 MB. */
const MAX_LEAVES_IN_MEMORY = 32;

/** Matches the start of each summary and of each line of a part. Strict, since the id becomes part of a key. */
const START = new RegExp(`^\\{"id":"${ID_PATTERN.replaceAll('A-F', '')}",$`);
const START_LENGTH = 45;

function haveIds({ buffer, byteOffset, length }: Uint8Array, starts: Iterable<number>): boolean {
  const bytes = Buffer.from(buffer, byteOffset, length);
  for (const start of starts)
    if (!START.test(bytes.toString('latin1', start, start + START_LENGTH))) return false;
  return true;
}

function soundChunk(bytes: Buffer): Chunk | undefined {
  const chunk = parseChunk(bytes);
  return chunk && haveIds(chunk.entries, chunk.offsets.subarray(0, -1)) ? chunk : undefined;
}

function soundDetails(bytes: Buffer): ParsedPart | undefined {
  const details = parsePart(bytes);
  return details && haveIds(bytes, details.starts.slice(0, -1)) ? details : undefined;
}

const defaultLeafError: CreateLeafError = (key) => new Error(`${key} is missing or damaged.`);

/**
 * @param knownLeaves maps the key of a leaf to the {@link Leaves} of another release that has this leaf too. The leaf
 * is then read through the other release, which may hold it in memory
 */
export function openLeaves(
  { read, leafError = defaultLeafError, isPartial = false }: LeafSource,
  knownLeaves: ReadonlyMap<string, Leaves> = new Map(),
): Leaves {
  const held = new Map<string, Promise<unknown>>();
  const load = async <Leaf>(key: string, digest: string, parse: (bytes: Buffer) => Leaf | undefined) => {
    const bytes = await read(key);
    const leaf = bytes && digestOf(bytes) === digest ? parse(bytes) : undefined;
    if (!leaf && !isPartial) throw leafError(key, bytes === undefined);
    return leaf;
  };
  const get = <Leaf>(key: string, digest: string, parse: (bytes: Buffer) => Leaf | undefined) => {
    const leaf = (held.get(key) as Promise<Leaf | undefined> | undefined) ?? load(key, digest, parse);
    // Deleting and setting the key keeps the map in order of use.
    held.delete(key);
    held.set(key, leaf);
    if (held.size > MAX_LEAVES_IN_MEMORY) held.delete(held.keys().next().value!);
    return leaf;
  };
  const from = (key: string) => knownLeaves.get(key);
  return {
    chunk: (digest) => from(chunkKey(digest))?.chunk(digest) ?? get(chunkKey(digest), digest, soundChunk),
    cities: (digest) =>
      from(citiesKey(digest))?.cities(digest) ?? get(citiesKey(digest), digest, parseCityShard),
    part: (digest) => from(partKey(digest))?.part(digest) ?? get(partKey(digest), digest, soundDetails),
    images: (digest) =>
      from(imageListKey(digest))?.images(digest) ?? get(imageListKey(digest), digest, parseImageList),
    leafError,
  };
}
