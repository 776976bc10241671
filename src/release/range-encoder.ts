/** Encodes ranges of a sequence, except those whose digest is known from the last release. */
import { createHash } from 'node:crypto';
import { WIDTH } from './columns.ts';
import { digestOf } from './digest.ts';

/** Digests of encoded ranges, by the SHA-256 of what decides their bytes. */
export type KnownDigests = ReadonlyMap<string, string>;

export type RangeEncoder = {
  /** Digests of the ranges so far. */
  readonly digests: KnownDigests;
  /**
   * Encodes a range on demand.
   *
   * @param columns those that decide its bytes.
   */
  readonly encode: (
    columns: readonly Uint8Array[],
    start: number,
    end: number,
    bytes: () => Uint8Array,
  ) => { readonly digest: string; readonly content: () => Uint8Array };
};

export function createRangeEncoder(known: KnownDigests = new Map()): RangeEncoder {
  const digests = new Map<string, string>();
  return {
    digests,
    encode(columns, start, end, bytesOf) {
      const hash = createHash('sha256');
      for (const column of columns) hash.update(column.subarray(WIDTH * start, WIDTH * end));
      const cause = hash.digest('hex');
      const bytes = known.has(cause) ? undefined : bytesOf();
      const digest = bytes ? digestOf(bytes) : known.get(cause)!;
      digests.set(cause, digest);
      return { digest, content: () => bytes ?? bytesOf() };
    },
  };
}
