/** A change of one property changes few chunks of the downloads. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chunksOf } from '../../../src/build/write/bulk-chunks.ts';
import { type Entry, toSequence } from '../../../src/release/sequence.ts';
import { entry } from '../../release/made-up-sequence.ts';

const made = (n: number, title = `House ${n}`): Entry => {
  const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  return entry(id, 'IE', 'Cork', title, title);
};

it('covers the sequence, and changes few chunks for one property that comes, goes or changes', () => {
  const before = toSequence(Array.from({ length: 700 }, (_, n) => made(n)));
  const chunks = chunksOf(before);
  expect(chunks.length).toBeGreaterThan(10);
  expect(chunks.map(({ start }) => start)).toEqual([0, ...chunks.map(({ end }) => end)].slice(0, -1));
  expect(chunks.at(-1)!.end).toBe(700);
  const known = new Set(chunks.map(({ digest }) => digest));
  const kinds = fc.constantFrom('title', 'remove', 'add');
  fc.assert(
    fc.property(kinds, fc.nat(699), (kind, at) => {
      const kept = before.filter((_, n) => kind === 'add' || n !== at);
      const after = toSequence(
        kind === 'remove' ? kept : [...kept, made(kind === 'add' ? 1_000 + at : at, 'New')],
      );
      const changed = chunksOf(after).filter(({ digest }) => !known.has(digest));
      // The chunk itself, one that it leaves or joins, and the last one, which ends with the sequence.
      expect(changed.length).toBeLessThanOrEqual(3);
    }),
  );
});
