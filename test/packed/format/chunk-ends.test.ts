import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../scripts/random.ts';
import {
  chunkEnds,
  MAX_CHUNK,
  MEAN_CHUNK,
  MIN_CHUNK,
  textHash,
} from '../../../src/packed/format/chunk-ends.ts';

const id = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

describe('textHash', () => {
  // FNV-1a of the bytes, then the finalizer of MurmurHash3, computed by another program.
  it.each([
    ['', 2872998923],
    ['Paris', 2178725458],
    ['東京', 1354228455],
  ])('of %j', (text, hash) => expect(textHash(text)).toBe(hash));
});

describe('chunkEnds', () => {
  /** Real ids, and ids that are marks or are not, to produce every density of marks. */
  const ids = Array.from({ length: 40_000 }, (_, n) => id(n));
  const marks = ids.filter((one) => (textHash(one) & 127) === 0);
  const others = ids.filter((one) => (textHash(one) & 127) !== 0);

  const chunksOf = (list: readonly string[]) =>
    chunkEnds(list.map((one) => ({ id: one }))).map((end, index, ends) =>
      list.slice(ends[index - 1] ?? 0, end),
    );
  const lengthsOf = (list: readonly string[]) => chunksOf(list).map(({ length }) => length);
  /** Ids of which about one in `every` is a mark; 0: no marks. */
  const recipe = fc.record({
    length: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 3_000 })),
    every: fc.constantFrom(0, 12, 30, 88, 89, 90, 128, 128, 128, 500),
    seed: fc.nat(),
  });
  type Recipe = { length: number; every: number; seed: number };
  const make = ({ length, every, seed }: Recipe) => {
    const random = createRandom(seed);
    const [one, other] = [[...marks], [...others]];
    return Array.from({ length }, () => {
      const from = every > 0 && random() * every < 1 ? one : other;
      return from.splice(Math.floor(random() * from.length), 1)[0] ?? other.pop()!;
    });
  };
  /** Values of every kind that no list contains. */
  const [freshMark, freshOther] = [true, false].map(
    (isMark) =>
      Array.from({ length: 2_000 }, (_, n) => id(100_000 + n)).find(
        (one) => ((textHash(one) & 127) === 0) === isMark,
      )!,
  ) as [string, string];

  it('makes chunks of 89 to 1,024 records, 256 on average, for consecutive ids too', () => {
    const lengths = lengthsOf(ids);
    expect(Math.min(...lengths.slice(0, -1))).toBeGreaterThanOrEqual(MIN_CHUNK);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(MAX_CHUNK);
    // Four standard deviations; that of a chunk is about 170.
    const mean = ids.length / lengths.length;
    expect(Math.abs(mean - MEAN_CHUNK)).toBeLessThan((4 * 170) / Math.sqrt(lengths.length));
  });

  it('makes chunks of 89 to 1,024 records for any sequence of at least 89 records', () => {
    fc.assert(
      fc.property(recipe, (by) => {
        const one = make(by);
        const chunks = chunksOf(one);
        expect(chunks.flat()).toEqual(one);
        for (const { length } of chunks) {
          expect(length).toBeGreaterThanOrEqual(Math.min(MIN_CHUNK, one.length));
          expect(length).toBeLessThanOrEqual(MAX_CHUNK);
        }
      }),
    );
    expect(chunksOf([])).toEqual([]);
  });

  it('changes at most two chunks when a record comes or goes, and four in a run that was divided', () => {
    // An end without a mark before it was put where a run was too long.
    const isDivided = (all: readonly string[]) =>
      chunkEnds(all.map((one) => ({ id: one })))
        .slice(0, -1)
        .some((end) => {
          const next = all.findIndex((one, index) => index >= end && (textHash(one) & 127) === 0);
          const isMark = (textHash(all[end - 1]!) & 127) === 0;
          return !isMark || (next >= 0 ? next + 1 : all.length) - end < MIN_CHUNK;
        });
    const changedBy = (before: readonly string[], after: readonly string[]) => {
      const old = new Set(chunksOf(before).map((chunk) => chunk.join()));
      return chunksOf(after).filter((chunk) => !old.has(chunk.join())).length;
    };
    let undivided = 0;
    fc.assert(
      fc.property(recipe, fc.nat(), fc.boolean(), (by, at, isMark) => {
        const all = make(by);
        const place = at % (all.length + 1);
        const fresh = isMark ? freshMark : freshOther;
        const larger = [...all.slice(0, place), fresh, ...all.slice(place)];
        const changed = Math.max(changedBy(all, larger), changedBy(larger, all));
        const isEither = isDivided(all) || isDivided(larger);
        // In none of these runs do more than two artificial ends fit on both sides of a new one.
        if (!isEither) {
          undivided++;
          expect(changed).toBeLessThanOrEqual(2);
        } else if (all.length <= 1_600) expect(changed).toBeLessThanOrEqual(4);
      }),
      { numRuns: 1_000 },
    );
    expect(undivided).toBeGreaterThan(500);
  });
});
