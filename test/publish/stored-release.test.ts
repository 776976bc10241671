/** Kept releases of a bucket, and their restoration. */
import { expect, it } from 'vitest';
import { INDEX_KEY, partKey } from '../../src/contract/document-keys.ts';
import {
  CURRENT_KEY,
  documentCopyKey,
  imageListKey,
  prunedRootKey,
  rootKey,
} from '../../src/contract/object-keys.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import {
  createSharedKeysReader,
  openKept,
  readKeptRelease,
  readLiveRelease,
} from '../../src/publish/stored-release.ts';
import { type Timeline, withLiveRelease } from '../../src/publish/timeline.ts';
import { digestOf } from '../../src/release/digest.ts';
import { detailText, sharedKeys } from '../../src/release/release.ts';
import { UNKNOWN_BUILD } from '../../src/release/root-contents.ts';
import { PART_SIZE, readWholeBody } from '../../src/storage/body.ts';
import type { Bucket, LargeBody } from '../../src/storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../../src/storage/control-headers.ts';
import { openMemory } from '../storage/memory.ts';
import { allObjects, contentOf, dated, idOf, type MadeSource, makeSource, photoKey } from './made.ts';
import { recorded } from './recorded.ts';

const APP = 'explorer/app-00000001.js';

/** A small release with something of every kind. */
function small(title = 'One'): MadeSource {
  return makeSource({
    documents: { 'openapi.json': `{"of":"${title}"}`, [APP]: 'app' },
    properties: [
      { id: idOf(2), title, photo: 'a' },
      { id: idOf(1), title: 'Two' },
    ],
  });
}

const COUNT = 60;

const many = (layout: 'pages' | 'packed', renamed: readonly number[] = []) =>
  makeSource({
    api: { layout },
    inPart: 10,
    properties: Array.from({ length: COUNT }, (_, n) => ({
      ...{ id: idOf(n), title: renamed.includes(n) ? `Renamed ${n}` : `House ${n}` },
    })),
  });

/** Keeps a release, with its objects, as a publish does. */
async function keep(bucket: Bucket, source: MadeSource): Promise<void> {
  for (const [key, body] of source.bodies) await bucket.write(key, body, CONTROL_OBJECT_HEADERS);
}

const NEVER: Timeline = { live: [], before: [], coveredUntil: null, from: null };
const open = (bucket: Bucket, { release }: MadeSource, timeline = NEVER) =>
  openKept(bucket, release.name, timeline);

const code = (name: string) => expect.objectContaining({ code: name });

it('reads the live release and kept ones, and only from sound roots', async () => {
  const bucket = openMemory();
  const source = small();
  const { name } = source.release;
  const put = (key: string, body: Buffer | string) =>
    bucket.write(key, Buffer.from(body), CONTROL_OBJECT_HEADERS);
  const current = source.bodies.get(CURRENT_KEY)!;
  expect(await readLiveRelease(bucket)).toEqual({ release: undefined, object: undefined });
  expect(await readKeptRelease(bucket, name)).toBeUndefined();
  await put(CURRENT_KEY, current);
  expect((await readLiveRelease(bucket)).release).toBeUndefined();
  await keep(bucket, source);
  expect(await readLiveRelease(bucket)).toMatchObject({ release: { name }, object: { body: current } });
  expect((await readKeptRelease(bucket, name))?.name).toBe(name);
  const list = imageListKey(source.release.images[0]!);
  for (const key of [rootKey(name), list]) {
    const { body } = (await bucket.read(key))!;
    for (const damaged of [body.subarray(0, -1), small('Other').release.rootBytes, Buffer.from('{')]) {
      await put(key, damaged);
      expect([(await readLiveRelease(bucket)).release, await readKeptRelease(bucket, name)]).toEqual([
        undefined,
        undefined,
      ]);
    }
    await put(key, body);
  }
  for (const damaged of ['{', `{"version":1,"release":"../${name}"}`, current.subarray(0, -3)]) {
    await put(CURRENT_KEY, damaged);
    expect(await readLiveRelease(bucket)).toMatchObject({
      release: undefined,
      object: { body: Buffer.from(damaged) },
    });
  }
});

