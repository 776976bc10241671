/** A folder is published only when it is what a build left. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type StateSummary, writeState } from '../../src/compile/state/state-file.ts';
import { CHUNKS_FOLDER, CURRENT_KEY, chunkKey, propertyKey } from '../../src/contract/object-keys.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { digestOf } from '../../src/release/digest.ts';
import { detailText, objectNamed, type PublishedObject, readIds } from '../../src/release/release.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openTemporary } from '../support/bucket.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { allObjects, contentOf, idOf, makeSource, photoKey, textsOf } from './made.ts';

const PAGE = '_catalogue/pages/-/-/2-1.json';
const SMALLER_PAGE = '_catalogue/pages/IE/-/2-2.json';
const TOTAL = '_catalogue/pages/-/-/total';
const DETAIL = propertyKey(idOf(1));
const PHOTO = photoKey('a');
const NO_STAMPS = { pathsDigest: '', numbers: new Float64Array(), photos: [], numbersDigest: digestOf('') };

const SOURCE = makeSource({
  documents: { 'openapi.json': 'o', 'docs/index.html': 'd' },
  properties: [1, 2, 3].map((n) => ({ id: idOf(n), title: `House ${n}`, photo: 'a' })),
});
const CHUNK = [...SOURCE.bodies.keys()].find((key) => key.startsWith(CHUNKS_FOLDER))!;

/** Writes a release and its state as a build does. */
async function written(source = SOURCE) {
  const root = temporaryFolder();
  const path = (key: string) => join(root, 'public', key);
  const put = (key: string, bytes: string | Buffer) => {
    mkdirSync(dirname(path(key)), { recursive: true });
    writeFileSync(path(key), bytes);
  };
  for (const [key, text] of await contentOf(source)) put(key, Buffer.from(text, 'latin1'));
  const { name, build } = source.release;
  const remember = (rest: object, { preview = false, release = name } = {}) => {
    const summary = { release, identity: build, preview, configuration: {} } as unknown as StateSummary;
    writeState(join(root, 'state'), summary, {
      ...{ stamps: NO_STAMPS, findings: { otherFindings: [], first: [] } },
      ...{ rest, records: [] },
    });
  };
  remember({ groups: { media: { [basename(PHOTO)]: digestOf('photo a') } } });
  return { root, path, put, remember };
}

const objectOf = (key: string) => objectNamed(SOURCE.release, key)!;

it('gives every object as it is in the folder', async () => {
  const { root } = await written();
  const source = await openDist(root);
  expect([source.isFromBucket, source.others]).toEqual([false, []]);
  expect(source.release.rootBytes).toEqual(SOURCE.release.rootBytes);
  await source.check(allObjects(source.release));
  expect(await contentOf(source)).toEqual(await contentOf(SOURCE));
  expect(await detailText(source.release, idOf(2))).toBe(await SOURCE.detail(idOf(2)));
});

it('is sent as it is in the folder, although memory is used again', async () => {
  const nameOf = (n: number) => `${'a'.repeat(n)}b`;
  const texts = Array.from(
    { length: 80 },
    (_, n) => [`_catalogue/problems/${nameOf(n)}.json`, `${n} `.repeat(30_000 + n)] as const,
  );
  const properties = [{ id: idOf(1), title: 'House' }];
  const { root } = await written(makeSource({ documents: Object.fromEntries(texts), properties }));
  const bucket = openTemporary();
  let writes = 0;
  const slow: Bucket = {
    ...bucket,
    async write(...args) {
      await sleep(writes++ % 3);
      return bucket.write(...args);
    },
  };
  await publishRelease(slow, await openDist(root));
  for (const [key, text] of texts) expect((await bucket.read(key))?.body.toString() === text, key).toBe(true);
});

it('refuses a preview, which has drafts', async () => {
  const { root, remember } = await written();
  remember({}, { preview: true });
  await expect(openDist(root)).rejects.toMatchObject({ code: 'preview-build' });
});

it('checks the chunks that it reads', async () => {
  const properties = [1, 2, 3].map((n) => ({ id: idOf(n), title: `House ${n}` }));
  const inChunks = makeSource({ properties, ends: [2, 3] });
  const { root, path } = await written(inChunks);
  const readAll = async () => readIds((await openDist(root)).release);
  expect(await readAll()).toEqual(properties.map(({ id }) => id));
  const last = path(chunkKey(inChunks.release.root.chunks[1]!.digest));
  const bytes = readFileSync(last);
  writeFileSync(last, bytes.with(-1, bytes.at(-1)! ^ 1));
  const damaged = { code: 'dist-damaged', message: expect.stringContaining(last) };
  await expect(readAll()).rejects.toMatchObject(damaged);
  rmSync(last);
  await expect(readAll()).rejects.toMatchObject(damaged);
});

it('names foreign files, which are not published', async () => {
  const { root, put } = await written();
  put('robots.txt', 'mine');
  put('images/a.jpg', 'mine');
  put('CNAME', 'mine');
  expect((await openDist(root)).others).toEqual(['CNAME', 'images', 'robots.txt']);
});

