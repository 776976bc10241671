import { describe, expect, it } from 'vitest';
import { CHUNKS_FOLDER, CURRENT_KEY, ROOTS_FOLDER } from '../../src/contract/object-keys.ts';
import { isSharedKey } from '../../src/contract/object-kinds.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { isLogKey } from '../../src/storage/lock-log.ts';
import { openTemporary } from '../support/bucket.ts';
import { useS3 } from '../support/s3.ts';
import { createCatalogue, expectObjects, objects, tree } from './catalogue.ts';
import { countWrites, recorded } from './recorded.ts';

const { openPrefix } = useS3();

const settings = (layout: string) =>
  `page_sizes: [25]\nlayout: ${layout}\ntargets: []\nbulk: false\ndocs: false\nexplorer: { enabled: false }\n`;

/** What a bucket holds, without packed objects that only earlier releases need. */
async function liveObjects(bucket: Bucket, folder: string) {
  const built = tree(folder);
  const found = await objects(bucket);
  return new Map([...found].filter(([key]) => built.has(key) || !isSharedKey(key)));
}

describe('a packed release', () => {
  it('is published with at most ten writes after a change of one title, and goes live with one', async () => {
    const bucket = openPrefix();
    const catalogue = createCatalogue(40, settings('packed'));
    // Not in the first city, whose properties are the examples of the OpenAPI document.
    catalogue.add(30, { city: 'Westport' });
    await catalogue.publish(bucket);
    await expectObjects(bucket, tree(catalogue.public));
    catalogue.add(30, { city: 'Westport', title: 'House 30, the new one' });
    const { bucket: watched, requests } = recorded(bucket);
    await catalogue.publish(watched);
    expect(await liveObjects(bucket, catalogue.public)).toEqual(tree(catalogue.public));
    // Includes requests for the timeline; beats come after some time.
    expect(countWrites(requests.filter((request) => !isLogKey(request)))).toBeLessThanOrEqual(10);
    const place = (text: string) => requests.findIndex((request) => request.startsWith(`write ${text}`));
    const order = [`${ROOTS_FOLDER}/`, `${CHUNKS_FOLDER}/`, CURRENT_KEY, CURRENT_KEY];
    const places = order.map(place);
    expect(places.every((index) => index >= 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(requests.filter((request) => request === `write ${CURRENT_KEY}`)).toHaveLength(1);
  });

  it('replaces pages, and is replaced by pages', async () => {
    const bucket = openTemporary();
    const catalogue = createCatalogue(60, settings('pages'));
    for (const layout of ['packed', 'pages', 'packed']) {
      catalogue.configure(settings(layout));
      await catalogue.publish(bucket);
      expect(await liveObjects(bucket, catalogue.public), layout).toEqual(tree(catalogue.public));
    }
  });
});
