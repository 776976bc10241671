/** Publishing a release of many parts. */
import { expect, it, onTestFinished, vi } from 'vitest';
import { PARTS_FOLDER, ROOTS_FOLDER, rootKey } from '../../src/contract/object-keys.ts';
import { diffContent } from '../../src/diff/diff.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { openRelease } from '../../src/release/open-release.ts';
import { startServer } from '../../src/serve/server.ts';
import { verifyDeployment } from '../../src/verify/verify.ts';
import { idOf } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { openTemporary } from '../support/bucket.ts';
import { createCatalogue, objects, tree } from './catalogue.ts';
import { recorded } from './recorded.ts';

// A part for each property.
vi.mock('../../src/compile/write/bulk-files.ts', async (original) => ({
  ...(await original<typeof import('../../src/compile/write/bulk-files.ts')>()),
  PART_LIMITS: { whole: 1, part: 1 },
}));

const COUNT = 200;
const DAY = 24 * 60 * 60 * 1000;
const SETTINGS = 'page_sizes: [25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';
const LAYOUTS = ['pages', 'packed'] as const;

const isPart = (key: string) => key.startsWith(PARTS_FOLDER);

function createLarge(layout: string, more = '') {
  return createCatalogue(COUNT, `${SETTINGS}layout: ${layout}\n${more}`);
}

it.each(LAYOUTS)('the root is read once, and that of the next release is not (%s)', async (layout) => {
  const bucket = openTemporary();
  const catalogue = createLarge(layout);
  const first = await catalogue.publish(bucket);
  const before = await objects(bucket);
  expect([...before.keys()].filter(isPart)).toHaveLength(COUNT);

  catalogue.add(12, { title: 'House 12, the new one' });
  await catalogue.build();
  const { bucket: watched, requests } = recorded(bucket);
  const second = await publishRelease(watched, await openDist(catalogue.out));
  const read = requests.filter((request) => request.startsWith(`read ${ROOTS_FOLDER}`));
  expect(read).toEqual([`read ${rootKey(first.release)}`]);
  const written = requests.filter((request) => request.startsWith(`write ${PARTS_FOLDER}`));
  expect(written).toHaveLength(1);
  const after = await objects(bucket);
  for (const [key, tag] of tree(catalogue.public)) expect([key, after.get(key)]).toEqual([key, tag]);

  const again = recorded(bucket);
  await rollBack(again.bucket, first.release);
  expect(again.requests.filter((request) => request.startsWith(`write ${PARTS_FOLDER}`))).toEqual([]);
  const { pruned } = await pruneReleases(bucket, { now: Date.now() + 8 * DAY });
  expect(pruned).toEqual([second.release]);
  expect(await objects(bucket)).toEqual(before);
});

it.each(LAYOUTS)('is opened, verified and reviewed (%s)', async (layout) => {
  const port = await freePort();
  const catalogue = createLarge(layout, `base_url: http://127.0.0.1:${port}\n`);
  await catalogue.build();
  const { release } = await openDist(catalogue.out);
  const server = await startServer({ root: catalogue.public, port });
  onTestFinished(server.close);
  const opened = (await openRelease(server.url))!;
  expect(opened.release.documents).toEqual(release.documents);
  const { differences } = await verifyDeployment(server.url, { all: true });
  expect(differences).toEqual([]);
  catalogue.add(3, { title: 'Another' });
  const { changed } = await diffContent({ content: catalogue.content, base: server.url });
  expect(changed.map(({ id }) => id)).toEqual([idOf(3)]);
});
