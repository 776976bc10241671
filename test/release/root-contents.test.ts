/** A root from a bucket is data of others: a damaged one is no release, and names nothing that a publisher may not touch. */

import { constants } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partKey } from '../../src/contract/document-keys.ts';
import {
  chunkKey,
  citiesKey,
  documentCopyKey,
  facetsKey,
  imageListKey,
  rootKey,
} from '../../src/contract/object-keys.ts';
import { digestOf } from '../../src/release/digest.ts';
import {
  digestsByKey,
  documentDigest,
  imageListCount,
  imageLists,
  indexFromTemplate,
  parseCurrent,
  parseImageList,
  parseRootContents,
  RELEASE_NAME_PLACEHOLDER,
  serializeCurrent,
  toIndexTemplate,
  UNKNOWN_BUILD,
} from '../../src/release/root-contents.ts';
import { idOf, makeSource } from '../publish/made.ts';

const SOURCE = makeSource({
  documents: { 'openapi.json': 'o', 'explorer/app-00000001.js': 'a' },
  properties: [1, 2].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'a' })),
});
const { release } = SOURCE;
const DIGEST = digestOf('o');

/** The root with another value at a path. */
function edited(path: string, value: unknown): Buffer {
  const copy = JSON.parse(release.rootBytes.toString('utf8')) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop()!;
  const parent = names.reduce<Record<string, unknown>>((at, name) => at[name] as typeof copy, copy);
  parent[last] = value;
  return Buffer.from(JSON.stringify(copy));
}

describe('the contents of a root', () => {
  it('are those that it was made of', () => {
    expect(parseRootContents(release.rootBytes)).toMatchObject({
      settings: release.settings,
      headers: release.headers,
      documents: { 'openapi.json': DIGEST },
      images: release.images,
    });
  });

  it.each<[string, unknown]>([
    ['settings.page_sizes', 'all'],
    ['settings.page_sizes', [1, 100]],
    ['settings.layout', 'packed'],
    ['settings.about', { title: 'Stays' }],
    ['settings.about', { title: 'Stays', description: 'By the sea', contact: { name: 'Anna' }, logo: 'l' }],
    ['settings.edge', '1.0.0-01234567'],
    ['documents', { 'docs/swagger-ui.js.LICENSE.txt': DIGEST, '404.html': DIGEST }],
    ['images', [DIGEST, digestOf('p')]],
  ])('may have the %s %j', (path, value) => {
    expect(parseRootContents(edited(path, value))).toBeDefined();
  });

  it.each<[string, unknown]>([
    ['settings', undefined],
    ['settings.base', undefined],
    ['settings.url', 1],
    ['settings.media_url', null],
    ['settings.api_keys', 'no'],
    ['settings.edge', 1],
    ['settings.about', {}],
    ['settings.about', { title: 'Stays', contact: { name: 1 } }],
    ['settings.about', { title: 'Stays', logo: 1 }],
    ['settings.cache_control', { media: 'no-cache' }],
    ['settings.cache_control', { api: 'no-cache', media: 1 }],
    ['settings.page_sizes', 'some'],
    ['settings.page_sizes', [0]],
    ['settings.page_sizes', [1.5]],
    ['settings.page_sizes', [101]],
    ['settings.page_sizes', [25, -1]],
    ['settings.layout', 'other'],
    ['headers', undefined],
    ['headers', 'none'],
    ['headers', { current: 1 }],
    ['documents', undefined],
    ['documents', []],
    ['documents', { 'openapi.json': 'o' }],
    ['documents', { 'openapi.json': [DIGEST] }],
    ['images', undefined],
    ['images', DIGEST],
    ['images', [`${DIGEST}0`]],
    ['images', [[DIGEST]]],
  ])('are refused with the %s %j', (path, value) => {
    expect(parseRootContents(edited(path, value))).toBeUndefined();
  });

  it.each([
    ...['../openapi.json', '/openapi.json', 'a b', 'a/', 'robots.txt', 'explorer/mine.js', 'docs/guide.html'],
    ...['_catalogue/current.json', '_catalogue/log/00000001.json', '_catalogue/releases.json'],
    ...['_catalogue/log/00000001.json', `_catalogue/statements/${DIGEST}.ndjson`],
    ...['changes/index.json', 'changes/2026-11.ndjson', '_previews/pr-1/_catalogue/current.json'],
    ...['_catalogue/properties/1.json', `_catalogue/properties/${idOf(1)}.json`],
    ...['_catalogue/pages/-/-/total', '_catalogue/pages/-/-/25-1.json', `media/${DIGEST}.jpg`, 'media/a.jpg'],
  ])('name no document %s, which a publish could remove', (key) => {
    expect(parseRootContents(edited('documents', { 'openapi.json': DIGEST, [key]: DIGEST }))).toBeUndefined();
  });

  it.each(['', '{', 'null', '[]', '1'])('are not %j', (text) => {
    expect(parseRootContents(Buffer.from(text))).toBeUndefined();
  });

  it('are not what is too large for a text (B1)', () => {
    expect(parseRootContents(Buffer.alloc(constants.MAX_STRING_LENGTH + 1))).toBeUndefined();
  });
});

