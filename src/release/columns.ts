/** The ids and digests of a sequence as columns of bytes. */
import type { Comparable } from './comparison.ts';
import { digitsOf, uuidOf } from './uuid-v5.ts';

/** Bytes of an id, and of a digest. */
export const WIDTH = 16;

/** One value for each entry, in order; in shared memory, for threads. */
export type Columns = {
  readonly ids: Uint8Array;
  readonly summaryDigests: Uint8Array;
  readonly detailDigests: Uint8Array;
  /** Sizes of the details in bytes, as far as they are known; 0 otherwise. */
  readonly detailBytes: Uint32Array;
};

/** Columns as words of four bytes. */
export type ColumnWords = Readonly<Record<keyof Columns, Uint32Array>>;

/** An entry that has its values as bytes, and copies them faster than texts are parsed. */
export type Copied = { readonly copyTo: (columns: ColumnWords, place: number) => void };

type Known = Comparable & { readonly detailBytes?: number };

/** Collects the columns of a sequence. Ids must be UUIDs, and digests must have 32 hexadecimal digits. */
export function columnsOf(sequence: readonly (Known | (Known & Copied))[]): Columns {
  const column = () => Buffer.from(new SharedArrayBuffer(WIDTH * sequence.length));
  const columns = {
    ids: column(),
    summaryDigests: column(),
    detailDigests: column(),
    detailBytes: new Uint32Array(sequence.length),
  };
  const { ids, summaryDigests, detailDigests, detailBytes } = columns;
  const [id, summary, detail] = [ids, summaryDigests, detailDigests].map(
    ({ buffer }) => new Uint32Array(buffer),
  );
  const words = { ids: id!, summaryDigests: summary!, detailDigests: detail!, detailBytes };
  sequence.forEach((entry, place) => {
    if ('copyTo' in entry) {
      entry.copyTo(words, place);
      return;
    }
    columns.ids.write(digitsOf(entry.id), WIDTH * place, 'hex');
    columns.summaryDigests.write(entry.summaryDigest, WIDTH * place, 'hex');
    columns.detailDigests.write(entry.detailDigest, WIDTH * place, 'hex');
    columns.detailBytes[place] = entry.detailBytes ?? 0;
  });
  return columns;
}

export function idAt({ ids }: Pick<Columns, 'ids'>, place: number): string {
  const start = WIDTH * place;
  return uuidOf(Buffer.from(ids.buffer, ids.byteOffset).toString('hex', start, start + WIDTH));
}
