/** A client reads the same lists and details from the tree of a release, wherever chunks end. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openReleaseTree, type ReleaseRoot } from '../../src/client/release-tree.ts';
import { rootKey } from '../../src/contract/object-keys.ts';
import { sortKey } from '../../src/contract/sort-order.ts';
import { makeTree, type Summary } from '../conformance/tree.ts';
import { idOf } from '../publish/made.ts';

const CITIES = ['Cork', 'cork', 'Córk', 'Newport', '東京', '😀', '\ufb01nn'];
const COUNTRIES = ['DE', 'FR', 'IE'];

const summaries: fc.Arbitrary<Summary[]> = fc
  .array(fc.tuple(fc.constantFrom(...COUNTRIES), fc.constantFrom(...CITIES)), { maxLength: 25 })
  .map((places) =>
    places
      .map(([country, city], n) => ({ id: idOf(n), title: `Stay ${n}`, city, country, thumbnail: null }))
      .sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1)),
  );

it('reads every page of every list', async () => {
  await fc.assert(
    fc.asyncProperty(
      summaries,
      fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
      async (list, isEnd) => {
        const ends = list.map((_, n) => n + 1).filter((end) => end === list.length || isEnd[end]);
        const details = new Map(list.map(({ id, title }) => [id, JSON.stringify({ title })]));
        const { files, release } = makeTree(list, details, 2, undefined, ends);
        const root = JSON.parse(files.get(rootKey(release))!.toString()) as ReleaseRoot;
        const tree = openReleaseTree(root, async (file) => new Uint8Array(files.get(file)!).buffer);
        for (const country of ['', ...COUNTRIES, 'XX'])
          for (const city of ['', ...CITIES, 'Nowhere'])
            for (const [page, size] of [
              [1, 3],
              [2, 3],
              [1, 100],
              [9, 100],
            ] as const) {
              const all = list.filter(
                (one) => (!country || one.country === country) && (!city || one.city === city),
              );
              const pagination = { current_page: page, per_page: size, total_entries: all.length };
              const data = all.slice((page - 1) * size, page * size);
              expect(await tree.page({ country, city, page, size })).toBe(
                JSON.stringify({ data, meta: { pagination } }),
              );
            }
        for (const [id, detail] of details) expect(await tree.detail(id)).toBe(detail);
        expect(await tree.detail(idOf(99))).toBeUndefined();
      },
    ),
    { numRuns: 30 },
  );
});
