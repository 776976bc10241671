/** The archive of a release in a bucket, and its restoration. */
import { expect, it } from 'vitest';
import { partKey } from '../../../src/contract/document-keys.ts';
import { MANIFEST_KEY, propertyKey, rootKey } from '../../../src/contract/object-keys.ts';
import {
  openArchive,
  readKeptRelease,
  readLiveRelease,
  readSoundIndex,
  writeArchive,
} from '../../../src/publish/archive/archive.ts';
import { gzipLines } from '../../../src/publish/archive/compressed-lines.ts';
import { rollBack } from '../../../src/publish/archive/rollback.ts';
import { publishRelease } from '../../../src/publish/publish.ts';
import type { ReleaseSource } from '../../../src/publish/source.ts';
import { detailText } from '../../../src/release/release.ts';
import { PART_SIZE, readWholeBody } from '../../../src/storage/body.ts';
import { type Bucket, BucketError, type LargeBody } from '../../../src/storage/bucket.ts';
import {
  ARCHIVE_HEADERS,
  archivedDocumentKey,
  CONTROL_HEADERS,
  releaseManifestKey,
  releaseObjectsKey,
} from '../../../src/storage/reserved-keys.ts';
import { openMemory } from '../../storage/memory.ts';
import { allObjects, contentOf, idOf, type MadeSource, makeSource, photoKey } from '../made.ts';
import { recorded } from '../recorded.ts';

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
async function keep(bucket: Bucket, source: MadeSource, live?: MadeSource): Promise<void> {
  const { release } = source;
  await bucket.write(releaseManifestKey(release.name), release.bytes, CONTROL_HEADERS);
  for (const [key, body] of source.bodies) await bucket.write(key, body, ARCHIVE_HEADERS);
  await writeArchive(bucket, source, live?.release);
}

const code = (name: string) => expect.objectContaining({ code: name });

it('reads the live release and the kept manifests', async () => {
  const bucket = openMemory();
  const { release, bodies } = small();
  expect(await readLiveRelease(bucket)).toEqual({ release: undefined, object: undefined });
  expect(await readKeptRelease(bucket, release.name)).toBeUndefined();
  await bucket.write(MANIFEST_KEY, release.bytes, CONTROL_HEADERS);
  expect((await readLiveRelease(bucket)).release).toBeUndefined();
  for (const [key, body] of bodies) await bucket.write(key, body, CONTROL_HEADERS);
  await bucket.write(releaseManifestKey(release.name), release.bytes, CONTROL_HEADERS);
  expect(await readLiveRelease(bucket)).toMatchObject({
    release: { name: release.name },
    object: { body: release.bytes },
  });
  expect((await readKeptRelease(bucket, release.name))?.name).toBe(release.name);
  await bucket.write(MANIFEST_KEY, Buffer.from('{'), CONTROL_HEADERS);
  expect(await readLiveRelease(bucket)).toMatchObject({
    release: undefined,
    object: { body: Buffer.from('{') },
  });
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
  expect(opened.isArchive).toBe(true);
  expect(opened.release.bytes).toEqual(source.release.bytes);
  expect(await contentOf(opened)).toEqual(await contentOf(source));
  expect(await detailText(opened.release, idOf(1))).toBe(await source.detail(idOf(1)));
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
  const current = ['document', '_catalogue/current.json'];
  const isSound = async (...lines: string[][]) => {
    await bucket.write(releaseObjectsKey(release.name), await gzipLines(lines), ARCHIVE_HEADERS);
    return (await readSoundIndex(bucket, release)) !== undefined;
  };
  expect(await readSoundIndex(bucket, release)).toBeUndefined();
  expect(await isSound(['document', 'openapi.json', text], current)).toBe(true);
  // A document that is an object of its own is checked when it is read.
  expect(await isSound(['document', 'openapi.json'], current)).toBe(true);
  expect(await isSound()).toBe(false);
  expect(await isSound(['document', 'openapi.json', `${text}AAAA`], current)).toBe(false);
  expect(await isSound(['document', 'other.json', text], current)).toBe(false);
  expect(await isSound(['document', 'openapi.json', text], current, ['document', 'other.json', text])).toBe(
    false,
  );
  expect(await readSoundIndex(bucket, release, 'f'.repeat(32))).toBeUndefined();
  const failing: Bucket = {
    ...bucket,
    read: () => Promise.reject(new BucketError('bucket-denied', 'no', false)),
  };
  await expect(readSoundIndex(failing, release)).rejects.toEqual(code('bucket-denied'));
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
      await bucket.write(key, body.subarray(0, -1), ARCHIVE_HEADERS);
      await expect(rollBack(bucket, first.release.name)).rejects.toEqual(code('release-damaged'));
      await bucket.write(key, body, ARCHIVE_HEADERS);
      expect(served(await objectsOf(bucket))).toEqual(served(present));
    }
    await rollBack(bucket, first.release.name);
    const live = ([key]: [string, string]) => before.has(key);
    expect(served(await objectsOf(bucket)).filter(live)).toEqual(served(before));
    await rollBack(bucket, second.release.name);
    expect(served(await objectsOf(bucket))).toEqual(served(present));
  },
);

/** Every object, by key, as text. */
async function objectsOf(bucket: Bucket): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { key } of bucket.list(''))
    found.set(key, (await bucket.read(key))!.body.toString('latin1'));
  return found;
}

const served = (objects: Map<string, string>) =>
  [...objects].filter(([key]) => !/^_catalogue\/(?:releases\/|log\/)/.test(key));

it('restores a large document part by part, and hashes it once', async () => {
  const key = 'properties.ndjson';
  const bytes = Buffer.alloc(2 * PART_SIZE + 5, 'property ');
  const made = makeSource({ documents: { [key]: bytes }, properties: [{ id: idOf(1), title: 'One' }] });
  const body: LargeBody = { size: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
  const source: ReleaseSource = {
    ...made,
    body: (object) => (object.key === key ? body : made.body(object)),
  };
  const sizes: number[] = [];
  const memory = openMemory();
  const bucket: Bucket = {
    ...memory,
    async writeLarge(name, large, headers) {
      return memory.write(name, await readWholeBody(large), headers);
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
  for (const [name, body] of made.bodies) if (name !== key) await memory.write(name, body, ARCHIVE_HEADERS);
  await writeArchive(bucket, source, undefined);
  const opened = await openArchive(bucket, made.release.name);
  const object = { kind: 'document', key } as const;
  const restored = await opened.body(object);
  expect(sizes).toEqual([PART_SIZE, PART_SIZE, 5]);
  expect(await opened.body(object)).toBe(restored);
  expect((await readWholeBody(restored)).equals(bytes)).toBe(true);
  expect(sizes).toHaveLength(6);
  const place = archivedDocumentKey(made.release.manifest.documents[key]!);
  await memory.write(place, bytes.fill('other'), ARCHIVE_HEADERS);
  const reopened = await openArchive(bucket, made.release.name);
  await expect(reopened.body(object)).rejects.toEqual(code('release-damaged'));
  await memory.remove([place]);
  await expect(reopened.check([object])).rejects.toMatchObject({ message: expect.stringContaining(place) });
  await expect(detailText(reopened.release, idOf(2))).rejects.toEqual(code('release-damaged'));
  expect(
    await readWholeBody(await reopened.body({ kind: 'detail', key: propertyKey(idOf(1)), id: idOf(1) })),
  ).toEqual(made.bodies.get(propertyKey(idOf(1))));
});
