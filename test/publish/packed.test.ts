/** Publishing the packed layout: the written objects, their order, and rollbacks. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  CHUNKS_FOLDER,
  CURRENT_KEY,
  isImmutableKey,
  MANIFEST_KEY,
  ROOTS_FOLDER,
} from '../../src/contract/keys.ts';
import { pruneReleases } from '../../src/publish/archive/prune.ts';
import { rollBack } from '../../src/publish/archive/rollback.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import { openTemporary, useS3 } from '../support/buckets.ts';
import { createCatalogue, objects, tree } from './catalogue.ts';
import { countWrites, recorded } from './recorded.ts';

const { openPrefix } = useS3();

const DAY = 24 * 60 * 60 * 1000;
const settings = (layout: string) =>
  `page_sizes: [25]\nlayout: ${layout}\ntargets: []\nbulk: false\ndocs: false\nexplorer: { enabled: false }\n`;

/** What a bucket holds, without packed objects that only earlier releases need. */
async function liveObjects(bucket: Bucket, folder: string) {
  const built = tree(folder);
  const found = await objects(bucket);
  return new Map([...found].filter(([key]) => built.has(key) || !isImmutableKey(key)));
}

describe('a packed release', () => {
  it('is published with at most ten writes after a change of one title, and goes live with one', async () => {
    const bucket = openPrefix();
    const catalogue = createCatalogue(40, settings('packed'));
    // Not in the first city, whose properties are the examples of the OpenAPI document.
    catalogue.add(30, { city: 'Westport' });
    await catalogue.publish(bucket);
    expect(await objects(bucket)).toEqual(tree(catalogue.public));
    catalogue.add(30, { city: 'Westport', title: 'House 30, the new one' });
    const { bucket: watched, requests } = recorded(bucket);
    await catalogue.publish(watched);
    expect(await liveObjects(bucket, catalogue.public)).toEqual(tree(catalogue.public));
    // Includes requests for the timeline and the archive; the lease is renewed after some time.
    expect(countWrites(requests.filter((request) => !request.endsWith(LOCK_KEY)))).toBeLessThanOrEqual(10);
    const place = (text: string) => requests.findIndex((request) => request.startsWith(`write ${text}`));
    const order = [
      `${CHUNKS_FOLDER}/`,
      '_catalogue/properties/',
      `${ROOTS_FOLDER}/`,
      MANIFEST_KEY,
      CURRENT_KEY,
    ];
    const places = order.map(place);
    expect(places.every((index) => index >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(requests.filter((request) => request === `write ${CURRENT_KEY}`)).toHaveLength(1);
  });

  it('is rolled back with the details, the documents, and one write of current.json, but without packed objects', async () => {
    const bucket = openPrefix();
    const catalogue = createCatalogue(30, settings('packed'));
    const first = await catalogue.publish(bucket);
    const before = await objects(bucket);
    catalogue.add(7, { title: 'Another' });
    const second = await catalogue.publish(bucket);
    const { bucket: watched, requests } = recorded(bucket);
    await rollBack(watched, first.release);
    expect(requests.filter((request) => /^write .*(?:chunks|cities|roots)\//.test(request))).toEqual([]);
    expect(requests.filter((request) => request === `write ${CURRENT_KEY}`)).toHaveLength(1);
    const after = await objects(bucket);
    for (const [key, tag] of before) expect([key, after.get(key)]).toEqual([key, tag]);

    // After the prune the chunks of the second release are gone, and those of the live one remain.
    const { packed, pruned } = await pruneReleases(bucket, { now: Date.now() + 8 * DAY });
    expect(pruned).toEqual([second.release]);
    expect(packed).toBeGreaterThanOrEqual(2);
    expect(await objects(bucket)).toEqual(before);
  });

  it('is not restored when one of its chunks is missing', async () => {
    const bucket = openTemporary();
    const catalogue = createCatalogue(5, settings('packed'));
    const first = await catalogue.publish(bucket);
    const [chunk = ''] = [...(await objects(bucket)).keys()].filter((key) =>
      key.startsWith(`${CHUNKS_FOLDER}/`),
    );
    catalogue.add(2, { title: 'Another' });
    await catalogue.publish(bucket);
    const present = await objects(bucket);
    await bucket.remove([chunk]);
    await expect(rollBack(bucket, first.release)).rejects.toMatchObject({ code: 'release-damaged' });
    present.delete(chunk);
    expect(await objects(bucket)).toEqual(present);
  });

  it('is not published from damaged files', async () => {
    const bucket = openTemporary();
    const catalogue = createCatalogue(5, settings('packed'));
    await catalogue.build();
    const [chunk = ''] = [...catalogue.tree().keys()].filter((key) => key.startsWith(`${CHUNKS_FOLDER}/`));
    writeFileSync(join(catalogue.public, chunk), 'no chunk');
    const publish = async () => publishRelease(bucket, await openDist(catalogue.out));
    await expect(publish()).rejects.toMatchObject({ code: 'dist-damaged' });
    expect(await objects(bucket)).toEqual(new Map());
  });

  it('replaces pages, and is replaced by pages', async () => {
    const bucket = openTemporary();
    const catalogue = createCatalogue(60, settings('pages'));
    for (const layout of ['packed', 'both', 'pages', 'packed']) {
      catalogue.configure(settings(layout));
      await catalogue.publish(bucket);
      expect(await liveObjects(bucket, catalogue.public), layout).toEqual(tree(catalogue.public));
    }
  });

  it('is repaired by a publish that compares with a listing', async () => {
    const bucket = openTemporary();
    const catalogue = createCatalogue(5, settings('packed'));
    await catalogue.publish(bucket);
    const sound = await objects(bucket);
    const [chunk = ''] = [...sound.keys()].filter((key) => key.startsWith(`${CHUNKS_FOLDER}/`));
    await bucket.remove([chunk]);
    const headers = { contentType: 'application/json', cacheControl: 'no-cache' };
    await bucket.write(CURRENT_KEY, Buffer.from('{}'), headers);
    await publishRelease(bucket, await openDist(catalogue.out), { verify: true });
    expect(await objects(bucket)).toEqual(sound);
  });
});
