/** The archive of a release in a bucket, and its restoration. */
import { expect, it } from 'vitest';
import { MANIFEST_KEY, propertyKey } from '../../../src/contract/object-keys.ts';
import {
  archivedRelease,
  openArchive,
  readKept,
  readLive,
  refreshArchive,
  soundIndex,
  writeArchive,
} from '../../../src/publish/archive/archive.ts';
import { compressed } from '../../../src/publish/archive/compressed-lines.ts';
import { MAX_APART } from '../../../src/publish/archive/content.ts';
import { rollBack } from '../../../src/publish/archive/rollback.ts';
import { publishRelease } from '../../../src/publish/publish.ts';
import type { Source } from '../../../src/publish/source.ts';
import { PART, wholeOf } from '../../../src/storage/body.ts';
import { type Bucket, BucketError, type LargeBody } from '../../../src/storage/bucket.ts';
import {
  ARCHIVE_HEADERS,
  archivedDocumentKey,
  CONTROL_HEADERS,
  LOCK_KEY,
  PIECES_FOLDER,
  releaseManifestKey,
  releaseObjectsKey,
} from '../../../src/storage/reserved-keys.ts';
import { openMemory } from '../../storage/memory.ts';
import { allObjects, contentOf, idOf, type MadeSource, makeSource, photoKey } from '../made.ts';
import { countWrites, recorded } from '../recorded.ts';

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

/** A packed release with more properties than the limit of separate ones. */
const large = (renamed: readonly number[] = [], time: string | null = null, documents = {}) =>
  makeSource({
    ...{ time, api: { layout: 'packed' }, documents },
    properties: Array.from({ length: MAX_APART + 50 }, (_, n) => ({
      ...{ id: idOf(n), title: renamed.includes(n) ? `Renamed ${n}` : `House ${n}` },
    })),
  });

/** Keeps a release, with its objects, as a publish does. */
async function keep(bucket: Bucket, source: MadeSource, live?: MadeSource): Promise<void> {
  const { release } = source;
  await bucket.write(releaseManifestKey(release.name), release.bytes, CONTROL_HEADERS);
  for (const [key, body] of source.bodies) await bucket.write(key, body, ARCHIVE_HEADERS);
  await writeArchive(bucket, source, live?.release);
}

const code = (name: string) => expect.objectContaining({ code: name });

it('reads the live release and the kept manifests', async () => {
  const bucket = openMemory();
  const { release } = small();
  expect(await readLive(bucket)).toEqual({ release: undefined, object: undefined });
  expect(await readKept(bucket, release.name)).toBeUndefined();
  await bucket.write(MANIFEST_KEY, release.bytes, CONTROL_HEADERS);
  await bucket.write(releaseManifestKey(release.name), release.bytes, CONTROL_HEADERS);
  expect(await readLive(bucket)).toMatchObject({
    release: { name: release.name },
    object: { body: release.bytes },
  });
  expect((await readKept(bucket, release.name))?.name).toBe(release.name);
  await bucket.write(MANIFEST_KEY, Buffer.from('{'), CONTROL_HEADERS);
  expect(await readLive(bucket)).toMatchObject({ release: undefined, object: { body: Buffer.from('{') } });
});

it('keeps a release once, and opens it unchanged', async () => {
  const { bucket, requests } = recorded(openMemory());
  const source = small();
  await keep(bucket, source);
  requests.length = 0;
  await writeArchive(bucket, source, undefined);
  const place = releaseObjectsKey(source.release.name);
  expect(requests).toEqual([`inspect ${place}`, `read ${place}`]);
  const opened = await openArchive(bucket, source.release.name);
  expect(opened.isKept).toBe(true);
  expect(opened.release.bytes).toEqual(source.release.bytes);
  expect(await contentOf(opened)).toEqual(await contentOf(source));
  expect(await opened.summary(idOf(1))).toBe(await source.summary(idOf(1)));
  expect(await opened.detail(idOf(1))).toBe(await source.detail(idOf(1)));
  await opened.check(allObjects(source.release));
  // For objects that stay in the bucket, existence is enough.
  await bucket.write(photoKey('a'), Buffer.from('other'), ARCHIVE_HEADERS);
  await opened.check(allObjects(source.release));
  await bucket.remove([photoKey('a')]);
  const missing = `memory has no sound ${photoKey('a')} any more, which release ${source.release.name} needs: it cannot be restored. Build its commit and publish that with --allow-older.`;
  await expect(opened.check(allObjects(source.release))).rejects.toMatchObject({
    code: 'release-damaged',
    message: missing,
  });
  await opened.check(allObjects(source.release).filter(({ kind }) => kind !== 'media'));
  await bucket.write(APP, Buffer.from('other'), ARCHIVE_HEADERS);
  const reopened = await openArchive(bucket, source.release.name);
  await expect(reopened.body({ kind: 'asset', key: APP })).rejects.toEqual(code('release-damaged'));
});