it('reads no root that reaches for objects of others, or of publishing itself', async () => {
  const bucket = openMemory();
  const root = JSON.parse(small().release.rootBytes.toString()) as object;
  const isRead = async (edit: object) => {
    const bytes = Buffer.from(JSON.stringify({ ...root, ...edit }));
    await bucket.write(rootKey(digestOf(bytes)), bytes, CONTROL_OBJECT_HEADERS);
    return (await readKeptRelease(bucket, digestOf(bytes), { isPartial: true })) !== undefined;
  };
  expect(await isRead({})).toBe(true);
  const keys = ['../x', '/x', 'robots.txt', CURRENT_KEY, '_catalogue/log/00000001.json', photoKey('a')];
  for (const key of keys) expect(await isRead({ documents: { [key]: '0'.repeat(32) } }), key).toBe(false);
  for (const edit of [{ version: 2 }, { images: ['../x'] }, { documents: { 'openapi.json': 'x' } }])
    expect(await isRead(edit), JSON.stringify(edit)).toBe(false);
});

it('opens a kept release unchanged, with the commit that it was last published from', async () => {
  const bucket = openMemory();
  const source = small();
  await keep(bucket, source);
  const kept = dated(source, '2026-01-20T00:00:00Z');
  const earlier = withLiveRelease(NEVER, source.release, new Date(0));
  const other = withLiveRelease(earlier, small('Other').release, new Date(1));
  const opened = await open(bucket, source, withLiveRelease(other, kept.release, new Date(2)));
  expect(opened.isFromBucket).toBe(true);
  expect(opened.release.rootBytes).toEqual(source.release.rootBytes);
  expect(opened.release.documents[CURRENT_KEY]).toBe(kept.release.documents[CURRENT_KEY]);
  expect(await contentOf(opened)).toEqual(await contentOf(kept));
  expect((await open(bucket, source)).release.build).toEqual(UNKNOWN_BUILD);
});

it('checks that what stays in the bucket is there, and the content of what it copies', async () => {
  const bucket = openMemory();
  const source = small();
  const { name, documents } = source.release;
  await keep(bucket, source);
  const opened = await open(bucket, source);
  await opened.check(allObjects(source.release));
  await bucket.write(photoKey('a'), Buffer.from('other'), CONTROL_OBJECT_HEADERS);
  await opened.check(allObjects(source.release));
  const gone = [photoKey('a'), documentCopyKey(documents['openapi.json']!)];
  for (const key of gone) {
    await bucket.remove([key]);
    await expect(opened.check(allObjects(source.release))).rejects.toMatchObject({
      code: 'release-damaged',
      message: `memory has no sound ${key} any more, which release ${name} needs: it cannot be restored. Build its commit and publish that with --allow-older.`,
    });
    await bucket.write(key, Buffer.from('other'), CONTROL_OBJECT_HEADERS);
  }
  const [document] = allObjects(source.release).filter(({ key }) => key === 'openapi.json');
  await expect(opened.check([document!])).rejects.toEqual(code('release-damaged'));
  await bucket.write(APP, Buffer.from('other'), CONTROL_OBJECT_HEADERS);
  await expect(opened.body({ kind: 'asset', key: APP })).rejects.toEqual(code('release-damaged'));
});

it('puts its name into the index of a kept release', async () => {
  const bucket = openMemory();
  const draft = makeSource({ documents: { [INDEX_KEY]: `{"release":"${'0'.repeat(32)}"}` }, properties: [] });
  await keep(bucket, draft);
  const body = await (await open(bucket, draft)).body({ kind: 'index', key: INDEX_KEY });
  expect((await readWholeBody(body)).toString()).toBe(`{"release":"${draft.release.name}"}`);
});

