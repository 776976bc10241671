/** The order of ids has no limit that a catalogue could reach (D5). */
import { expect, it } from 'vitest';
import { DIGEST_BYTES, indexesById } from '../../src/release/sequence-columns.ts';

it('is right for more than 2,097,152 properties', () => {
  const length = 2 ** 21 + 3;
  const ids = Buffer.alloc(DIGEST_BYTES * length);
  // Ids with the same first digits are next to each other in the order, and apart in the sequence.
  for (let place = 0; place < length; place++) {
    ids.writeUInt32BE((Math.imul(place, 2_654_435_761) >>> 1) * 2, DIGEST_BYTES * place);
    ids.writeUInt32BE(length - place, DIGEST_BYTES * place + 4);
  }
  const order = indexesById({ ids });
  expect(new Set(order).size).toBe(length);
  const idAt = (index: number) =>
    ids.subarray(DIGEST_BYTES * order[index]!, DIGEST_BYTES * (order[index]! + 1));
  let wrong = 0;
  for (let index = 1; index < length; index++) if (Buffer.compare(idAt(index - 1), idAt(index)) >= 0) wrong++;
  expect(wrong).toBe(0);
});