it('explains what cannot be restored', async () => {
  const bucket = openMemory();
  const { release } = small();
  await expect(openArchive(bucket, release.name)).rejects.toMatchObject({
    ...{ name: 'UsageError', code: 'unknown-release' },
    message: `memory keeps no release ${release.name}. "catalogue releases" lists those that it keeps.`,
  });
  await keep(bucket, small());
  const key = releaseObjectsKey(release.name);
  const { body } = (await bucket.read(key))!;
  await bucket.remove([key, releaseManifestKey(release.name)]);
  await bucket.write(releaseManifestKey(release.name), Buffer.from('{'), CONTROL_HEADERS);
  await expect(openArchive(bucket, release.name)).rejects.toEqual(code('unknown-release'));
  await bucket.write(releaseManifestKey(release.name), release.bytes, CONTROL_HEADERS);
  await expect(openArchive(bucket, release.name)).rejects.toMatchObject({
    ...{ name: 'UsageError', code: 'release-pruned' },
    message: `The objects of release ${release.name} were pruned, or never arrived: it cannot be restored. Build its commit and publish that with --allow-older.`,
  });
  for (const damaged of [body.subarray(0, -20), Buffer.from('nonsense')]) {
    await bucket.write(key, damaged, ARCHIVE_HEADERS);
    await expect(openArchive(bucket, release.name)).rejects.toMatchObject({
      ...{ name: 'EnvironmentError', code: 'release-damaged' },
      message: `What memory keeps of release ${release.name} is damaged: it cannot be restored. Build its commit and publish that with --allow-older.`,
    });
  }
});

it('accepts an index that has every document of the manifest', async () => {
  const bucket = openMemory();
  const { release } = small();
  const text = Buffer.from('{"of":"One"}').toString('base64');
  const isSound = async (...lines: string[][]) => {
    await bucket.write(
      releaseObjectsKey(release.name),
      await compressed(lines, async (line) => line),
      ARCHIVE_HEADERS,
    );
    return (await soundIndex(bucket, release)) !== undefined;
  };
  expect(await soundIndex(bucket, release)).toBeUndefined();
  expect(await isSound(['document', 'openapi.json', text])).toBe(true);
  // A document that is an object of its own is checked when it is read.
  expect(await isSound(['document', 'openapi.json'])).toBe(true);
  expect(await isSound()).toBe(false);
  expect(await isSound(['document', 'openapi.json', `${text}AAAA`])).toBe(false);
  expect(await isSound(['document', 'other.json', text])).toBe(false);
  expect(await isSound(['document', 'openapi.json', text], ['document', 'other.json', text])).toBe(false);
  expect(await soundIndex(bucket, release, 'f'.repeat(32))).toBeUndefined();
  const failing: Bucket = {
    ...bucket,
    read: () => Promise.reject(new BucketError('bucket-denied', 'no', false)),
  };
  await expect(soundIndex(failing, release)).rejects.toEqual(code('bucket-denied'));
});

it('reads the content of a kept release on demand, once', async () => {
  const { bucket, requests } = recorded(openMemory());
  const source = small();
  await keep(bucket, source);
  requests.length = 0;
  const archived = archivedRelease(bucket, source.release);
  expect(requests).toEqual([]);
  expect(await archived.detail(idOf(1))).toBe(await source.detail(idOf(1)));
  expect(await archived.summary(idOf(2))).toBe(await source.summary(idOf(2)));
  expect(requests).toEqual([`read ${releaseObjectsKey(source.release.name)}`]);
  expect(archived.release).toBe(source.release);
  const damaged = {
    ...{ name: 'EnvironmentError', code: 'release-damaged' },
    message: `What memory keeps of release ${source.release.name} is missing or damaged.`,
  };
  await expect(archived.detail(idOf(9))).rejects.toMatchObject(damaged);
  await expect(archived.summary(idOf(9))).rejects.toMatchObject(damaged);
  await bucket.remove([releaseObjectsKey(source.release.name)]);
  await expect(archivedRelease(bucket, source.release).detail(idOf(1))).rejects.toMatchObject(damaged);
});

it('reuses a valid index of the previous release', async () => {
  const first = large();
  const second = large([5]);
  const written = async (live: MadeSource | undefined, damage: boolean) => {
    const { bucket, requests } = recorded(openMemory());
    await keep(bucket, first);
    if (damage) await bucket.write(releaseObjectsKey(first.release.name), Buffer.from('x'), ARCHIVE_HEADERS);
    requests.length = 0;
    await writeArchive(bucket, second, live?.release);
    return requests.filter((request) => request.startsWith(`write ${PIECES_FOLDER}/`)).length;
  };
  expect(await written(first, false)).toBe(0);
  expect(await written(undefined, false)).toBeGreaterThan(2);
  expect(await written(first, true)).toBeGreaterThan(2);
});

