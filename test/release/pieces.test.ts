/** Pieces of a sequence are read back as written. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/release/columns.ts';
import type { Comparable } from '../../src/release/comparison.ts';
import { digestOf } from '../../src/release/digest.ts';
import {
  dividePieces,
  encodePiece,
  openPiece,
  parsePiece,
  placesIn,
  type SequencePiece,
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

const damaged = () => new Error('damaged');

function piecesOf(sequence: readonly Comparable[], ends: readonly number[]): SequencePiece[] {
  return ends.map((end, index) => {
    const bytes = encodePiece(sequence, columnsOf(sequence), ends[index - 1] ?? 0, end);
    return parsePiece(bytes, digestOf(bytes))!;
  });
}

it('divides a sequence of more than 1,000 entries', () => {
  const ids = (count: number) => Buffer.alloc(16 * count);
  expect(dividePieces({ ids: ids(1000) })).toEqual([]);
  expect(dividePieces({ ids: ids(1001) }).at(-1)).toBe(1001);
});

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

  it('are read on demand, and all of them only for an id that is in none of those', () => {
    fc.assert(
      fc.property(cut, fc.nat(), fc.uuid(), ([sequence, ends], at, other) => {
        if (sequence.length === 0) return;
        const read: string[] = [];
        const whole = piecesOf(sequence, ends);
        const pieces = ends.map((end, index) => {
          const bytes = encodePiece(sequence, columnsOf(sequence), ends[index - 1] ?? 0, end);
          const { digest: name } = whole[index]!;
          const count = end - (ends[index - 1] ?? 0);
          const open = () => {
            read.push(name);
            return bytes;
          };
          return openPiece(name, count, { read: open, damaged });
        });
        const [view, places] = [viewPieces(pieces), placesIn(pieces)];
        expect([view.length, places.size, read]).toEqual([sequence.length, sequence.length, []]);
        const place = at % sequence.length;
        expect(view.at(place)).toEqual(sequence[place]);
        const [first] = read;
        expect(places.get(sequence[place]!.id)).toBe(place);
        expect(read).toEqual([first]);
        expect(places.has(other)).toBe(sequence.some(({ id }) => id === other));
        expect(read.toSorted()).toEqual(whole.map((piece) => piece.digest).toSorted());
        for (const [index, { id }] of sequence.entries()) expect(places.get(id)).toBe(index);
        expect([...view]).toEqual(sequence);
        expect(read).toHaveLength(whole.length);
      }),
    );
  });

  it('are rejected when what is read on demand is absent, damaged or another one', () => {
    const sequence = Array.from({ length: 3 }, (_, n) => ({
      id: `00000000-0000-4000-8000-00000000000${n}`,
      ...{ country: 'IE', city: 'Cork', summaryDigest: digestOf('s'), detailDigest: digestOf('d') },
    }));
    const bytes = encodePiece(sequence, columnsOf(sequence), 0, 2);
    const others = encodePiece(sequence, columnsOf(sequence), 0, 3);
    const open = (body: Buffer | undefined, of = bytes) =>
      openPiece(digestOf(of), 2, { read: () => body, damaged });
    expect(open(bytes).content.records.length).toBe(2 * 48);
    for (const body of [undefined, bytes.subarray(1), others, Buffer.alloc(bytes.length)])
      expect(() => open(body).content).toThrow('damaged');
    // A piece of another length.
    expect(() => open(others, others).content).toThrow('damaged');
    expect(() => open(Buffer.from('SEQ1'), Buffer.from('SEQ1')).content).toThrow('damaged');
  });

  it('are loaded from a bucket before their use, once', async () => {
    const sequence = [{ id: '00000000-0000-4000-8000-000000000000', country: 'IE', city: 'Cork' }].map(
      (entry) => ({ ...entry, summaryDigest: digestOf('s'), detailDigest: digestOf('d') }),
    );
    const bytes = encodePiece(sequence, columnsOf(sequence), 0, 1);
    let loads = 0;
    const open = (body: Buffer | undefined) =>
      openPiece(digestOf(bytes), 1, {
        damaged,
        load: async () => {
          loads++;
          return body;
        },
      });
    const piece = open(bytes);
    expect(() => piece.content).toThrow('was not loaded');
    for (let time = 0; time < 2; time++) await piece.load?.();
    expect([...viewPieces([piece]), loads, piece.isRead]).toEqual([...sequence, 1, true]);
    for (const body of [undefined, bytes.subarray(1)])
      await expect(open(body).load?.()).rejects.toThrow('damaged');
  });

  it('are rejected when they are cut short, longer, or of another kind', () => {
    fc.assert(
      fc.property(entries, fc.nat(), (sequence, at) => {
        if (sequence.length === 0) return;
        const bytes = encodePiece(sequence, columnsOf(sequence), 0, sequence.length);
        expect(parsePiece(bytes.subarray(0, at % bytes.length), '')).toBeUndefined();
        expect(parsePiece(Buffer.concat([bytes, Buffer.from([0])]), '')).toBeUndefined();
        const head = Buffer.from(bytes);
        head[at % 12]! ^= 1;
        expect(parsePiece(head, '')).toBeUndefined();
        const table = Buffer.from(bytes);
        table[12] = 0;
        expect(parsePiece(table, '')).toBeUndefined();
        const oneLess = Buffer.from(bytes.subarray(0, -48));
        oneLess.writeUInt32LE(sequence.length - 1, 4);
        expect(parsePiece(oneLess, '')).toBeUndefined();
      }),
    );
    expect(parsePiece(encodePiece([], columnsOf([]), 0, 0), '')).toBeUndefined();
  });
});