it('a release has the documents of its root, the content of each, its tree, and its lists of images', () => {
  const { root, images } = release;
  const found = digestsByKey(parseRootContents(release.rootBytes)!, root);
  const [asset] = Object.keys(found).filter((key) => key.startsWith('explorer/'));
  expect(Object.keys(found).sort()).toEqual(
    [
      ...['openapi.json', asset!, documentCopyKey(DIGEST), rootKey(release.name)],
      ...root.chunks.map(({ digest }) => chunkKey(digest)),
      facetsKey(Buffer.from(root.facets, 'base64').toString('hex')),
      ...root.cityShards.map(({ digest }) => citiesKey(digest)),
      ...root.details.map(({ digest }) => partKey(digest)),
      ...images.map(imageListKey),
    ].sort(),
  );
  for (const [key, digest] of Object.entries(found))
    if (key !== 'openapi.json' && key !== asset) expect(key).toContain(digest);
});

describe('the template of index.json', () => {
  const index = Buffer.from(`{"release":"${DIGEST}","root":"${rootKey(DIGEST)}"}`);

  it('has no name, and gives the index of any', () => {
    const template = toIndexTemplate(index, DIGEST);
    expect(template.toString()).toBe(
      `{"release":"${RELEASE_NAME_PLACEHOLDER}","root":"${rootKey(RELEASE_NAME_PLACEHOLDER)}"}`,
    );
    expect(indexFromTemplate(template, DIGEST)).toEqual(index);
    const other = digestOf('other');
    expect(toIndexTemplate(indexFromTemplate(template, other), other)).toEqual(template);
  });

  it('has the digest by which a root names the index', () => {
    expect(documentDigest('index.json', index, DIGEST)).toBe(digestOf(toIndexTemplate(index, DIGEST)));
    expect(documentDigest('openapi.json', index, DIGEST)).toBe(digestOf(index));
  });
});

describe('lists of images', () => {
  const names = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => `${digestOf(`${from + n}`)}.${n % 2 ? 'jpg' : 'webp'}`).sort();
  const media = fc.record({ from: fc.nat(), count: fc.integer({ min: 0, max: 6000 }) });

  it('join to the names that they divide', () => {
    fc.assert(
      fc.property(media, ({ from, count }) => {
        const all = names(from, count);
        const lists = [...imageLists(all)];
        expect(lists.flatMap(({ bytes }) => parseImageList(bytes)!)).toEqual(all);
        expect(lists.length).toBe(imageListCount(all));
        for (const { digest, bytes } of lists) {
          expect(digest).toBe(digestOf(bytes));
          expect(parseImageList(bytes)!.length).toBeLessThanOrEqual(1024);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('change little with one image', () => {
    const all = names(0, 20_000);
    const digests = (of: readonly string[]) => [...imageLists(of)].map(({ digest }) => digest);
    const known = new Set(digests(all));
    expect(known.size).toBeGreaterThan(20);
    for (let at = 0; at < all.length; at += 2500) {
      const changed = digests(all.toSpliced(at, 1)).filter((digest) => !known.has(digest));
      expect(changed.length).toBeLessThanOrEqual(3);
    }
  });

  it.each([
    ...['', '{', 'null', '{}', '"a"', '[1]', '["a.jpg"]', '["hero.jpg","../a.jpg"]'],
    JSON.stringify([`${DIGEST}.jpg/b`]),
    JSON.stringify([[`${DIGEST}.jpg`]]),
    JSON.stringify([`${DIGEST}.jpg`, `${DIGEST}.exe`]),
  ])('are not %j', (text) => {
    expect(parseImageList(Buffer.from(text))).toBeUndefined();
  });
});

describe('current.json', () => {
  const build = { commit: 'a'.repeat(40), time: '2026-11-20T09:00:00Z' };

  it.each([build, UNKNOWN_BUILD, { ...build, commit: 'a'.repeat(64) }])('names a release of %j', (of) => {
    const bytes = serializeCurrent({ release: DIGEST, build: of });
    expect(parseCurrent(bytes)).toEqual({ release: DIGEST, build: of, before: [] });
  });

  it('of a preview may say more, and no commit', () => {
    const text = JSON.stringify({ version: 3, release: DIGEST, expires: '2999-01-01T00:00:00Z', own: [] });
    expect(parseCurrent(Buffer.from(text))).toEqual({ release: DIGEST, build: UNKNOWN_BUILD, before: [] });
  });

  it('names the releases before it', () => {
    const before = ['b'.repeat(32), 'c'.repeat(32)];
    const bytes = serializeCurrent({ release: DIGEST, build, before });
    expect(parseCurrent(bytes)).toEqual({ release: DIGEST, build, before });
  });

  it.each([
    ...['', '{', 'null', '[]', '{}'],
    JSON.stringify({ version: 2, release: DIGEST }),
    JSON.stringify({ version: 3, release: `${DIGEST}0` }),
    JSON.stringify({ version: 3, release: DIGEST, commit: 'main' }),
    JSON.stringify({ version: 3, release: DIGEST, time: 'yesterday' }),
    JSON.stringify({ version: 3, release: DIGEST, time: 1 }),
    JSON.stringify({ version: 3, release: DIGEST, before: ['../x'] }),
    JSON.stringify({ version: 3, release: DIGEST, before: DIGEST }),
  ])('is not %j', (text) => {
    expect(parseCurrent(Buffer.from(text))).toBeUndefined();
  });
});