it('writes pieces again when they hold properties of earlier releases', async () => {
  const { bucket, requests } = recorded(openMemory());
  const [first, second] = [large(), large([5])];
  await keep(bucket, first);
  requests.length = 0;
  await refreshArchive(bucket, first.release);
  expect(countWrites(requests)).toBe(0);
  await keep(bucket, second, first);
  await refreshArchive(bucket, second.release);
  expect(requests.filter((request) => request.startsWith(`write ${PIECES_FOLDER}/`))).toHaveLength(1);
  const opened = await openArchive(bucket, second.release.name);
  expect(await opened.detail(idOf(5))).toBe(await second.detail(idOf(5)));
  requests.length = 0;
  await refreshArchive(bucket, second.release);
  expect(countWrites(requests)).toBe(0);
  await bucket.remove([releaseObjectsKey(second.release.name)]);
  await refreshArchive(bucket, second.release);
  expect(countWrites(requests)).toBe(0);
});

it('restores a large release from pieces; without a piece it restores nothing and leaves the bucket as it is', async () => {
  const bucket = openMemory();
  const [first, second] = [large(), large(Array.from({ length: MAX_APART + 50 }, (_, n) => n))];
  await publishRelease(bucket, first);
  const before = await objectsOf(bucket);
  const [piece = ''] = [...before.keys()].filter((key) => key.startsWith(PIECES_FOLDER));
  await publishRelease(bucket, second);
  const present = await objectsOf(bucket);
  const { body } = (await bucket.read(piece))!;
  await bucket.remove([piece]);
  await expect(rollBack(bucket, first.release.name)).rejects.toEqual(code('release-damaged'));
  await bucket.write(piece, body.subarray(0, -20), ARCHIVE_HEADERS);
  await expect(rollBack(bucket, first.release.name)).rejects.toEqual(code('release-damaged'));
  await bucket.write(piece, body, ARCHIVE_HEADERS);
  expect(served(await objectsOf(bucket))).toEqual(served(present));
  await rollBack(bucket, first.release.name);
  expect(served(await objectsOf(bucket))).toEqual(served(before));
  await rollBack(bucket, second.release.name);
  expect(served(await objectsOf(bucket))).toEqual(served(present));
});

it('writes few objects for a change of one title, counting all of a publish but its lease', async () => {
  const bucket = openMemory();
  await publishRelease(bucket, large());
  const { bucket: watched, requests } = recorded(bucket);
  const { release } = large([700]);
  await publishRelease(watched, large([700]));
  expect(requests).toContain(`write ${releaseObjectsKey(release.name)}`);
  expect(countWrites(requests.filter((request) => !request.endsWith(LOCK_KEY)))).toBe(3);
});

/** Every object, by key, as text. */
async function objectsOf(bucket: Bucket): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { key } of bucket.list(''))
    found.set(key, (await bucket.read(key))!.body.toString('latin1'));
  return found;
}

const served = (objects: Map<string, string>) =>
  [...objects].filter(([key]) => !/^_catalogue\/(?:releases\/|lock)/.test(key));

it('restores a large document part by part, and hashes it once', async () => {
  const key = 'properties.ndjson';
  const bytes = Buffer.alloc(2 * PART + 5, 'property ');
  const made = makeSource({ documents: { [key]: bytes }, properties: [{ id: idOf(1), title: 'One' }] });
  const body: LargeBody = { size: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
  const source: Source = { ...made, body: (object) => (object.key === key ? body : made.body(object)) };
  const sizes: number[] = [];
  const memory = openMemory();
  const bucket: Bucket = {
    ...memory,
    async writeLarge(name, large, headers) {
      return memory.write(name, await wholeOf(large), headers);
    },
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
  await bucket.write(releaseManifestKey(made.release.name), made.release.bytes, CONTROL_HEADERS);
  await writeArchive(bucket, source, undefined);
  const opened = await openArchive(bucket, made.release.name);
  const object = { kind: 'document', key } as const;
  const restored = await opened.body(object);
  expect(sizes).toEqual([PART, PART, 5]);
  expect(await opened.body(object)).toBe(restored);
  expect((await wholeOf(restored)).equals(bytes)).toBe(true);
  expect(sizes).toHaveLength(6);
  const place = archivedDocumentKey(made.release.manifest.documents[key]!);
  await memory.write(place, bytes.fill('other'), ARCHIVE_HEADERS);
  const reopened = await openArchive(bucket, made.release.name);
  await expect(reopened.body(object)).rejects.toEqual(code('release-damaged'));
  await memory.remove([place]);
  await expect(reopened.check([object])).rejects.toMatchObject({ message: expect.stringContaining(place) });
  await expect(reopened.detail(idOf(2))).rejects.toEqual(code('release-damaged'));
  expect(
    await wholeOf(await reopened.body({ kind: 'detail', key: propertyKey(idOf(1)), id: idOf(1) })),
  ).toEqual(made.bodies.get(propertyKey(idOf(1))));
});
