import { expect, it } from 'vitest';
import { adviseLayout, countListFiles, type ReleaseSize } from '../../src/compile/release-size.ts';

const plan = (pages: number): ReleaseSize => ({
  details: 1,
  pages,
  totals: 1_000,
  tree: 5,
  media: 0,
  documents: 1,
  files: pages + 1_002,
  pageBytes: 7,
  largestFolder: 1,
  bytes: 7,
  largest: 0,
});

it('advises the packed layout and fewer page sizes above 20,000 pages and totals, with all figures', () => {
  const summaries = { bytes: new Uint8Array(900), offsets: new Uint32Array(25) };
  expect(adviseLayout(plan(19_000), summaries, () => 70)).toBeUndefined();
  expect(adviseLayout(plan(19_001), summaries, () => 70)).toEqual({
    pages: { files: 20_001, bytes: 7 },
    packed: { files: 5, bytes: 1_000 },
    few: 70,
  });
});

it('counts pages and totals with other page sizes', () => {
  const scope = (total: number) =>
    ({ total, runs: [] }) as unknown as Parameters<typeof countListFiles>[0][number];
  // A scope has a total, a page for each 25 entries, and one for each 100.
  expect(countListFiles([scope(100), scope(26)], [25, 100])).toBe(1 + 4 + 1 + 1 + 2 + 1);
});