it('explains what cannot be restored', async () => {
  const bucket = openMemory();
  const source = small();
  const { name } = source.release;
  await expect(open(bucket, source)).rejects.toMatchObject({
    ...{ name: 'UsageError', code: 'unknown-release' },
    message: `memory keeps no release ${name}. "catalogue releases" lists those that it keeps.`,
  });
  const wasLive = withLiveRelease(NEVER, source.release, new Date(0));
  await bucket.write(prunedRootKey(name), source.release.rootBytes, CONTROL_OBJECT_HEADERS);
  await expect(open(bucket, source, wasLive)).rejects.toMatchObject({
    ...{ name: 'UsageError', code: 'release-pruned' },
    message: `The objects of release ${name} were pruned, or never arrived: it cannot be restored. Build its commit and publish that with --allow-older.`,
  });
  await keep(bucket, source);
  const damages = [
    source.release.rootBytes.subarray(0, -20),
    Buffer.from('nonsense'),
    small('Other').release.rootBytes,
  ];
  for (const damaged of damages) {
    await bucket.write(rootKey(name), damaged, CONTROL_OBJECT_HEADERS);
    await expect(open(bucket, source, wasLive)).rejects.toMatchObject({
      ...{ name: 'EnvironmentError', code: 'release-damaged' },
      message: `What memory keeps of release ${name} is damaged: it cannot be restored. Build its commit and publish that with --allow-older.`,
    });
  }
});

it('names what a release keeps, also by the root that an interrupted prune left', async () => {
  const bucket = openMemory();
  const source = small();
  const { name, rootBytes } = source.release;
  expect(await createSharedKeysReader(bucket)(name)).toEqual([]);
  await keep(bucket, source);
  const keys = sharedKeys(source.release);
  expect(keys).toEqual(expect.arrayContaining([photoKey('a'), APP, rootKey(name)]));
  expect(await createSharedKeysReader(bucket)(name)).toEqual(keys);
  await bucket.remove([rootKey(name)]);
  expect(await createSharedKeysReader(bucket)(name)).toEqual([]);
  await bucket.write(prunedRootKey(name), rootBytes, CONTROL_OBJECT_HEADERS);
  expect(await createSharedKeysReader(bucket)(name)).toEqual(keys);
  // A damaged list of images names none; the rest of the release is known.
  await bucket.write(
    imageListKey(source.release.images[0]!),
    Buffer.from('["../x"]'),
    CONTROL_OBJECT_HEADERS,
  );
  expect(await createSharedKeysReader(bucket)(name)).toEqual(keys.filter((key) => key !== photoKey('a')));
  await bucket.write(prunedRootKey(name), Buffer.from('{'), CONTROL_OBJECT_HEADERS);
  expect(await createSharedKeysReader(bucket)(name)).toEqual([]);
});

it('reads the properties of a kept release on demand from its tree', async () => {
  const { bucket, requests } = recorded(openMemory());
  const source = small();
  await keep(bucket, source);
  const kept = (await readKeptRelease(bucket, source.release.name))!;
  requests.length = 0;
  expect(await detailText(kept, idOf(1))).toBe(await source.detail(idOf(1)));
  expect(requests.map((request) => request.replace(/[0-9a-f]{32}/, '…'))).toEqual([
    'read _catalogue/parts/….ndjson',
  ]);
  const damaged = { name: 'EnvironmentError', code: 'release-damaged' };
  await expect(detailText(kept, idOf(9))).rejects.toMatchObject(damaged);
  const again = (await readKeptRelease(bucket, source.release.name))!;
  for (const { digest } of again.root.details) await bucket.remove([partKey(digest)]);
  await expect(detailText(again, idOf(1))).rejects.toMatchObject(damaged);
  await bucket.remove([rootKey(source.release.name)]);
  expect(await readKeptRelease(bucket, source.release.name)).toBeUndefined();
});

