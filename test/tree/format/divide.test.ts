/** A sequence is divided within limits, and a change of one item leaves most parts as they were. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHUNK_SIZES } from '../../../src/tree/format/chunk.ts';
import { divideByHash, type PartSizes } from '../../../src/tree/format/divide.ts';
import { textHash } from '../../../src/tree/format/text-hash.ts';

const SIZES: readonly PartSizes[] = [
  CHUNK_SIZES,
  { averageRun: 32, most: 256 },
  { averageRun: 64, most: 10 },
  { averageRun: 2 ** 31, most: 50 },
];

const partsOf = (hashes: readonly number[], sizes: PartSizes) =>
  divideByHash(Uint32Array.from(hashes), sizes).map((end, index, ends) =>
    hashes.slice(ends[index - 1] ?? 0, end).join(),
  );
const fresh = (before: readonly string[], after: readonly string[]) => {
  const known = new Set(before);
  return after.filter((part) => !known.has(part));
};

/** Hashes of which about one in `density` of that of random ones is a mark: marks close together, and far apart. */
const sequence = fc.constantFrom(...SIZES).chain((sizes) =>
  fc.record({
    sizes: fc.constant(sizes),
    hashes: fc
      .tuple(fc.integer({ min: 1, max: 3000 }), fc.constantFrom(0, 0.5, 1, 1, 1, 2, 8), fc.nat())
      .map(([length, density, seed]) =>
        Array.from({ length }, (_, n) => {
          const hash = textHash(`${seed} ${n}`);
          const isMark = textHash(`mark ${seed} ${n}`) / 2 ** 32 < density / sizes.averageRun;
          return isMark ? hash - (hash % sizes.averageRun) : hash | 1;
        }).map((hash) => hash >>> 0),
      ),
  }),
);

describe('divide', () => {
  it('makes parts within the limits, whatever the hashes are', () => {
    fc.assert(
      fc.property(sequence, ({ sizes, hashes }) => {
        const ends = divideByHash(Uint32Array.from(hashes), sizes);
        expect(ends.at(-1)).toBe(hashes.length);
        for (const [index, end] of ends.entries()) {
          const length = end - (ends[index - 1] ?? 0);
          expect(length).toBeGreaterThanOrEqual(1);
          expect(length).toBeLessThanOrEqual(sizes.most);
        }
      }),
    );
    expect(divideByHash(new Uint32Array(), CHUNK_SIZES)).toEqual([]);
  });

  it('makes chunks of similar sizes, 860 records on average', () => {
    const hashes = Uint32Array.from({ length: 400_000 }, (_, n) => textHash(`${n}`));
    const lengths = divideByHash(hashes, CHUNK_SIZES).map((end, index, ends) => end - (ends[index - 1] ?? 0));
    const mean = hashes.length / lengths.length;
    // Four standard deviations; that of a chunk is about 220.
    expect(Math.abs(mean - 860)).toBeLessThan((4 * 220) / Math.sqrt(lengths.length));
    // The chunk of a record.
    const met = lengths.reduce((sum, length) => sum + length * length, 0) / hashes.length;
    expect(met / mean).toBeLessThan(1.1);
  });

  it('changes at most two parts for a new or removed item, unless a run is too large', () => {
    let undivided = 0;
    fc.assert(
      fc.property(sequence, fc.nat(), fc.nat(), ({ sizes, hashes }, at, hash) => {
        const place = at % (hashes.length + 1);
        const larger = hashes.toSpliced(place, 0, at % 2 === 0 ? hash * sizes.averageRun : hash);
        const runs = [hashes, larger].map((each) =>
          partsOf(each, { ...sizes, most: Number.POSITIVE_INFINITY }),
        );
        const parts = [hashes, larger].map((each) => partsOf(each, sizes));
        for (const [before, after] of [
          [0, 1],
          [1, 0],
        ] as const) {
          const freshRuns = fresh(runs[before]!, runs[after]!);
          const freshParts = fresh(parts[before]!, parts[after]!);
          expect(freshRuns.length).toBeLessThanOrEqual(2);
          // Parts of other runs stay.
          for (const part of freshParts)
            expect(freshRuns.some((run) => `,${run},`.includes(`,${part},`))).toBe(true);
          if (parts[after]!.length > runs[after]!.length) continue;
          undivided++;
          expect(freshParts.length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 300 },
    );
    expect(undivided).toBeGreaterThan(100);
  });

  it('changes one part for most items where sizes alone divide, whatever the sizes are', () => {
    const sizes = { averageRun: 2 ** 31, most: 50 };
    const hashes = Array.from({ length: 2000 }, (_, n) => textHash(`${n}`) | 1).map((hash) => hash >>> 0);
    const all = partsOf(hashes, sizes);
    expect(all.length / (hashes.length / sizes.most)).toBeLessThan(1.7);
    let [additions, removals] = [0, 0];
    for (let place = 0; place < hashes.length; place++) {
      const smaller = partsOf(hashes.toSpliced(place, 1), sizes);
      additions += fresh(smaller, all).length;
      removals += fresh(all, smaller).length;
    }
    for (const changed of [additions, removals]) expect(changed / hashes.length).toBeLessThan(1.4);
  });

  it('divides a part that does not fit, however few items it has', () => {
    const weights = fc.array(fc.constantFrom(1, 5, 30, 99, 200), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(weights, (all) => {
        const weigh = (start: number, end: number) =>
          all.slice(start, end).reduce((sum, one) => sum + one, 0);
        const hashes = Uint32Array.from(all, (_, n) => textHash(`${n}`));
        const ends = divideByHash(
          hashes,
          { averageRun: 32, most: 256 },
          (start, end) => weigh(start, end) <= 100,
        );
        for (const [index, end] of ends.entries()) {
          const start = ends[index - 1] ?? 0;
          expect(end - start === 1 || weigh(start, end) <= 100).toBe(true);
        }
      }),
    );
  });
});
