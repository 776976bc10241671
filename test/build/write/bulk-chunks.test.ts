/** Chunks of a sequence of which most is stored are those of any other one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Chunk, chunksOf, type WrittenChunk } from '../../../src/build/write/bulk-chunks.ts';
import { type Entry, toSequence } from '../../../src/release/sequence.ts';
import { fieldsOf, storable, store } from '../state/stored.ts';

const made = (n: number, title = `House ${n}`): Entry => storable(n.toString(16), 'IE', 'Cork', title);

const written = ({ start, end, digest }: Chunk): WrittenChunk => [
  digest,
  end - start,
  [1, ''],
  [1, ''],
  [1, ''],
];

const change = fc.record({
  kind: fc.constantFrom('title', 'move', 'remove', 'add'),
  at: fc.nat(699),
  text: fc.constantFrom('A', 'House 5', 'Z'),
});

it('gives the same chunks whether entries are stored or not', () => {
  const before = toSequence(Array.from({ length: 700 }, (_, n) => made(n)));
  const chunks = chunksOf(before);
  expect(chunks.length).toBeGreaterThan(10);
  const stored = store(before).entries;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 5 }), fc.nat(700), (changes, length) => {
      const after = new Map(stored.slice(0, length).map((one, n) => [before[n]!.id, one]));
      for (const { kind, at, text } of changes) {
        const number = Number.parseInt(before[at]!.id.slice(-12), 16);
        if (kind === 'title') after.set(before[at]!.id, made(number, `House ${number}`));
        else if (kind === 'move') after.set(before[at]!.id, made(number, text));
        else if (kind === 'remove') after.delete(before[at]!.id);
        else after.set(made(1_000 + at).id, made(1_000 + at, text));
      }
      const mixed = toSequence([...after.values()]);
      expect(chunksOf(mixed, chunks.map(written))).toEqual(chunksOf(mixed.map(fieldsOf)));
    }),
    { numRuns: 200 },
  );
});

it('looks at no entry of a chunk that is still there', () => {
  const before = toSequence(Array.from({ length: 700 }, (_, n) => made(n)));
  const chunks = chunksOf(before);
  const stored = store(before).entries;
  const looked = new Set<unknown>();
  for (const one of stored) {
    Object.defineProperty(one, 'id', {
      get: () => {
        looked.add(one);
        return before[stored.indexOf(one)]!.id;
      },
    });
  }
  const place = chunks[3]!.start;
  const after = stored.map((one, n) => (n === place ? made(9_999) : one));
  chunksOf(after, chunks.map(written));
  // Its own chunk, perhaps the next one, and the last one, which ended because the sequence did.
  expect(looked.size).toBeLessThan(300);
});
