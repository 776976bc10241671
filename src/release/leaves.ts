/** Reads the leaves of a release's tree and checks each one against the digest that names it. */
import { partKey } from '../contract/document-keys.ts';
import { chunkKey, citiesKey, ID_PATTERN } from '../contract/object-keys.ts';
import { type Chunk, parseChunk } from '../packed/format/chunk.ts';
import { type CityEntry, parseShard } from '../packed/format/city-table.ts';
import { type Details, parseDetails } from '../packed/format/detail.ts';
import { digestOf } from './digest.ts';

/** Undefined for a leaf that a partial release lacks. In any other release, such a leaf rejects with `differs`. */
export type Leaves = {
  readonly chunk: (digest: string) => Promise<Chunk | undefined>;
  readonly cities: (digest: string) => Promise<ReadonlyMap<string, CityEntry> | undefined>;
  readonly part: (digest: string) => Promise<Details | undefined>;
  readonly differs: Differs;
};

type Differs = (key: string, isMissing: boolean) => Error;

export type LeafSource = {
  /** Undefined if the object is missing. */
  readonly read: (key: string) => Promise<Buffer | undefined>;
  /** Creates the error for a leaf that is missing or damaged. @default an EnvironmentError for developers */
  readonly differs?: Differs | undefined;
  /** Whether leaves may be missing or damaged. @default false */
  readonly isPartial?: boolean | undefined;
};

/** Maximum number of leaves in memory. A leaf has at most 0.8 MB. */
const HELD = 32;

/** Start of each summary and of each line of a part. Strict, since the id becomes part of a key. */
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

function soundDetails(bytes: Buffer): Details | undefined {
  const details = parseDetails(bytes);
  return details && haveIds(bytes, details.starts.slice(0, -1)) ? details : undefined;
}

const defaultDiffers: Differs = (key) => new Error(`${key} is missing or damaged.`);

/** @param elsewhere releases that also have a leaf, by its key; it is read there instead */
export function openLeaves(
  { read, differs = defaultDiffers, isPartial = false }: LeafSource,
  elsewhere: ReadonlyMap<string, Leaves> = new Map(),
): Leaves {
  const held = new Map<string, Promise<unknown>>();
  const load = async <Leaf>(key: string, digest: string, parse: (bytes: Buffer) => Leaf | undefined) => {
    const bytes = await read(key);
    const leaf = bytes && digestOf(bytes) === digest ? parse(bytes) : undefined;
    if (!leaf && !isPartial) throw differs(key, bytes === undefined);
    return leaf;
  };
  const get = <Leaf>(key: string, digest: string, parse: (bytes: Buffer) => Leaf | undefined) => {
    const leaf = (held.get(key) as Promise<Leaf | undefined> | undefined) ?? load(key, digest, parse);
    // The order of the map is the order of use.
    held.delete(key);
    held.set(key, leaf);
    if (held.size > HELD) held.delete(held.keys().next().value!);
    return leaf;
  };
  const from = (key: string) => elsewhere.get(key);
  return {
    chunk: (digest) => from(chunkKey(digest))?.chunk(digest) ?? get(chunkKey(digest), digest, soundChunk),
    cities: (digest) => from(citiesKey(digest))?.cities(digest) ?? get(citiesKey(digest), digest, parseShard),
    part: (digest) => from(partKey(digest))?.part(digest) ?? get(partKey(digest), digest, soundDetails),
    differs,
  };
}
