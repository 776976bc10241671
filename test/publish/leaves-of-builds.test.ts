/** Publishing a release of many chunks and parts. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Changes } from '../../src/contract/document-schemas.ts';
import { CHUNKS_FOLDER, CURRENT_KEY, PARTS_FOLDER } from '../../src/contract/object-keys.ts';
import { diffContent } from '../../src/diff/diff.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import { describeReleases } from '../../src/publish/list-releases.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { type PublishOptions, publishRelease } from '../../src/publish/publish.ts';
import { rollBack } from '../../src/publish/rollback.ts';
import { openRelease } from '../../src/release/open-release.ts';
import { idInSummary, type Release, readSummaries } from '../../src/release/release.ts';
import { openBuiltCatalogue } from '../../src/serve/built-catalogue.ts';
import { startServer } from '../../src/serve/server.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { verifyDeployment } from '../../src/verify/verify.ts';
import { idOf } from '../compile/workspace.ts';
import { freePort } from '../conformance/server.ts';
import { openTemporary } from '../support/bucket.ts';
import { type Catalogue, createCatalogue, objects, tree } from './catalogue.ts';
import { dated } from './made.ts';
import { recorded } from './recorded.ts';

const FEW = 20;

vi.mock('../../src/tree/format/chunk.ts', async (original) => ({
  ...(await original<typeof import('../../src/tree/format/chunk.ts')>()),
  CHUNK_SIZES: { averageRun: 8, most: 100 },
}));
vi.mock('../../src/compile/write/bulk-files.ts', async (original) => ({
  ...(await original<typeof import('../../src/compile/write/bulk-files.ts')>()),
  PART_LIMITS: { whole: 1, part: 4000 },
}));

const SETTINGS =
  'page_sizes: [25]\nlayout: packed\ntargets: []\nbulk: false\ndocs: false\nexplorer: { enabled: false }\n';
const LAYOUTS = ['packed', 'pages'] as const;
type Layout = (typeof LAYOUTS)[number];
const settings = (layout: Layout = 'packed') => SETTINGS.replace('packed', layout);
const DAY = 24 * 60 * 60 * 1000;

async function faults(url: string, expected: Release | undefined) {
  const { differences } = await verifyDeployment(url, { all: true, expected });
  return differences;
}

const chunksIn = (keys: Iterable<string>) => [...keys].filter((key) => key.includes(`${CHUNKS_FOLDER}/`));
const partsIn = (keys: Iterable<string>) => [...keys].filter((key) => key.includes(`${PARTS_FOLDER}/`));
const leavesIn = (keys: Iterable<string>) => [...chunksIn(keys), ...partsIn(keys)];

/** A published catalogue of forty houses, and then a build with another title. */
async function publishTwo(layout?: Layout) {
  const bucket = openTemporary();
  const catalogue = createCatalogue(2 * FEW, settings(layout));
  const first = await catalogue.publish(bucket);
  const before = await objects(bucket);
  catalogue.add(12, { title: 'House 12, the new one' });
  await catalogue.build();
  return { bucket, catalogue, first, before };
}

