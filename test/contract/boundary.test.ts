import { describe, expect, it } from 'vitest';
import { endsChunk, MAX_CHUNK, MEAN_CHUNK, textHash } from '../../src/contract/boundary.ts';

const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

describe('textHash', () => {
  // FNV-1a of the bytes, then the finalizer of MurmurHash3, computed by another program.
  it.each([
    ['', 2872998923],
    ['Paris', 2178725458],
    ['東京', 1354228455],
  ])('of %j', (text, hash) => expect(textHash(text)).toBe(hash));
});

describe('endsChunk', () => {
  it('ends one in 256, also of ids that are counted up', () => {
    const count = 100_000;
    let ends = 0;
    for (let n = 0; n < count; n++) if (endsChunk(id(n), 1)) ends++;
    // Four standard deviations of a binomial distribution.
    const mean = count / MEAN_CHUNK;
    expect(Math.abs(ends - mean)).toBeLessThan(4 * Math.sqrt(mean));
  });

  it('ends a chunk that is as long as it may be', () => {
    const none = Array.from({ length: 9 }, (_, n) => id(n)).find((one) => !endsChunk(one, 1))!;
    expect(endsChunk(none, MAX_CHUNK - 1)).toBe(false);
    expect(endsChunk(none, MAX_CHUNK)).toBe(true);
  });
});
