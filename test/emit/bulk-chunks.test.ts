/** Chunks of a sequence of which most is stored are those of any other one. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestOf } from '../../src/catalogue/digest.ts';
import { type Entry, toSequence } from '../../src/catalogue/sequence.ts';
import { type Chunk, chunksOf, type WrittenChunk } from '../../src/emit/bulk-chunks.ts';
import { sequenceLines } from '../../src/emit/manifest.ts';
import { joinSummaries } from '../../src/emit/page-files.ts';
import { openSequence } from '../../src/emit/stored-sequence.ts';
import { entry } from '../catalogue/made-up-sequence.ts';

function made(n: number, title = `House ${n}`): Entry {
  const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  const one = entry(id, 'IE', 'Cork', title, digestOf(`detail ${n}`));
  return { ...one, summaryDigest: digestOf(one.summary) };
}

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
  const stored = openSequence(Buffer.concat([...sequenceLines(before)]), joinSummaries(before)).entries;
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
      const plain = mixed.map(({ id, country, city, sortKey, summary, summaryDigest, detailDigest }) => ({
        id,
        country,
        city,
        sortKey,
        summary,
        summaryDigest,
        detailDigest,
      }));
      expect(chunksOf(mixed, chunks.map(written))).toEqual(chunksOf(plain));
    }),
    { numRuns: 200 },
  );
});

it('looks at no entry of a chunk that is still there', () => {
  const before = toSequence(Array.from({ length: 700 }, (_, n) => made(n)));
  const chunks = chunksOf(before);
  const stored = openSequence(Buffer.concat([...sequenceLines(before)]), joinSummaries(before)).entries;
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