describe.each(LAYOUTS)('a release of many leaves (%s)', (layout) => {
  it('sends and reads only the leaves that differ', async () => {
    const { bucket, catalogue, before } = await publishTwo(layout);
    for (const leaves of [chunksIn, partsIn]) expect(leaves(before.keys()).length).toBeGreaterThan(3);
    const { bucket: watched, requests } = recorded(bucket);
    const changed = [...tree(catalogue.public).keys()].filter((key) => !before.has(key));
    await publishRelease(watched, await openDist(catalogue.out));
    for (const leaves of [chunksIn, partsIn]) {
      const asked = leaves(requests);
      expect(asked.filter((request) => request.startsWith('write'))).toHaveLength(leaves(changed).length);
      const read = asked.filter((request) => request.startsWith('read'));
      expect(read).toHaveLength(layout === 'pages' || leaves === chunksIn ? 1 : 0);
      expect(
        asked.every((request) => requests.indexOf(request) < requests.indexOf(`write ${CURRENT_KEY}`)),
      ).toBe(true);
    }
    const after = await objects(bucket);
    for (const [key, tag] of tree(catalogue.public)) expect([key, after.get(key)]).toEqual([key, tag]);
    const again = recorded(bucket);
    await publishRelease(again.bucket, await openDist(catalogue.out));
    expect(again.requests).toHaveLength(3);
  });

  it('has the same properties wherever it is opened', async () => {
    const { catalogue } = await publishTwo(layout);
    const opened = (await openRelease(catalogue.public))!;
    const ids = await opened.ids();
    expect([opened.release.root.total, ids.length]).toEqual([2 * FEW, 2 * FEW]);
    for (const id of ids) expect(JSON.parse(await opened.detail(id))).toMatchObject({ city: 'Galway' });
    const [first] = await readSummaries(opened.release, 0, 1);
    const [, list, property] = openBuiltCatalogue(catalogue.out, catalogue.content).urls;
    expect(list).toContain('filter[city]=Galway');
    expect(property).toContain(idInSummary(first!));
  });

  it('is restored without sending a leaf, and prune removes the leaves that the live one lacks', async () => {
    const { bucket, catalogue, first, before } = await publishTwo(layout);
    const second = await publishRelease(bucket, await openDist(catalogue.out));
    const { bucket: watched, requests } = recorded(bucket);
    await rollBack(watched, first.release);
    expect(leavesIn(requests).filter((request) => request.startsWith('write'))).toEqual([]);
    const { pruned } = await pruneReleases(bucket, { now: Date.now() + 8 * DAY });
    expect(pruned).toEqual([second.release]);
    expect(await objects(bucket)).toEqual(before);
    const described = await describeReleases(bucket);
    // The root of the other is gone.
    expect(described.map(({ properties }) => properties)).toEqual([2 * FEW, undefined]);
    await expect(rollBack(bucket, second.release)).rejects.toMatchObject({ code: 'release-pruned' });
  });

  it('can be verified from outside, and reviewed against other content', async () => {
    const port = await freePort();
    const catalogue = createCatalogue(2 * FEW, `${settings(layout)}base_url: http://127.0.0.1:${port}\n`);
    await catalogue.build();
    const { release } = await openDist(catalogue.out);
    const server = await startServer({ root: catalogue.public, port });
    onTestFinished(server.close);
    for (const expected of [undefined, release]) expect(await faults(server.url, expected)).toEqual([]);
    catalogue.add(3, { title: 'Another' });
    catalogue.remove('house-9.yaml');
    const { changed, removed } = await diffContent({ content: catalogue.content, base: server.url });
    expect([changed.map(({ id }) => id), removed.map(({ id }) => id)]).toEqual([[idOf(3)], [idOf(9)]]);
  });
});

type Change = (catalogue: Catalogue, bucket: Bucket) => unknown;

