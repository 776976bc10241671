/** The page of the explorer and its assets, whose names differ between versions. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { EXPLORER_KEY } from '../../src/contract/document-keys.ts';
import { EXPLORER_FOLDER } from '../../src/contract/keys.ts';
import { pruneReleases } from '../../src/publish/archive/prune.ts';
import { rollBack } from '../../src/publish/archive/rollback.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import type { Source } from '../../src/publish/source.ts';
import { digestOf } from '../../src/release/digest.ts';
import { parseRelease } from '../../src/release/read.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolder } from '../../src/storage/folder/bucket.ts';
import { createCatalogue, objects, tree } from './catalogue.ts';
import { recorded } from './recorded.ts';

const DAY = 24 * 60 * 60 * 1000;
const APP = `${EXPLORER_FOLDER}/app-`;
const OLD = `${EXPLORER_FOLDER}/app-old-`;

/** The same release as an earlier version of this program would have built it. */
async function builtEarlier(source: Source): Promise<Source> {
  const { manifest } = source.release;
  const read = (key: string) => source.body({ kind: 'document', key });
  const page = Buffer.from((await read(EXPLORER_KEY)).toString('utf8').replaceAll(APP, OLD));
  const documents = Object.entries(manifest.documents).map(([key, digest]) => [
    key.replace(APP, OLD),
    key === EXPLORER_KEY ? digestOf(page) : digest,
  ]);
  // The name of the release depends on the version of the tool too.
  const earlier = { ...manifest, release: 'e'.repeat(32), documents: Object.fromEntries(documents) };
  return {
    ...source,
    release: parseRelease(Buffer.from(JSON.stringify(earlier)))!,
    check: async () => {},
    body: async (object) =>
      object.key === EXPLORER_KEY ? page : source.body({ ...object, key: object.key.replace(OLD, APP) }),
  };
}

async function publishTwo() {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-explorer-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const bucket = openFolder(join(root, 'bucket'));
  const catalogue = createCatalogue(2);
  await catalogue.build();
  const source = await openDist(catalogue.out);
  const first = await publishRelease(bucket, await builtEarlier(source));
  const { bucket: watched, requests } = recorded(bucket);
  const second = await publishRelease(watched, source);
  return { bucket, catalogue, source, first: first.release, second: second.release, requests };
}

const keys = async (bucket: Bucket, prefix: string) =>
  [...(await objects(bucket)).keys()].filter((key) => key.startsWith(prefix)).sort();

/** Keys of the files that the page in the bucket loads at once. */
async function loaded(bucket: Bucket): Promise<string[]> {
  const page = (await bucket.read(EXPLORER_KEY))!.body.toString('utf8');
  return [...page.matchAll(/(?:src|href)="(explorer\/[^"]+)"/g)].map(([, key = '']) => key);
}

it('writes the assets of the page before the page, and keeps those of the previous page', async () => {
  const { bucket, catalogue, source, requests } = await publishTwo();
  const written = requests.filter((request) => request.startsWith('write '));
  const assets = written.filter((request) => request.startsWith(`write ${APP}`));
  expect(assets.length).toBeGreaterThanOrEqual(2);
  const page = written.indexOf(`write ${EXPLORER_KEY}`);
  for (const asset of assets) expect(written.indexOf(asset)).toBeLessThan(page);
  const old = await keys(bucket, OLD);
  expect(old).toHaveLength(assets.length);
  for (const [key, tag] of tree(catalogue.public)) expect((await objects(bucket)).get(key)).toBe(tag);
  // A publish that compares with a listing does not remove them either.
  await publishRelease(bucket, source, { verify: true });
  expect(await keys(bucket, OLD)).toEqual(old);
});

it('rolls back to a page with all its assets, and removes the others after a time', async () => {
  const { bucket, catalogue, first, second } = await publishTwo();
  await rollBack(bucket, first);
  const [script = '', ...others] = (await loaded(bucket)).filter((key) => key.startsWith(OLD));
  expect(others).toHaveLength(1);
  await rollBack(bucket, second);
  expect((await pruneReleases(bucket, { now: Date.now() + 6 * DAY })).assets).toBe(0);
  const old = await keys(bucket, OLD);
  expect(await pruneReleases(bucket, { now: Date.now() + 8 * DAY })).toMatchObject({
    pruned: [first],
    media: 0,
    packed: 0,
    assets: old.length,
  });
  expect(await bucket.read(script)).toBeUndefined();
  expect(await objects(bucket)).toEqual(tree(catalogue.public));
});
