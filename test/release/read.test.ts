/** A manifest from a bucket is data of others: one that is wrong is no release, and names nothing that a publisher may touch. */

import { constants } from 'node:buffer';
import { expect, it } from 'vitest';
import { chunkKey, citiesKey, rootKey } from '../../src/contract/object-keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import { parseManifest, readRelease } from '../../src/release/read.ts';
import { readIds } from '../../src/release/release.ts';
import { idOf, makeSource } from '../publish/made.ts';

const PROPERTIES = [1, 2, 3, 4].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'a' }));
const SOURCE = makeSource({ documents: { 'openapi.json': 'o' }, properties: PROPERTIES, ends: [2, 4] });
const DIGEST = digestOf('o');

/** The manifest with another value at a path. */
function edited(path: string, value: unknown): Buffer {
  const copy = JSON.parse(JSON.stringify(SOURCE.release.manifest)) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce<Record<string, unknown>>((at, name) => at[name] as typeof copy, copy);
  parent[last] = value;
  return Buffer.from(JSON.stringify(copy));
}

it.each<[string, unknown]>([
  ['api.page_sizes', 'all'],
  ['api.page_sizes', [1, 100]],
  ['api.layout', 'packed'],
  ['headers', undefined],
  ['documents', { 'docs/swagger-ui.js.LICENSE.txt': DIGEST, '404.html': DIGEST }],
  ['media', [`${DIGEST}.avif`]],
])('a manifest may have the %s %j', (path, value) => {
  expect(parseManifest(edited(path, value))).toBeDefined();
});

it.each<[string, unknown]>([
  ['version', 2],
  ['version', 5],
  ['version', 8],
  ['release', `${DIGEST}0`],
  ['build', 'none'],
  ['api.base', undefined],
  ['api.cache_control', { media: 'no-cache' }],
  ['api.page_sizes', 'some'],
  ['api.page_sizes', [0]],
  ['api.page_sizes', [1.5]],
  ['api.page_sizes', [25, -1]],
  ['api.layout', 'other'],
  ['headers', 'none'],
  ['documents', { 'openapi.json': 'o' }],
  ['documents', { '../openapi.json': DIGEST }],
  ['documents', { '/openapi.json': DIGEST }],
  ['documents', { 'a b': DIGEST }],
  ['documents', { 'robots.txt': DIGEST }],
  ['documents', { 'explorer/mine.js': DIGEST }],
  ['documents', { 'docs/guide.html': DIGEST }],
  ['media', ['hero.jpg']],
  ['documents', { 'a/': DIGEST }],
  ['documents', { '_catalogue/manifest.json': DIGEST }],
  ['documents', { '_catalogue/log/00000001.json': DIGEST }],
  ['documents', { '_catalogue/releases/1': DIGEST }],
  ['documents', { 'changes/index.json': DIGEST }],
  ['documents', { 'openapi.json': DIGEST, '_catalogue/properties/1.json': DIGEST }],
  ['documents', { '_catalogue/pages/-/-/total': DIGEST }],
  ['documents', { 'media/a.jpg': DIGEST }],
  ['media', ['a.jpg', '../a.jpg']],
  ['media', ['a.jpg/b']],
])('a manifest with the %s %j is refused', (path, value) => {
  expect(parseManifest(edited(path, value))).toBeUndefined();
});

it('a manifest may offer all sizes, and no pages', async () => {
  const read = async (key: string) => SOURCE.bodies.get(key);
  const open = async (path: string, value: unknown) => (await readRelease(edited(path, value), { read }))!;
  const { sizes } = await open('api.page_sizes', 'all');
  expect([sizes.length, sizes[0], sizes.at(-1)]).toEqual([100, 1, 100]);
  expect((await open('api.page_sizes', [25])).sizes).toEqual([25]);
  const packed = await open('api.layout', 'packed');
  expect([packed.hasPages, packed.scopes.size]).toEqual([false, 0]);
});

it.each(['', '{', 'null', '[]'])('%j is no manifest', (text) => {
  expect(parseManifest(Buffer.from(text))).toBeUndefined();
});

it('what is too large for a text is no manifest (B1)', () => {
  expect(parseManifest(Buffer.alloc(constants.MAX_STRING_LENGTH + 1))).toBeUndefined();
});

it('a release needs its root and tables, and each leaf that is read', async () => {
  const { bytes, root } = SOURCE.release;
  const read = async (key: string) => SOURCE.bodies.get(key);
  const whole = (await readRelease(bytes, { read }))!;
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
  for (const key of [rootKey(whole.name), citiesKey(root.shards[0]!.digest)]) {
    expect(await readRelease(bytes, { read: without(key) })).toBeUndefined();
    const partial = await readRelease(bytes, { read: without(key), isPartial: true });
    expect([partial!.name, partial!.scopes.size <= 1]).toEqual([whole.name, true]);
    expect((await readRelease(bytes, { read: without(key), known: [undefined, whole] }))!.scopes.size).toBe(
      whole.scopes.size,
    );
  }
  const damaged = await readRelease(bytes, { read: without(second!), leafError: (key) => new Error(key) });
  await expect(readIds(damaged!)).rejects.toThrow(second);
  const partial = await readRelease(bytes, { read: without(second!), isPartial: true });
  expect(await readIds(partial!)).toEqual(ids.slice(0, 2));
  const reused = await readRelease(bytes, { read: without(second!), known: [whole] });
  expect(await readIds(reused!)).toEqual(ids);
});
