/** Sorts the ids of a release in little memory. */
import type { SequenceView } from './pieces.ts';
import { digitsOf, uuidOf } from './uuid-v5.ts';

const WIDTH = 16;

export type SortedIds = {
  readonly length: number;
  /** Returns the id at an index from 0; undefined from `length` on. */
  readonly at: (place: number) => string | undefined;
};

/**
 * Returns the indexes of a sequence in the order of ids. Sorts numbers of the first eight digits and the index: a million
 * take a fifth of a second.
 */
export function orderOfIds(sequence: readonly { readonly id: string }[]): Uint32Array {
  const { length } = sequence;
  const keys = new Float64Array(length);
  for (let place = 0; place < length; place++)
    keys[place] = Number.parseInt(sequence[place]!.id.slice(0, 8), 16) * 2 ** 21 + place;
  keys.sort();
  const order = new Uint32Array(length);
  for (let index = 0; index < length; index++) {
    const place = keys[index]! % 2 ** 21;
    const { id } = sequence[place]!;
    let to = index;
    // Few ids have the same first digits.
    for (; to > 0 && sequence[order[to - 1]!]!.id > id; to--) order[to] = order[to - 1]!;
    order[to] = place;
  }
  return order;
}

/** Sorts the ids of a sequence. Keeps them as bytes: as texts they would take four times the memory. */
export function sortedIds(sequence: SequenceView): SortedIds {
  const { length } = sequence;
  const bytes = Buffer.alloc(WIDTH * length);
  let offset = 0;
  for (const { id } of sequence) offset += bytes.write(digitsOf(id), offset, 'hex');
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const compare = (a: number, b: number) => {
    // Takes a sixth of the time of comparing buffers.
    for (let word = 0; word < WIDTH; word += 4) {
      const difference = words.getUint32(a + word) - words.getUint32(b + word);
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const order = new Uint32Array(length).map((_, place) => WIDTH * place).sort(compare);
  return {
    length,
    at(place) {
      const start = order[place];
      return start === undefined ? undefined : uuidOf(bytes.toString('hex', start, start + WIDTH));
    },
  };
}
