/** A release is read from its root; damage anywhere is noticed. */

import { expect, it } from 'vitest';
import { chunkKey, citiesKey, imageListKey, rootKey } from '../../src/contract/object-keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import { parseWholeRoot, readRelease } from '../../src/release/read-release.ts';
import { readIds } from '../../src/release/release.ts';
import { UNKNOWN_BUILD } from '../../src/release/root-contents.ts';
import { idOf, makeSource, photoKey } from '../publish/made.ts';

const PROPERTIES = [1, 2, 3, 4].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'a' }));
const documents = { 'openapi.json': 'o' };
const SOURCE = makeSource({ documents, properties: PROPERTIES, ends: [2, 4] });
const CURRENT = { release: SOURCE.release.name, build: UNKNOWN_BUILD };
const read = async (key: string) => SOURCE.bodies.get(key);

it('has what was published', async () => {
  const build = { commit: 'a'.repeat(40), time: '2026-11-20T09:00:00Z' };
  const whole = (await readRelease({ ...CURRENT, build }, { read }))!;
  const { documents, ...others } = SOURCE.release;
  expect({ ...whole, leaves: others.leaves }).toMatchObject({ ...others, build });
  expect(whole.documents).toEqual(documents);
  expect([...whole.media].map((name) => `media/${name}`)).toEqual([photoKey('a')]);
});

it('may offer all sizes, and no pages', async () => {
  const open = async (api: Parameters<typeof makeSource>[0]['api']) => {
    const { release, bodies } = makeSource({ documents, properties: PROPERTIES, api });
    return (await readRelease(
      { release: release.name, build: UNKNOWN_BUILD },
      { read: async (key) => bodies.get(key) },
    ))!;
  };
  const { sizes } = await open({ page_sizes: 'all' });
  expect([sizes.length, sizes[0], sizes.at(-1)]).toEqual([100, 1, 100]);
  expect((await open({ page_sizes: [25] })).sizes).toEqual([25]);
  const packed = await open({ layout: 'packed' });
  expect([packed.hasPages, packed.scopes.size]).toEqual([false, 0]);
});

it('a root of another name, or one that breaks off, is none', () => {
  const { rootBytes, name } = SOURCE.release;
  expect(parseWholeRoot(rootBytes, name)?.root.total).toBe(4);
  expect(parseWholeRoot(rootBytes, digestOf('other'))).toBeUndefined();
  for (const text of [
    rootBytes.toString('utf8').slice(0, -2),
    rootBytes.toString('utf8').replace('"layout":"pages"', '"layout":"leaves"'),
    rootBytes.toString('utf8').replace('"version":3', '"version":2'),
    '',
  ])
    expect(parseWholeRoot(Buffer.from(text), digestOf(text)), text.slice(0, 50)).toBeUndefined();
});

it('a release needs its root, tables and lists of images, and each leaf that is read', async () => {
  const { root, images } = SOURCE.release;
  const whole = (await readRelease(CURRENT, { read }))!;
  const ids = PROPERTIES.map(({ id }) => id);
  expect(await readIds(whole)).toEqual(ids);
  expect([...whole.scopes]).toEqual([...SOURCE.release.scopes]);
  const [first, second] = root.chunks.map(({ digest }) => chunkKey(digest));
  const without =
    (...keys: string[]) =>
    async (key: string) => {
      if (!keys.includes(key)) return read(key);
      return key === second ? SOURCE.bodies.get(first!) : undefined;
    };
  const [rootAt, table, list] = [
    rootKey(whole.name),
    citiesKey(root.cityShards[0]!.digest),
    imageListKey(images[0]!),
  ];
  for (const key of [rootAt, table, list]) {
    expect(await readRelease(CURRENT, { read: without(key) }), key).toBeUndefined();
    const reused = await readRelease(CURRENT, { read: without(key), known: [undefined, whole] });
    expect([reused!.scopes.size, reused!.media.size]).toEqual([whole.scopes.size, 1]);
  }
  const partialWithout = (key: string) => readRelease(CURRENT, { read: without(key), isPartial: true });
  expect(await partialWithout(rootAt)).toBeUndefined();
  expect((await partialWithout(table))!.scopes.size).toBe(0);
  expect((await partialWithout(list))!.media.size).toBe(0);
  const damaged = await readRelease(CURRENT, {
    read: without(second!),
    leafError: (key) => new Error(key),
  });
  await expect(readIds(damaged!)).rejects.toThrow(second);
  const partial = await readRelease(CURRENT, { read: without(second!), isPartial: true });
  expect(await readIds(partial!)).toEqual(ids.slice(0, 2));
  const reused = await readRelease(CURRENT, { read: without(second!), known: [whole] });
  expect(await readIds(reused!)).toEqual(ids);
});

it('a store that fails is no damage', async () => {
  for (const folder of ['roots', 'cities', 'images']) {
    const failing = async (key: string) => {
      if (key.startsWith(`_catalogue/${folder}/`)) throw new Error('the store fails');
      return read(key);
    };
    await expect(readRelease(CURRENT, { read: failing }), folder).rejects.toThrow('the store fails');
  }
});
