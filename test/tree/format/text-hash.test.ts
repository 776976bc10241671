import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textHash, uuidHashes } from '../../../src/tree/format/text-hash.ts';

// FNV-1a of the bytes, then the finalizer of MurmurHash3, computed by another program.
it.each([
  ['', 2872998923],
  ['Paris', 2178725458],
  ['東京', 1354228455],
])('of %j', (text, hash) => expect(textHash(text)).toBe(hash));

it('of UUIDs is that of their texts', () => {
  fc.assert(
    fc.property(fc.array(fc.uuid()), (ids) => {
      const bytes = Buffer.from(ids.join('').replaceAll('-', ''), 'hex');
      expect([...uuidHashes(bytes)]).toEqual(ids.map(textHash));
    }),
  );
});