it('refuses an empty folder, and one that no build left', async () => {
  const { root, path, put, remember } = await written();
  const incomplete = {
    ...{ name: 'UsageError', code: 'dist-incomplete' },
    message: `${root} is not what a build left: the last one did not end, or current.json was changed. Run "catalogue build" first.`,
  };
  const bytes = readFileSync(path(CURRENT_KEY));
  put(CURRENT_KEY, bytes.toString().replace('null', '"2026-01-01T00:00:00Z"'));
  await expect(openDist(root)).rejects.toMatchObject(incomplete);
  put(CURRENT_KEY, '{');
  await expect(openDist(root)).rejects.toMatchObject(incomplete);
  put(CURRENT_KEY, bytes);
  remember({}, { release: 'f'.repeat(32) });
  await expect(openDist(root)).rejects.toMatchObject(incomplete);
  rmSync(join(root, 'state'));
  await expect(openDist(root)).rejects.toMatchObject(incomplete);
  rmSync(path(CURRENT_KEY));
  await expect(openDist(root)).rejects.toMatchObject({
    ...{ name: 'UsageError', code: 'nothing-built' },
    message: `There is no catalogue in ${join(root, 'public')}. Run "catalogue build" first.`,
  });
});

it.each([
  ['a chunk that was changed', CHUNK, 'x', 'is not what the release says'],
  ['a chunk that is missing', CHUNK, undefined, 'is missing'],
  ['a detail that was changed', DETAIL, '{}', 'is not what the release says'],
  ['a detail that is missing', DETAIL, undefined, 'is missing'],
  ['a document that was changed', 'openapi.json', 'x', 'is not what the release says'],
  ['a photo that was changed', PHOTO, 'x', 'is not what the release says'],
  ['a photo that is missing', PHOTO, undefined, 'is missing'],
])('refuses %s', async (_name, key, content, what) => {
  const { root, path, put } = await written();
  if (content === undefined) rmSync(path(key));
  else put(key, content);
  const refused = expect.objectContaining({
    ...{ name: 'UsageError', code: 'dist-damaged' },
    message: `${path(key)} ${what}. Nothing may be published from here. Run "catalogue build --force" first.`,
  });
  const opened = await openDist(root);
  await expect(opened.check(allObjects(SOURCE.release))).rejects.toEqual(refused);
  // Lists are made from chunks.
  const isOf = ({ key: other, kind }: PublishedObject) =>
    other === key || (key === CHUNK && ['page', 'total'].includes(kind));
  await opened.check(allObjects(SOURCE.release).filter((object) => !isOf(object)));
  await expect((async () => opened.body(objectOf(key)))()).rejects.toEqual(refused);
});

it('does not publish a photo that no build recorded', async () => {
  const { root, remember } = await written();
  remember({ groups: { media: { 'b.jpg': digestOf('photo a') } } });
  const source = await openDist(root);
  await expect((async () => source.body(objectOf(PHOTO)))()).rejects.toMatchObject({ code: 'dist-damaged' });
});

it('sends the bytes that it checked: details from memory, and lists from the summaries', async () => {
  const { root, path, put } = await written();
  // It makes lists from chunks.
  put(TOTAL, '9');
  rmSync(path(SMALLER_PAGE));
  const source = await openDist(root);
  await source.check([objectOf(DETAIL), objectOf(PAGE), objectOf('openapi.json')]);
  for (const key of [DETAIL, propertyKey(idOf(2)), PAGE, 'openapi.json']) put(key, 'other');
  expect(await detailText(source.release, idOf(1))).toBe(await SOURCE.detail(idOf(1)));
  for (const key of [PAGE, SMALLER_PAGE, TOTAL])
    expect(await source.body(objectOf(key))).toEqual(await SOURCE.body(objectOf(key)));
  await expect((async () => source.body(objectOf(propertyKey(idOf(2)))))()).rejects.toMatchObject({
    code: 'dist-damaged',
  });
  await expect((async () => source.body(objectOf('openapi.json')))()).rejects.toMatchObject({
    code: 'dist-damaged',
  });
});

it('keeps details up to 32 MiB, and reads the others again', async () => {
  const bare = textsOf({ id: '', title: 'House', email: '' }).detail.length;
  const email = 'x'.repeat(8 * 2 ** 20 - bare);
  const numbers = [1, 2, 3, 4, 5];
  const large = makeSource({
    api: { layout: 'pages', page_sizes: [9] },
    properties: numbers.map((n) => ({ id: idOf(n), title: 'House', email: n < 5 ? email : 'small' })),
  });
  const { root, put } = await written(large);
  const source = await openDist(root);
  await source.check(allObjects(large.release));
  for (const n of numbers) put(propertyKey(idOf(n)), 'other');
  const isHeld = async (n: number) =>
    (async () => source.body({ kind: 'detail', key: propertyKey(idOf(n)), id: idOf(n) }))().then(
      () => true,
      () => false,
    );
  expect(await Promise.all(numbers.map(isHeld))).toEqual([true, true, true, true, false]);
});

it('names a large file that changed during the publish', async () => {
  const key = 'properties.csv';
  const bytes = Buffer.alloc(9 * 2 ** 20, 'row');
  const large = makeSource({ documents: { [key]: bytes }, properties: [{ id: idOf(1), title: 'One' }] });
  const { root, path, put } = await written(large);
  const body = await (await openDist(root)).body({ kind: 'document', key });
  if (Buffer.isBuffer(body)) throw new Error('A large file is read in parts.');
  expect(body.size).toBe(bytes.length);
  put(key, 'other');
  await expect(body.read(0, 5)).rejects.toMatchObject({
    code: 'dist-damaged',
    message: `${path(key)} changed while it was published. Nothing may be published from here. Run "catalogue build --force" first.`,
  });
});
