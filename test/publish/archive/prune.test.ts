/** What a bucket keeps of earlier releases, for how long, and what it takes to go back. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listReleases } from '../../../src/publish/archive/list.ts';
import { pruneReleases } from '../../../src/publish/archive/prune.ts';
import { rollBack } from '../../../src/publish/archive/rollback.ts';
import type { Bucket } from '../../../src/storage/bucket.ts';
import { withDryRun } from '../../../src/storage/dry-run.ts';
import { openFolder } from '../../../src/storage/folder/bucket.ts';
import { takeLease } from '../../../src/storage/lease.ts';
import { releaseManifestKey, releaseObjectsKey } from '../../../src/storage/reserved-keys.ts';
import { createCatalogue, objects, photo, tree } from '../catalogue.ts';

const DAY = 24 * 60 * 60 * 1000;

function openTemporary(): Bucket {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-prune-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return openFolder(join(root, 'bucket'));
}

/** Three releases, each with a photo of its own. */
async function publishThree(bucket: Bucket) {
  const catalogue = createCatalogue(3);
  const names: string[] = [];
  for (const red of [10, 90, 170]) {
    catalogue.write('a.jpg', await photo(red));
    catalogue.add(1, { photo: [{ file: 'a.jpg' }], title: `Red ${red}` });
    names.push((await catalogue.publish(bucket)).release);
  }
  return { catalogue, names };
}

const photos = async (bucket: Bucket) =>
  [...(await objects(bucket)).keys()].filter((key) => key.startsWith('media/')).length;

it('keeps the objects of replaced releases for a time, and then removes them', async () => {
  const bucket = openTemporary();
  const { catalogue, names } = await publishThree(bucket);
  expect(await photos(bucket)).toBe(6);
  const early = await pruneReleases(bucket, { now: Date.now() + 6 * DAY });
  expect(early).toMatchObject({ pruned: [], forgotten: [], media: 0 });

  const dry = await pruneReleases(withDryRun(bucket), { now: Date.now() + 8 * DAY });
  expect(await photos(bucket)).toBe(6);
  const late = await pruneReleases(bucket, { now: Date.now() + 8 * DAY });
  expect(late).toEqual(dry);
  expect(late).toMatchObject({ pruned: [names[1], names[0]], forgotten: [], media: 4 });
  expect(await objects(bucket)).toEqual(tree(catalogue.public));
  const kept = await listReleases(bucket);
  expect(kept.map(({ name, isLive, isRestorable }) => [name, isLive, isRestorable])).toEqual([
    [names[2], true, true],
    [names[1], false, false],
    [names[0], false, false],
  ]);
  await expect(rollBack(bucket, names[0])).rejects.toMatchObject({ code: 'release-pruned' });
  await expect(rollBack(bucket, undefined)).rejects.toMatchObject({ code: 'unknown-release' });

  const last = await pruneReleases(bucket, { keep: 1, now: Date.now() + 9 * DAY });
  expect(last).toMatchObject({ pruned: [], forgotten: [names[0]], media: 0 });
  expect(await bucket.read(releaseManifestKey(names[0]!))).toBeUndefined();
});

it('keeps a photo that another release shows', async () => {
  const bucket = openTemporary();
  const { catalogue, names } = await publishThree(bucket);
  // The second release lives again: its photos are the live ones, and the first one's are over.
  await rollBack(bucket, names[1]);
  const { media, pruned } = await pruneReleases(bucket, { grace: 0, now: Date.now() + 1000 });
  expect([...pruned].sort()).toEqual([names[0], names[2]].sort());
  expect(media).toBe(4);
  catalogue.write('a.jpg', await photo(90));
  catalogue.add(1, { photo: [{ file: 'a.jpg' }], title: 'Red 90' });
  await catalogue.build();
  expect(await objects(bucket)).toEqual(tree(catalogue.public));
});

it('waits for a publisher, and needs to know what is live', async () => {
  const bucket = openTemporary();
  const { catalogue } = await publishThree(bucket);
  const lease = await takeLease(bucket);
  await expect(pruneReleases(bucket)).rejects.toMatchObject({ code: 'bucket-locked' });
  await lease.abandon();
  await bucket.remove(['_catalogue/manifest.json']);
  await expect(pruneReleases(bucket, { grace: 0, now: Date.now() + DAY })).rejects.toMatchObject({
    code: 'no-manifest',
  });
  expect(await photos(bucket)).toBe(6);
  await catalogue.publish(bucket);
});

it('refuses to go back to what is not whole, before anything is written', async () => {
  const bucket = openTemporary();
  const { catalogue, names } = await publishThree(bucket);
  const before = await objects(bucket);
  const headers = { contentType: 'application/gzip', cacheControl: 'no-store' };
  const key = releaseObjectsKey(names[0]!);
  const sound = (await bucket.read(key))!.body;
  for (const body of [sound.subarray(0, sound.length - 20), Buffer.from('nonsense')]) {
    await bucket.write(key, body, headers);
    await expect(rollBack(bucket, names[0])).rejects.toMatchObject({ code: 'release-damaged' });
  }
  await bucket.write(key, (await bucket.read(releaseObjectsKey(names[1]!)))!.body, headers);
  await expect(rollBack(bucket, names[0])).rejects.toMatchObject({ code: 'release-damaged' });
  await bucket.write(key, sound, headers);
  const own = [...before.keys()].filter(
    (media) => media.startsWith('media/') && !tree(catalogue.public).has(media),
  );
  for (const media of own) {
    const { body } = (await bucket.read(media))!;
    await bucket.remove([media]);
    await expect(rollBack(bucket, names[0]).then(() => rollBack(bucket, names[1]))).rejects.toMatchObject({
      code: 'release-damaged',
    });
    await bucket.write(media, body, headers);
    await rollBack(bucket, names[2]).catch(() => {});
  }
  expect(await objects(bucket)).toEqual(before);
  await expect(rollBack(bucket, 'ffffff')).rejects.toMatchObject({ code: 'unknown-release' });
});
