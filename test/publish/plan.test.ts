/** The plan computed from two releases equals a comparison of all objects. */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { COUNTRIES_KEY, cityListKey } from '../../src/contract/document-keys.ts';
import { CURRENT_KEY, propertyKey, rootKey } from '../../src/contract/object-keys.ts';
import { isSharedObject, type ReleaseObjectKind } from '../../src/contract/object-kinds.ts';
import {
  allWrites,
  isEmptyPlan,
  type PublishPlan,
  planFromReleases,
  withoutNewSharedObjects,
} from '../../src/publish/plan.ts';
import {
  objectAt,
  objectNamed,
  objectsOf,
  type Release,
  storedHeadersOf,
} from '../../src/release/release.ts';
import {
  allObjects,
  CACHING,
  contentOf,
  idOf,
  idsOfMade,
  inOrder,
  KINDS,
  type MadeSource,
  type Making,
  makeSource,
  photoKey,
} from './made.ts';

const PROBLEM = '_catalogue/problems/not-found.json';
const CITY_LIST = cityListKey('IE');
const APP = 'explorer/app-00000001.js';

const keysOf = (objects: Iterable<{ key: string }>) => [...objects].map(({ key }) => key);

/** Releases of which each has some of the same properties, in some of the same places. */
const making: fc.Arbitrary<Making> = fc
  .record({
    chosen: fc.uniqueArray(
      fc.record({
        n: fc.integer({ min: 1, max: 8 }),
        place: fc.constantFrom(
          ...([
            ['FR', 'Paris'],
            ['IE', 'Cork'],
            ['IE', 'Galway'],
            ['US', 'Paris'],
          ] as const),
        ),
        title: fc.constantFrom('One', 'Two'),
        photo: fc.constantFrom(undefined, 'a', 'b'),
        email: fc.constantFrom('old', 'new'),
      }),
      { selector: ({ n }) => n, maxLength: 8 },
    ),
    sizes: fc.subarray([1, 2, 3, 25], { minLength: 1 }),
    layout: fc.constantFrom('pages' as const, 'packed' as const),
    caching: fc.constantFrom({}, {}, { media: 'no-cache' }, { api: 'no-cache' }, { problem: 'no-cache' }),
    documents: fc.subarray(['openapi.json', 'index.json', COUNTRIES_KEY, CITY_LIST, PROBLEM, APP]),
    text: fc.constantFrom('old', 'new'),
  })
  .map(({ chosen, sizes, layout, caching, documents, text }) => ({
    api: { page_sizes: sizes, layout, cache_control: { ...CACHING, ...caching } },
    documents: {
      ...Object.fromEntries(documents.map((key) => [key, text])),
    },
    properties: inOrder(
      chosen.map(({ n, place: [country, city], ...rest }) => ({ id: idOf(n), country, city, ...rest })),
    ),
  }));

/** The comparison of two trees of files: keys to write, and keys to remove. */
async function compare(before: MadeSource, after: MadeSource) {
  const [old, now] = [await contentOf(before), await contentOf(after)];
  // Publishing writes it apart from the plan.
  for (const content of [old, now]) content.delete(CURRENT_KEY);
  const hasHeaders = (key: string) =>
    JSON.stringify(storedHeadersOf(before.release, key)) ===
    JSON.stringify(storedHeadersOf(after.release, key));
  return {
    written: [...now.keys()].filter((key) => old.get(key) !== now.get(key) || !hasHeaders(key)).sort(),
    removed: [...old.keys()]
      .filter((key) => !now.has(key) && !isSharedObject(objectNamed(before.release, key)!))
      .sort(),
  };
}

it('writes objects that are new or have other bytes or headers, and removes those that are gone and not kept', async () => {
  await fc.assert(
    fc.asyncProperty(making, making, async (one, other) => {
      const [before, after] = [makeSource(one), makeSource(other)];
      const plan = await planFromReleases(before.release, after.release);
      const writes = keysOf(allWrites(plan));
      const removals = [...plan.removals()];
      const expected = await compare(before, after);
      expect({ written: [...writes].sort(), removed: [...removals].sort() }).toEqual(expected);
      expect(new Set(writes).size).toBe(writes.length);
      const keys = keysOf([...allObjects(before.release), ...allObjects(after.release)]);
      expect(keys.filter((key) => plan.isPresent(key))).toEqual(
        (await Promise.all(keys.map((key) => objectAt(before.release, key)))).flatMap(
          (one) => one?.key ?? [],
        ),
      );
      expect(isEmptyPlan(plan)).toBe(writes.length + removals.length === 0);
      // Lists first: no list may name a removed property.
      const isDetail = removals.map((key) => key.startsWith('_catalogue/properties/'));
      expect(isDetail).toEqual([...isDetail].sort((a, b) => Number(a) - Number(b)));
      const ids = idsOfMade(after.release);
      const gone = idsOfMade(before.release).filter((id) => !ids.includes(id));
      expect(plan.goneProperties).toBe(gone.length);
      expect([plan.after, plan.strangers]).toEqual([after.release, undefined]);
      // Each object says what it is.
      const objects = KINDS.flatMap((kind) => [...plan.writes(kind)].map((object) => ({ ...object, kind })));
      expect(objects).toEqual(await Promise.all(objects.map(({ key }) => objectAt(after.release, key))));
    }),
    { numRuns: 20 },
  );
});

const DOCUMENTS = {
  'index.json': 'i',
  [COUNTRIES_KEY]: 'n',
  [CITY_LIST]: 'c',
  [PROBLEM]: 'p',
  [APP]: 'a',
};
const whole = (api: Making['api'] = {}, title = 'One') =>
  makeSource({
    ...{ api: { layout: 'pages', ...api }, documents: DOCUMENTS },
    properties: [{ id: idOf(1), title, photo: 'a' }],
  }).release;
