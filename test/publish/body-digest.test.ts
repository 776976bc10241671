/** The digest of an object does not depend on how it is read. */
import { expect, it } from 'vitest';
import { bodyDigest } from '../../src/publish/body-digest.ts';
import { digestOf, digestOfParts } from '../../src/release/digest.ts';
import { PART } from '../../src/storage/body.ts';
import type { LargeBody } from '../../src/storage/bucket.ts';

const KEY = 'properties.ndjson';

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
  expect(await bodyDigest({}, KEY, bytes)).toBe(digestOf(bytes));
  expect(await bodyDigest({}, KEY, body)).toBe(digestOf(bytes));
  expect(ranges).toEqual([[0, 10]]);
});

it('hashes a large body by the parts of its manifest', async () => {
  const bytes = Buffer.from('one,two,three');
  const digest = digestOfParts(['one,', 'two,', 'three'].map((part) => digestOf(part)));
  const { body, ranges } = largeOf(bytes);
  const parts = { [KEY]: [4, 4, 5] };
  expect(await bodyDigest({ parts }, KEY, bytes)).toBe(digest);
  expect(await bodyDigest({ parts }, KEY, body)).toBe(digest);
  expect(ranges).toEqual([
    [0, 4],
    [4, 8],
    [8, 13],
  ]);
  // Parts of another key, or of another length, do not fit these bytes.
  for (const other of [{ other: [4, 4, 5] }, { [KEY]: [4, 4] }, { [KEY]: [13, 1] }])
    expect(await bodyDigest({ parts: other }, KEY, body)).toBe(digestOf(bytes));
  expect(await bodyDigest({ parts }, 'toString', body)).toBe(digestOf(bytes));
});

it('hashes a body that is too large for memory part by part', async () => {
  const bytes = Buffer.alloc(2 * PART + 3, 'property ');
  const { body, ranges } = largeOf(bytes);
  expect(await bodyDigest({}, KEY, body)).toBe(digestOf(bytes));
  expect(ranges).toEqual([
    [0, PART],
    [PART, 2 * PART],
    [2 * PART, 2 * PART + 3],
  ]);
  const exact = largeOf(bytes.subarray(0, PART));
  expect(await bodyDigest({}, KEY, exact.body)).toBe(digestOf(bytes.subarray(0, PART)));
  expect(exact.ranges).toEqual([[0, PART]]);
  const first = PART + 5;
  const parts = { [KEY]: [first, bytes.length - first] };
  const digest = digestOfParts(
    [bytes.subarray(0, first), bytes.subarray(first)].map((part) => digestOf(part)),
  );
  ranges.length = 0;
  expect(await bodyDigest({ parts }, KEY, body)).toBe(digest);
  expect(ranges).toEqual([
    [0, PART],
    [PART, first],
    [first, first + PART - 2],
  ]);
});
