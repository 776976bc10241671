/** A change of one property changes few chunks and parts of the downloads. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Division,
  divideDownloads,
  PART_BYTES,
  PARTS_ABOVE,
} from '../../../src/build/write/bulk-chunks.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { type Entry, joinSummaries, toSequence } from '../../../src/release/sequence.ts';
import { entry } from '../../release/made-up-sequence.ts';

const COUNT = 5000;
const LIMITS = { above: 16_000, part: 400_000 };

const made = (n: number, title = `House ${n}`, bytes = 300): Entry => {
  // As random as real ids, and the same in every run.
  const hex = digestOf(String(n));
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
  return { ...entry(id, 'IE', 'Cork', title, title), detailBytes: bytes + title.length };
};

const divide = (sequence: readonly Entry[], limits = LIMITS): Division =>
  divideDownloads(sequence, joinSummaries(sequence.map(({ summary }) => summary)), limits);
const chunksOf = (division: Division) => division.parts.flatMap(({ chunks }) => chunks);
/** Those of the second list that are absent from the first. */
const fresh = <Item extends { digest: string }>(before: readonly Item[], after: readonly Item[]) => {
  const known = new Set(before.map(({ digest }) => digest));
  return after.filter(({ digest }) => !known.has(digest));
};

const before = toSequence(Array.from({ length: COUNT }, (_, n) => made(n)));
const divided = divide(before);

describe('the downloads', () => {
  it('are in one part until they are large', () => {
    expect(PARTS_ABOVE).toBe(16_000_000);
    expect(PART_BYTES).toBe(8_000_000);
    const lines = before.reduce((sum, { detailBytes }) => sum + detailBytes + 46, 0);
    expect(divide(before, { ...LIMITS, above: lines })).toMatchObject({
      isLarge: false,
      parts: { length: 1 },
    });
    expect(divide(before, { ...LIMITS, above: lines - 1 }).isLarge).toBe(true);
    expect(divide([])).toMatchObject({ isLarge: false, parts: [{ chunks: [] }] });
  });

  it('are covered by their chunks in order, and no part is too large', () => {
    expect(divided.parts.length).toBeGreaterThan(8);
    const chunks = chunksOf(divided);
    expect(chunks.map(({ start }) => start)).toEqual([0, ...chunks.map(({ end }) => end).slice(0, -1)]);
    expect(chunks.at(-1)!.end).toBe(COUNT);
    for (const { chunks: stretch } of divided.parts) {
      const members = before.slice(stretch[0]!.start, stretch.at(-1)!.end);
      const bytes = members.reduce((sum, one) => sum + one.detailBytes + one.summary.length + 400, 0);
      expect(bytes).toBeLessThanOrEqual(LIMITS.part);
    }
  });

  it('have no part above the limit, however large a property is', () => {
    const sizes = fc.array(fc.constantFrom(100, 1000, 30_000, 399_000), { minLength: 300, maxLength: 300 });
    fc.assert(
      fc.property(sizes, (bytes) => {
        const sequence = toSequence(bytes.map((one, n) => made(n, `House ${n}`, one)));
        for (const { chunks } of divide(sequence).parts) {
          const members = sequence.slice(chunks[0]!.start, chunks.at(-1)!.end);
          const sum = members.reduce((of, one) => of + one.detailBytes + one.summary.length + 400, 0);
          expect(sum <= LIMITS.part || members.length === 1).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('a change', () => {
  const at = fc.nat(COUNT - 1);

  it('of one title changes one chunk, and at most two parts', () => {
    fc.assert(
      fc.property(at, fc.nat(250), (place, length) => {
        const after = before.map((one, n) =>
          // Its place in the sequence stays: a moved title would be a removal and an insertion.
          n === place
            ? {
                ...one,
                summary: `${one.summary}${'x'.repeat(length)}`,
                detailDigest: 'new',
                detailBytes: one.detailBytes + length,
              }
            : one,
        );
        const changed = divide(after);
        expect(fresh(chunksOf(divided), chunksOf(changed))).toHaveLength(1);
        expect(fresh(divided.parts, changed.parts).length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 100 },
    );
  });

  it('that makes a part too long divides it', () => {
    const { chunks } = divided.parts[1]!;
    const place = chunks[3]!.start;
    const after = before.map((one, n) =>
      n === place ? { ...one, detailDigest: 'new', detailBytes: LIMITS.part } : one,
    );
    expect(fresh(divided.parts, divide(after).parts).length).toBeGreaterThan(1);
  });

  it('that moves a property changes two parts, or three where it was the last of one, while all parts fit', () => {
    const roomy = { ...LIMITS, part: 8_000_000 };
    const many = toSequence(Array.from({ length: 2 * COUNT }, (_, n) => made(n)));
    const { parts } = divide(many, roomy);
    expect(parts.length).toBeGreaterThan(2);
    const lasts = parts.slice(0, -1).map(({ chunks }) => chunks.at(-1)!.end - 1);
    fc.assert(
      fc.property(
        fc.oneof(fc.constantFrom(...lasts), fc.nat(2 * COUNT - 1)),
        fc.nat(100_000),
        (place, other) => {
          const moved = { ...many[place]!, sortKey: made(other).sortKey };
          const after = divide(toSequence(many.with(place, moved)), roomy);
          const most = lasts.includes(place) ? 3 : 2;
          expect(fresh(parts, after.parts).length).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 25 },
    );
  });
});
