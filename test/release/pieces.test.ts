/** Pieces of a sequence are read back as written, and few of them change with it. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom, randomUuid } from '../../scripts/random.ts';
import { chunkEnds } from '../../src/packed/format/chunk-ends.ts';
import type { Comparable } from '../../src/release/comparison.ts';
import { digestOf } from '../../src/release/digest.ts';
import {
  encodePiece,
  parsePiece,
  pieceEnds,
  placesIn,
  type SequencePiece,
  sortById,
  viewPieces,
} from '../../src/release/pieces.ts';

const digest = fc.string({ maxLength: 3 }).map(digestOf);
const entries: fc.Arbitrary<Comparable[]> = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    country: fc.constantFrom('DE', 'IE'),
    city: fc.constantFrom('Cork', '東京', '"a\\b"', '😀'),
    summaryDigest: digest,
    detailDigest: digest,
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);

function piecesOf(sequence: readonly Comparable[], ends: readonly number[]): SequencePiece[] {
  return ends.map((end, index) => {
    const bytes = encodePiece(sequence, ends[index - 1] ?? 0, end);
    return parsePiece(bytes, digestOf(bytes))!;
  });
}

describe('pieces', () => {
  const cut = fc
    .tuple(entries, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
    .map(([sequence, isEnd]): [Comparable[], number[]] => [
      sequence,
      sequence.map((_, index) => index + 1).filter((end) => end === sequence.length || isEnd[end]),
    ]);

  it('return every entry, in order and by its id, wherever they end', () => {
    fc.assert(
      fc.property(cut, fc.uuid(), ([sequence, ends], other) => {
        const pieces = piecesOf(sequence, ends);
        const view = viewPieces(pieces);
        const places = placesIn(pieces);
        expect([...view]).toEqual(sequence);
        expect([view.length, places.size]).toEqual([sequence.length, sequence.length]);
        sequence.forEach((entry, place) => {
          expect([view.at(place), places.get(entry.id)]).toEqual([entry, place]);
        });
        for (const place of [-1, sequence.length, Number.NaN]) expect(view.at(place)).toBeUndefined();
        expect(places.has(other)).toBe(sequence.some(({ id }) => id === other));
        for (const text of [`${other}0`, other.replaceAll('-', ''), '', sequence[0]?.id.slice(1) ?? ''])
          expect(places.get(text)).toBeUndefined();
      }),
    );
  });

  it('are rejected when they are cut short, longer, or of another kind', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (sequence, at) => {
        if (sequence.length === 0) return;
        const bytes = encodePiece(sequence, 0, sequence.length);
        expect(parsePiece(bytes.subarray(0, at % bytes.length), '')).toBeUndefined();
        expect(parsePiece(Buffer.concat([bytes, Buffer.from([0])]), '')).toBeUndefined();
        const head = Buffer.from(bytes);
        head[at % 12]! ^= 1;
        expect(parsePiece(head, '')).toBeUndefined();
      }),
    );
  });
});

describe('a sequence of 30,000', () => {
  const random = createRandom(7);
  const sequence = Array.from({ length: 30_000 }, (_, place): Comparable => {
    const id = randomUuid(random);
    return {
      id,
      country: 'IE',
      city: `City ${place >> 8}`,
      summaryDigest: digestOf(id),
      detailDigest: digestOf(''),
    };
  });
  const digestsOf = (list: readonly Comparable[]) =>
    new Set(piecesOf(list, pieceEnds(list, chunkEnds(list))).map((piece) => piece.digest));
  const before = digestsOf(sequence);
  const added = (list: readonly Comparable[]) =>
    [...digestsOf(list)].filter((one) => !before.has(one)).length;

  it('has its ids in ascending order', () => {
    const sorted = sortById(sequence);
    const ids = Array.from({ length: sorted.length }, (_, at) => sorted.at(at)?.id);
    expect(ids).toEqual(sequence.map(({ id }) => id).sort());
    expect(sorted.at(sorted.length)).toBeUndefined();
    expect(sortById([]).length).toBe(0);
  });

  it('has pieces of some thousand entries', () => {
    expect(before.size).toBeGreaterThan(5);
    expect(before.size).toBeLessThan(40);
  });

  it('changes one piece when an entry changes, and at most three when one comes or goes', () => {
    const place = fc.nat({ max: sequence.length - 1 });
    fc.assert(
      fc.property(place, place, (at, to) => {
        const changed = { ...sequence[at]!, summaryDigest: digestOf('another') };
        expect(added(sequence.with(at, changed))).toBe(1);
        expect(added(sequence.toSpliced(at, 1))).toBeLessThanOrEqual(3);
        expect(added(sequence.toSpliced(at, 1).toSpliced(to, 0, changed))).toBeLessThanOrEqual(6);
      }),
      { numRuns: 10 },
    );
  });
});
