/** The summaries of a release that has no pages, from its chunks. */

import { chunkKey } from '../contract/keys.ts';
import { type Chunk, entriesOf, parseChunk } from '../packed/format/chunk.ts';
import { parseRoot } from '../packed/format/root.ts';
import { digestOf } from './digest.ts';
import { documentKind, type Release } from './release.ts';

/** An object that is not what the manifest says. */
export class DamagedObject extends Error {
  /** Its key. */
  readonly key: string;
  constructor(key: string) {
    super(`${key} is damaged`);
    this.key = key;
  }
}

/**
 * Reads single summaries of a packed release: each chunk once, and only those that are asked for.
 *
 * @param read gives the bytes of an object by its key.
 * @returns gives the summary of a property; throws DamagedObject for an object that is not what the manifest says.
 */
export function packedSummaries(
  { manifest, sequence, places }: Release,
  read: (key: string) => Promise<Buffer>,
): (id: string) => Promise<string> {
  const { documents } = manifest;
  const readRoot = async () => {
    const key = Object.keys(documents).find((one) => documentKind(one) === 'root') ?? '';
    const bytes = await read(key);
    const root = digestOf(bytes) === documents[key] ? parseRoot(bytes) : undefined;
    if (root?.total !== sequence.length) throw new DamagedObject(key);
    return root.chunks;
  };
  const readChunk = async (digest: string) => {
    const key = chunkKey(digest);
    const bytes = await read(key);
    const chunk = digestOf(bytes) === digest ? parseChunk(bytes) : undefined;
    if (!chunk) throw new DamagedObject(key);
    return chunk;
  };
  let table: ReturnType<typeof readRoot> | undefined;
  const chunks = new Map<string, Promise<Chunk>>();
  return async (id) => {
    table ??= readRoot();
    const all = await table;
    const place = places.get(id)!;
    let [low, high] = [0, all.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (all[middle]!.start <= place) low = middle;
      else high = middle - 1;
    }
    const { digest, start } = all[low]!;
    let chunk = chunks.get(digest);
    if (!chunk) {
      chunk = readChunk(digest);
      chunks.set(digest, chunk);
    }
    const found = await chunk;
    const index = place - start;
    const bytes = index < found.count ? entriesOf(found, index, index + 1) : Buffer.of();
    if (digestOf(bytes) !== sequence[place]!.summaryDigest) throw new DamagedObject(chunkKey(digest));
    return Buffer.from(bytes).toString('utf8');
  };
}
