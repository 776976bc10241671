/** The objects of a release follow from its root. */
import { describe, expect, it } from 'vitest';
import { isSharedObject } from '../../src/contract/object-kinds.ts';
import {
  countObjects,
  detailText,
  idInSummary,
  isSameDocument,
  objectAt,
  offersDownloads,
  readDetail,
  readIds,
  readSummaries,
  sharedKeys,
  storedHeadersOf,
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
  it('is the object that the release lists, for each of them', async () => {
    const objects = allObjects(release);
    for (const object of objects) expect(await objectAt(release, object.key)).toEqual(object);
    expect(countObjects(release)).toBe(objects.length + 1);
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
  ])('is none for %j', async (key) => {
    expect(await objectAt(release, key)).toBeUndefined();
  });

  it('is no page in a release without pages', async () => {
    const packed = makeSource({ properties, api: { layout: 'packed' } }).release;
    expect(await objectAt(packed, '_catalogue/pages/-/-/total')).toBeUndefined();
    expect(countObjects(packed)).toBe(allObjects(packed).length + 1);
  });
});

it('what a later release does not replace stays until its release is pruned', () => {
  const kept = allObjects(release).filter((object) => isSharedObject(object));
  expect(sharedKeys(release).sort()).toEqual(kept.map(({ key }) => key).sort());
  expect(new Set(kept.map(({ kind }) => kind))).toEqual(
    new Set(['root', 'images', 'media', 'asset', 'part', 'list', 'copy']),
  );
});

it('files that a key guards are in no shared cache', () => {
  const guarded = makeSource({ documents, properties, api: { api_keys: true } }).release;
  const list = '_catalogue/pages/-/-/total';
  expect(storedHeadersOf(guarded, list).cacheControl).not.toBe(storedHeadersOf(release, list).cacheControl);
  expect(storedHeadersOf(release, list).cacheControl).toBe(release.settings.cache_control.api);
});

it('no document differs for the same release of another commit', () => {
  const other = dated(SOURCE, '2026-11-20T09:00:00Z').release;
  const differing = Object.keys(release.documents).filter((key) => !isSameDocument(release, other, key));
  expect(differing).toEqual([]);
  expect(isSameDocument(undefined, release, 'openapi.json')).toBe(false);
});

it('index.json differs for each release, since it names it', () => {
  const index = (title: string) =>
    makeSource({ documents: { 'index.json': 'i' }, properties: [{ id: idOf(1), title }] }).release;
  const [one, other] = [index('House 1'), index('House 2')];
  expect(one.documents['index.json']).toBe(other.documents['index.json']);
  expect(isSameDocument(one, one, 'index.json')).toBe(true);
  expect(isSameDocument(one, other, 'index.json')).toBe(false);
});

it.each([
  ['datapackage.json', true],
  ['properties.ndjson', true],
  ['properties.csv', false],
])('a release with %s offers downloads: %s', (key, expected) => {
  expect(offersDownloads(makeSource({ documents: { [key]: 'd' }, properties }).release)).toBe(expected);
});

it('reads its properties from its tree', async () => {
  expect(await readIds(release)).toEqual([1, 2, 3].map(idOf));
  const summaries = await readSummaries(release, 1, 3);
  expect(summaries.map(idInSummary)).toEqual([idOf(2), idOf(3)]);
  expect(await detailText(release, idOf(2))).toBe(await SOURCE.detail(idOf(2)));
  expect(await readDetail(release, idOf(4))).toBeUndefined();
  await expect(detailText(release, idOf(4))).rejects.toThrow(idOf(4));
});
