import { expect, it } from 'vitest';
import { adviseLayout, type ReleaseSize } from '../../src/build/size.ts';

const plan = (pages: number): ReleaseSize => ({
  details: 1,
  pages,
  totals: 1_000,
  packed: 0,
  media: 0,
  documents: 1,
  files: pages + 1_002,
  pageBytes: 7,
  fullest: 1,
  bytes: 7,
  largest: 0,
});

it('advises the packed layout above 500,000 pages and totals, with both figures', () => {
  const summaries = { bytes: new Uint8Array(900), offsets: new Uint32Array(25) };
  expect(adviseLayout(plan(499_000), summaries, () => 5)).toBeUndefined();
  expect(adviseLayout(plan(499_001), summaries, () => 5)).toEqual({
    pages: { files: 500_001, bytes: 7 },
    packed: { files: 5, bytes: 1_000 },
  });
});