it.each(['pages', 'packed'] as const)(
  'restores a release from its tree; without a part or chunk it restores nothing, and leaves what is served (%s)',
  async (layout) => {
    const bucket = openMemory();
    const [first, second] = [
      many(layout),
      many(
        layout,
        Array.from({ length: COUNT }, (_, n) => n),
      ),
    ];
    await publishRelease(bucket, first);
    const before = await objectsOf(bucket);
    await publishRelease(bucket, second);
    const present = await objectsOf(bucket);
    const folders = layout === 'pages' ? ['parts', 'chunks'] : [];
    for (const folder of folders) {
      const [key = ''] = [...before.keys()].filter((key) => key.startsWith(`_catalogue/${folder}/`));
      const { body } = (await bucket.read(key))!;
      await bucket.remove([key]);
      await expect(rollBack(bucket, first.release.name)).rejects.toEqual(code('release-damaged'));
      await bucket.write(key, body.subarray(0, -1), CONTROL_OBJECT_HEADERS);
      await expect(rollBack(bucket, first.release.name)).rejects.toEqual(code('release-damaged'));
      await bucket.write(key, body, CONTROL_OBJECT_HEADERS);
      expect(served(await objectsOf(bucket))).toEqual(served(present));
    }
    await rollBack(bucket, first.release.name);
    const live = ([key]: [string, string]) => before.has(key);
    expect(served(await objectsOf(bucket)).filter(live)).toEqual(served(before));
    await rollBack(bucket, second.release.name);
    expect(served(await objectsOf(bucket))).toEqual(served(present));
  },
);

it('restores a release that never was live by its name, if all of it arrived', async () => {
  const bucket = openMemory();
  const [live, never] = [small(), small('Never')];
  await publishRelease(bucket, live);
  const until = (at: string) => ({
    ...bucket,
    write: async (...args: Parameters<Bucket['write']>) => {
      if (args[0].startsWith(at)) throw new Error('cut off');
      return bucket.write(...args);
    },
  });
  const { name } = never.release;
  await expect(publishRelease(until('_catalogue/chunks/'), never)).rejects.toThrow('cut off');
  const { body } = (await bucket.read(CURRENT_KEY))!;
  await expect(rollBack(bucket, name)).rejects.toEqual(code('release-damaged'));
  expect((await bucket.read(CURRENT_KEY))!.body).toEqual(body);
  await expect(publishRelease(until(CURRENT_KEY), never)).rejects.toThrow('cut off');
  await expect(rollBack(bucket, undefined)).rejects.toEqual(code('unknown-release'));
  expect(await rollBack(bucket, name)).toMatchObject({ release: name, previous: live.release.name });
});

/** Every object, by key, as text. */
async function objectsOf(bucket: Bucket): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { key } of bucket.list(''))
    found.set(key, (await bucket.read(key))!.body.toString('latin1'));
  return found;
}

const served = (objects: Map<string, string>) =>
  [...objects].filter(([key]) => !/^_catalogue\/log\//.test(key));

it('restores a large document part by part, and hashes it once', async () => {
  const key = 'properties.ndjson';
  const bytes = Buffer.alloc(2 * PART_SIZE + 5, 'property ');
  const source = makeSource({ documents: { [key]: bytes }, properties: [{ id: idOf(1), title: 'One' }] });
  const sizes: number[] = [];
  const memory = openMemory();
  await keep(memory, source);
  const bucket: Bucket = {
    ...memory,
    async readLarge(name) {
      const found = await memory.read(name);
      if (!found) return undefined;
      const read: LargeBody['read'] = async (from, to) => {
        sizes.push(to - from);
        return found.body.subarray(from, to);
      };
      return { size: found.body.length, read };
    },
  };
  const opened = await open(bucket, source);
  const object = { kind: 'document', key } as const;
  const restored = await opened.body(object);
  expect(sizes).toEqual([PART_SIZE, PART_SIZE, 5]);
  expect(await opened.body(object)).toBe(restored);
  expect((await readWholeBody(restored)).equals(bytes)).toBe(true);
  expect(sizes).toHaveLength(6);
  const place = documentCopyKey(source.release.documents[key]!);
  await memory.write(place, Buffer.from(bytes).fill('other'), CONTROL_OBJECT_HEADERS);
  const reopened = await open(bucket, source);
  await expect(reopened.body(object)).rejects.toEqual(code('release-damaged'));
  await memory.remove([place]);
  await expect(reopened.check([object])).rejects.toMatchObject({ message: expect.stringContaining(place) });
});
