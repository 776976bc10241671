/** The digest of an object does not depend on how it is read. */
import { expect, it } from 'vitest';
import { bodyDigest } from '../../src/publish/body-digest.ts';
import { digestOf } from '../../src/release/digest.ts';
import { PART_SIZE } from '../../src/storage/body.ts';
import type { LargeBody } from '../../src/storage/bucket.ts';

/** A large body, and the ranges that were read of it. */
function largeOf(bytes: Buffer) {
  const ranges: [from: number, to: number][] = [];
  const body: LargeBody = {
    size: bytes.length,
    async read(from, to) {
      ranges.push([from, to]);
      return bytes.subarray(from, to);
    },
  };
  return { body, ranges };
}

it('hashes a few bytes in one piece', async () => {
  const bytes = Buffer.from('some bytes');
  const { body, ranges } = largeOf(bytes);
  expect(await bodyDigest(bytes)).toBe(digestOf(bytes));
  expect(await bodyDigest(body)).toBe(digestOf(bytes));
  expect(ranges).toEqual([[0, 10]]);
});

it('hashes a body that is too large for memory part by part', async () => {
  const bytes = Buffer.alloc(2 * PART_SIZE + 3, 'property ');
  const { body, ranges } = largeOf(bytes);
  expect(await bodyDigest(body)).toBe(digestOf(bytes));
  expect(ranges).toEqual([
    [0, PART_SIZE],
    [PART_SIZE, 2 * PART_SIZE],
    [2 * PART_SIZE, 2 * PART_SIZE + 3],
  ]);
  const exact = largeOf(bytes.subarray(0, PART_SIZE));
  expect(await bodyDigest(exact.body)).toBe(digestOf(bytes.subarray(0, PART_SIZE)));
  expect(exact.ranges).toEqual([[0, PART_SIZE]]);
});