describe('a packed release is restored', () => {
  const MONTH_KEY = 'changes/2026-02.ndjson';
  const DOWNLOADS = SETTINGS.replace('bulk: false', 'bulk: true');
  const title: Change = (catalogue) => catalogue.add(12, { title: 'House 12, the new one' });

  /** Restores the first of two releases. Returns how many of its chunks were read, and what the history says. */
  async function restored(change: Change, options: PublishOptions = {}, damage?: Change) {
    const bucket = openTemporary();
    const catalogue = createCatalogue(2 * FEW, DOWNLOADS);
    const publish = async (day: number) => {
      await catalogue.build();
      return publishRelease(bucket, dated(await openDist(catalogue.out), `2026-02-0${day}T00:00:00Z`));
    };
    await publish(1);
    const before = await objects(bucket);
    await change(catalogue, bucket);
    await publish(2);
    await damage?.(catalogue, bucket);
    const { bucket: watched, requests } = recorded(bucket);
    await rollBack(watched, undefined, options);
    const first = chunksIn(before.keys());
    const read = first.filter((key) => requests.includes(`read ${key}`)).length;
    const month = (await bucket.read(MONTH_KEY))!.body.toString('utf8');
    const { added, changed, removed } = JSON.parse(month.trimEnd().split('\n').at(-1)!) as Changes;
    await pruneReleases(bucket, { now: Date.now() + 8 * DAY });
    expect(await objects(bucket)).toEqual(before);
    return { read, all: first.length, changes: [added.length, changed, removed] };
  }

  it.each<[string, Change, unknown]>([
    ['another title', title, [0, [{ id: idOf(12), fields: ['title'] }], []]],
    ['a new property', (catalogue) => catalogue.add(2 * FEW + 1), [0, [], [idOf(2 * FEW + 1)]]],
    ['a removed one', (catalogue) => catalogue.remove('house-9.yaml'), [1, [], []]],
  ])('after %s, by reading the chunks in which it differs', async (_what, change, changes) => {
    const found = await restored(change);
    expect(found.changes).toEqual(changes);
    expect([found.read <= 2, found.all > 3]).toEqual([true, true]);
  });

  const forget: Change = async (_, bucket) => {
    const [first] = (await bucket.read(MONTH_KEY))!.body.toString('utf8').split('\n');
    await bucket.write(MONTH_KEY, Buffer.from(`${first}\n`), { contentType: '', cacheControl: '' });
  };
  const pages: Change = (catalogue) => catalogue.configure(DOWNLOADS.replace('packed', 'pages'));
  it.each<[string, Change, PublishOptions, Change, number]>([
    ['the history lacks the live release', title, {}, forget, 2 * FEW],
    ['the live release has files', pages, {}, () => {}, 0],
  ])('by reading all chunks where %s', async (_what, change, options, damage, added) => {
    const { read, all, changes } = await restored(change, options, damage);
    expect([read, changes[0]]).toEqual([all, added]);
  });
});

describe.each(LAYOUTS)('a missing or damaged chunk in the bucket (%s)', (layout) => {
  async function damage(bytes: Buffer | undefined) {
    const { bucket, catalogue, before } = await publishTwo(layout);
    await publishRelease(bucket, dated(await openDist(catalogue.out), '2026-02-02T00:00:00Z'));
    catalogue.add(12, { title: 'House 12, once more' });
    await catalogue.build();
    const third = await openDist(catalogue.out);
    // A chunk that the next release lacks: all others are read from the files of that release.
    const after = tree(catalogue.public);
    const live = chunksIn((await objects(bucket)).keys()).filter(
      (key) => !before.has(key) && !after.has(key),
    );
    expect(live.length).toBeGreaterThan(0);
    const headers = { contentType: 'application/octet-stream', cacheControl: 'no-store' };
    for (const key of live) {
      if (bytes) await bucket.write(key, bytes, headers);
      else await bucket.remove([key]);
    }
    return { bucket, catalogue, third };
  }

  it.each([
    ['missing', undefined],
    ['damaged', Buffer.from('{"cities"')],
  ])('%s: the bucket is listed, guards keep working, and a publish repairs it', async (_what, bytes) => {
    const { bucket, catalogue, third } = await damage(bytes);
    const older = dated(third, '2026-01-01T00:00:00Z');
    await expect(publishRelease(bucket, older)).rejects.toMatchObject({ code: 'older-commit' });
    const { bucket: watched, requests } = recorded(bucket);
    await publishRelease(watched, third);
    expect(requests).toContain('list ');
    const found = await objects(bucket);
    for (const [key, tag] of tree(catalogue.public)) expect([key, found.get(key)]).toEqual([key, tag]);
    expect((await openDist(catalogue.out)).release.name).toBe(third.release.name);
  });
});
