/** The objects of a release follow from its manifest. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isKept } from '../../src/contract/kinds.ts';
import {
  countObjects,
  differingEntries,
  entryOf,
  goneIds,
  headersOf,
  isManifestOf,
  keptKeys,
  objectAt,
  offersDownloads,
} from '../../src/release/release.ts';
import { allObjects, dated, idOf, makeSource, photoKey } from '../publish/made.ts';

const properties = [1, 2, 3].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'a' }));
const documents = {
  'openapi.json': 'o',
  'explorer/app-00000001.js': 'a',
  '_catalogue/countries/IE.json': 'c',
};
const SOURCE = makeSource({ documents, properties });
const { release } = SOURCE;

describe('the object at a key', () => {
  it('is the object that the release lists, for each of them', () => {
    const objects = allObjects(release);
    for (const object of objects) expect(objectAt(release, object.key)).toEqual(object);
    expect(countObjects(release)).toBe(objects.length);
  });

  it.each([
    photoKey('b'),
    `_catalogue/properties/${idOf(4)}.json`,
    `_catalogue/properties/${idOf(1)}.JSON`,
    '_catalogue/pages/-/-/2-3.json',
    '_catalogue/pages/-/-/3-1.json',
    '_catalogue/pages/-/-/2-0.json',
    '_catalogue/pages/-/-/index.json',
    '_catalogue/pages/FR/-/total',
    '_catalogue/pages/',
    'toString',
    '',
  ])('is none for %j', (key) => {
    expect(objectAt(release, key)).toBeUndefined();
  });

  it('is no page in a release without pages', () => {
    const packed = makeSource({ properties, api: { layout: 'packed' } }).release;
    expect(objectAt(packed, '_catalogue/pages/-/-/total')).toBeUndefined();
    expect(countObjects(packed)).toBe(allObjects(packed).length);
  });
});

it('what a later release does not replace stays until its release is pruned', () => {
  const kept = allObjects(release).filter((object) => isKept(object));
  expect(keptKeys(release.manifest).sort()).toEqual(kept.map(({ key }) => key).sort());
  expect(new Set(kept.map(({ kind }) => kind))).toEqual(
    new Set(['root', 'media', 'asset', 'part', 'packed']),
  );
});

it('files that a key guards are in no shared cache', () => {
  const guarded = makeSource({ documents, properties, api: { api_keys: true } }).release;
  const list = '_catalogue/pages/-/-/total';
  expect(headersOf(guarded, list).cacheControl).not.toBe(headersOf(release, list).cacheControl);
  expect(headersOf(release, list).cacheControl).toBe(release.manifest.api.cache_control.api);
});

it('the same release of another commit has another manifest', () => {
  expect(isManifestOf(release, release)).toBe(true);
  expect(isManifestOf(dated(SOURCE, '2026-11-20T09:00:00Z').release, release)).toBe(false);
  expect(isManifestOf(undefined, release)).toBe(false);
});

it.each([
  ['datapackage.json', true],
  ['properties.ndjson', true],
  ['properties.csv', false],
])('a release with %s offers downloads: %s', (key, expected) => {
  expect(offersDownloads(makeSource({ documents: { [key]: 'd' }, properties }).release)).toBe(expected);
});

it('finds the entry of a property', () => {
  expect(entryOf(release, idOf(2))).toMatchObject({ id: idOf(2), country: 'IE' });
  expect(entryOf(release, idOf(4))).toBeUndefined();
});

it('the entries that may differ are those of pieces that one release has alone', () => {
  const changed = [...properties.slice(0, 2), { ...properties[2]!, title: 'Rose Cottage' }];
  const [before, after] = [properties, changed].map(
    (list) => makeSource({ properties: list, ends: [2, 3] }).release,
  );
  const idsOf = (...[one, other]: Parameters<typeof differingEntries>) => {
    const found = differingEntries(one, other);
    return [found.before, found.after].map((entries) => [...entries].map(({ id }) => id));
  };
  expect(idsOf(before!, after!)).toEqual([[idOf(3)], [idOf(3)]]);
  const all = [1, 2, 3].map(idOf);
  expect(idsOf(before!, release)).toEqual([all, all]);
  expect(idsOf(release, before!)).toEqual([all, all]);
});

it('the properties that are gone are those of the one release that the other lacks, however the pieces end', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1 });
  const made = fc.tuple(numbers, fc.integer({ min: 1, max: 12 }), fc.boolean());
  const releaseOf = ([list, end, hasPieces]: [number[], number, boolean]) => {
    const ends = list.length > end ? [end, list.length] : [list.length];
    const own = list.sort((a, b) => a - b).map((n) => ({ id: idOf(n), title: `House ${n}` }));
    return makeSource({ properties: own, ...(hasPieces && { ends }) }).release;
  };
  fc.assert(
    fc.property(made, made, (before, after) => {
      const gone = before[0].filter((n) => !after[0].includes(n)).map(idOf);
      expect([...goneIds(releaseOf(before), releaseOf(after))].sort()).toEqual(gone.sort());
    }),
  );
});
