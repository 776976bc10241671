/** A stored sequence says what was stored, and stretches of it make the same bytes as entries do. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineStarts, openSequence, stretchesOf } from '../../../src/build/state/sequence.ts';
import { joinSummaries } from '../../../src/build/write/pages.ts';
import { sequenceLines } from '../../../src/release/manifest.ts';
import { type Entry, toSequence } from '../../../src/release/sequence.ts';
import { edited, entry } from '../../release/made-up-sequence.ts';
import { fieldsOf, storable, store } from './stored.ts';

/** The same entries with ids and digests as long as published ones. */
function allStorable(entries: readonly Entry[]): Entry[] {
  return toSequence(
    entries.map(({ id, country, city, summary, detailDigest }) =>
      storable(id, country, city, JSON.parse(summary).title, detailDigest),
    ),
  );
}

const pair = edited.map(([before, after]) => [allStorable(before), allStorable(after)] as const);

describe('openSequence', () => {
  it('gives the entries that were stored', () => {
    fc.assert(
      fc.property(pair, ([entries]) => {
        expect(store(entries).entries.map(fieldsOf)).toEqual(entries);
      }),
    );
  });

  it('reads more lines than are made a text at once, with and without letters of several bytes', () => {
    const entries = allStorable(
      Array.from({ length: 3_000 }, (_, n) => entry(String(n), 'IE', n < 1_500 ? 'Cork' : '東京', `T${n}`)),
    );
    expect(store(entries).entries.map(fieldsOf)).toEqual(entries);
  });

  it('refuses lines that do not go with the summaries', () => {
    const entries = allStorable([entry('1', 'IE', 'Cork', 'A'), entry('2', 'IE', 'Cork', 'B')]);
    const lines = Buffer.concat([...sequenceLines(entries)]);
    expect(() => openSequence(lines, joinSummaries(entries.slice(1)))).toThrow(RangeError);
    expect(() => openSequence(lines, joinSummaries([...entries, ...entries]))).toThrow(RangeError);
  });
});

describe('a sequence of stored and other entries', () => {
  it('makes the bytes that it would make if none were stored', () => {
    fc.assert(
      fc.property(pair, ([before, after]) => {
        const known = new Map(store(before).entries.map((each) => [JSON.stringify(fieldsOf(each)), each]));
        const mixed = after.map((each) => known.get(JSON.stringify(each)) ?? each);
        expect(Buffer.concat([...sequenceLines(mixed)])).toEqual(Buffer.concat([...sequenceLines(after)]));
        const [joined, expected] = [joinSummaries(mixed), joinSummaries(after)];
        expect(Buffer.from(joined.bytes)).toEqual(Buffer.from(expected.bytes));
        expect([...joined.offsets]).toEqual([...expected.offsets]);
      }),
      { numRuns: 500 },
    );
  });

  it('is divided where entries do not follow each other in what is stored', () => {
    const { entries } = store(
      allStorable(['A', 'B', 'C', 'D'].map((title, n) => entry(`${n}`, 'IE', 'Ulm', title))),
    );
    const [a, b, c, d] = entries;
    const other = entry('9', 'IE', 'Ulm', 'E');
    const ranges = (list: unknown[]) =>
      [...stretchesOf(list)].map(({ from, to, stored, place }) => [from, to, stored ? place : undefined]);
    expect(ranges([a, b, c, d])).toEqual([[0, 4, 0]]);
    expect(ranges([a, c, d, other, other, b])).toEqual([
      [0, 1, 0],
      [1, 3, 2],
      [3, 5, undefined],
      [5, 6, 1],
    ]);
    const again = store(allStorable([entry('1', 'IE', 'Ulm', 'A')])).entries[0];
    expect(ranges([a, again])).toEqual([
      [0, 1, 0],
      [1, 2, 0],
    ]);
  });
});

it('finds lines, and says when there are fewer or more', () => {
  expect([...lineStarts(Buffer.from('a\n\nbc\n'), 3)]).toEqual([0, 2, 3, 6]);
  expect([...lineStarts(Buffer.alloc(0), 0)]).toEqual([0]);
  expect(() => lineStarts(Buffer.from('a\n'), 2)).toThrow(RangeError);
  expect(() => lineStarts(Buffer.from('a\nb\n'), 1)).toThrow(RangeError);
  expect(() => lineStarts(Buffer.from('a\nb'), 1)).toThrow(RangeError);
});