const keysOfKinds = (kinds: readonly ReleaseObjectKind[]) =>
  keysOf(kinds.flatMap((kind) => [...objectsOf(whole(), kind)]));
const IMAGES = keysOfKinds(['images']);
const TREE = keysOfKinds(['part', 'list']);
const COPIES = keysOfKinds(['copy']);
const nothing = makeSource({ api: { layout: 'packed' }, properties: [] }).release;

it('writes an object before those that refer to it', async () => {
  const page = (folder: string, file: string) => `_catalogue/pages/${folder}/${file}`;
  const folders = ['-/-', 'IE/-', 'IE/436f726b', '-/436f726b'];
  expect(keysOf(allWrites(await planFromReleases(nothing, whole())))).toEqual([
    ...[rootKey(whole().name), ...IMAGES, photoKey('a'), APP, ...TREE, ...COPIES],
    propertyKey(idOf(1)),
    ...folders.map((folder) => page(folder, '2-1.json')),
    ...folders.map((folder) => page(folder, 'total')),
    ...[PROBLEM, CITY_LIST, COUNTRIES_KEY, 'index.json'],
  ]);
});

it('rewrites all objects of a group when only their headers changed', async () => {
  const written = async (caching: object) => {
    const after = whole({ cache_control: { ...CACHING, ...caching } });
    const keys = keysOf(allWrites(await planFromReleases(whole(), after)));
    // The settings are in the root, whose name is in the others.
    const named = [rootKey(after.name), 'index.json'];
    if (after.name !== whole().name) expect(keys).toEqual(expect.arrayContaining(named));
    return keys.filter((key) => !named.includes(key));
  };
  const pages = keysOf(allObjects(whole())).filter((key) => key.includes('/pages/'));
  expect(await written({})).toEqual([]);
  expect(await written({ problem: 'no-cache' })).toEqual([PROBLEM]);
  expect(await written({ media: 'no-cache' })).toEqual([...IMAGES, photoKey('a'), APP, ...TREE, ...COPIES]);
  expect(await written({ release: 'no-cache' })).toEqual([]);
  expect(await written({ api: 'no-cache' })).toEqual([
    propertyKey(idOf(1)),
    ...pages,
    CITY_LIST,
    COUNTRIES_KEY,
  ]);
});

it('a release that says nothing about headers differs from others, and requires none itself', async () => {
  const bare = { ...whole(), headers: {} };
  expect(keysOf(allWrites(await planFromReleases(bare, whole())))).toEqual(
    keysOf(allWrites(await planFromReleases(nothing, whole()))),
  );
  expect(isEmptyPlan(await planFromReleases(whole(), bare))).toBe(true);
});

it('writes and removes pages when only the page sizes change', async () => {
  const properties = [1, 2, 3].map((n) => ({ id: idOf(n), title: `House ${n}` }));
  const of = (...page_sizes: number[]) => makeSource({ api: { page_sizes }, properties }).release;
  const [one, two] = [of(1, 2), of(2, 3)];
  const plan = await planFromReleases(one, two);
  const names = (keys: Iterable<string>) => [...new Set([...keys].map((key) => key.split('/').at(-1)))];
  expect(names(keysOf(allWrites(plan)))).toEqual([`${two.name}.json`, '3-1.json']);
  expect(names(plan.removals())).toEqual(['1-1.json', '1-2.json', '1-3.json']);
});

it('never reads the scopes of a release without pages', async () => {
  const packed = (title: string): Release => {
    const properties = [1, 2, 3, 4].map((n) => ({ id: idOf(n), title: n === 4 ? title : `House ${n}` }));
    const { release } = makeSource({
      api: { layout: 'packed' },
      properties,
      ends: [2, 4],
    });
    const get = () => expect.unreachable('a release without pages has none');
    return Object.defineProperty({ ...release }, 'scopes', { get });
  };
  const plan = await planFromReleases(packed('House 4'), packed('Another title'));
  expect(keysOf(allWrites(plan))).not.toEqual([]);
  expect([...plan.removals()]).toEqual([]);
});

it('is empty only without writes and removals', async () => {
  const plan = await planFromReleases(whole(), whole());
  const [object] = allObjects(whole());
  expect(isEmptyPlan(plan)).toBe(true);
  expect(isEmptyPlan({ ...plan, removals: () => ['a'] })).toBe(false);
  expect(isEmptyPlan({ ...plan, writes: (kind) => (kind === 'media' ? [object!] : []) })).toBe(false);
  expect(isEmptyPlan({ ...plan, writes: (kind) => (kind === 'index' ? [object!] : []) })).toBe(false);
});

it('leaves out objects that the bucket keeps, unless their headers differ', async () => {
  const everything = await planFromReleases(nothing, whole());
  const kept = [rootKey(whole().name), ...IMAGES, photoKey('a'), APP, ...TREE, ...COPIES];
  const reduced = withoutNewSharedObjects(everything);
  expect(keysOf(allWrites(reduced))).toEqual(
    keysOf(allWrites(everything)).filter((key) => !kept.includes(key)),
  );
  const there: PublishPlan = { ...everything, isPresent: (key) => key === APP };
  expect(keysOf(allWrites(withoutNewSharedObjects(there))).filter((key) => kept.includes(key))).toEqual([
    APP,
  ]);
  expect(withoutNewSharedObjects(everything)).toMatchObject({ after: everything.after, goneProperties: 0 });
});
