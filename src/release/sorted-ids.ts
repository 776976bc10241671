/** The ids of a release in ascending order, in little memory. */
import type { SequenceView } from './pieces.ts';
import { digitsOf, uuidOf } from './uuid-v5.ts';

/** Bytes of an id. */
const WIDTH = 16;

/** Ids in ascending order. */
export type SortedIds = {
  readonly length: number;
  /** The id at a place from 0; undefined from `length` on. */
  readonly at: (place: number) => string | undefined;
};

/** The ids of a sequence in ascending order. Their bytes are held: as texts they would take four times the memory. */
export function sortedIds(sequence: SequenceView): SortedIds {
  const { length } = sequence;
  const bytes = Buffer.alloc(WIDTH * length);
  let offset = 0;
  for (const { id } of sequence) offset += bytes.write(digitsOf(id), offset, 'hex');
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const compare = (a: number, b: number) => {
    // A sixth of the time that comparing buffers takes.
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
