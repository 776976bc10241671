/** A document that is made in parts has the digest of their digests. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestOf, digestOfParts } from '../../src/release/digest.ts';
import { documentDigest } from '../../src/release/manifest.ts';

const part = fc.uint8Array({ minLength: 1, maxLength: 20 });

it('the digest of a document in parts is that of the digests of its parts', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), fc.nat(), part, (pieces, at, other) => {
      const parts = { file: pieces.map(({ length }) => length) };
      const bytes = Buffer.concat(pieces);
      const digest = digestOfParts(pieces.map(digestOf));
      expect(documentDigest({ parts }, 'file', bytes)).toBe(digest);
      expect(documentDigest({ parts }, 'file', Buffer.concat([bytes, other]))).not.toBe(digest);
      if (bytes.length === 0) return;
      expect(documentDigest({ parts }, 'file', bytes.subarray(1))).not.toBe(digest);
      const flipped = Buffer.from(bytes);
      flipped[at % flipped.length]! ^= 1 << (at % 8);
      expect(documentDigest({ parts }, 'file', flipped)).not.toBe(digest);
    }),
  );
});

it('the digest of every other document is that of its bytes, whatever its name is', () => {
  const bytes = Buffer.from('abc');
  for (const parts of [undefined, {}, { other: [3] }]) {
    for (const key of ['file', 'constructor', '__proto__']) {
      expect(documentDigest({ parts }, key, bytes)).toBe(digestOf(bytes));
    }
  }
});
