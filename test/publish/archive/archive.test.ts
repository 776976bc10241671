/** What a bucket keeps of large releases: shared pieces, and apart from them what changed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MAX_APART } from '../../../src/publish/archive/content.ts';
import { pruneReleases } from '../../../src/publish/archive/prune.ts';
import { rollBack } from '../../../src/publish/archive/rollback.ts';
import { openDist } from '../../../src/publish/dist-source.ts';
import { publishRelease } from '../../../src/publish/publish.ts';
import type { Source } from '../../../src/publish/source.ts';
import { digestOf } from '../../../src/release/digest.ts';
import { parseRelease } from '../../../src/release/release.ts';
import { PART } from '../../../src/storage/body.ts';
import type { Bucket, LargeBody } from '../../../src/storage/bucket.ts';
import { openFolder } from '../../../src/storage/folder/bucket.ts';
import { LOCK_KEY, PIECES_FOLDER, releaseObjectsKey } from '../../../src/storage/reserved-keys.ts';
import { idOf } from '../../build/workspace.ts';
import { createCatalogue, dated, objects } from '../catalogue.ts';
import { countWrites, recorded } from '../recorded.ts';

const PROPERTIES = MAX_APART + 100;
const DAY = 24 * 60 * 60 * 1000;
const settings = (layout: string, bulk: boolean) =>
  `page_sizes: [25]\nlayout: ${layout}\ntargets: []\nbulk: ${bulk}\ndocs: false\nexplorer: { enabled: false }\n`;

function openTemporary(): Bucket {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-archive-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return openFolder(join(root, 'bucket'));
}

async function pieces(bucket: Bucket): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(`${PIECES_FOLDER}/`)) keys.push(key);
  return keys;
}

/** A source that counts the details that are read from it. */
function counted(source: Source): { source: Source; details: Set<string> } {
  const details = new Set<string>();
  const body: Source['body'] = (object) => {
    if (object.kind === 'detail') details.add(object.id);
    return source.body(object);
  };
  return { details, source: { ...source, body } };
}

it('a large release shares its pieces with the next one, and each can be restored', async () => {
  const bucket = openTemporary();
  const catalogue = createCatalogue(PROPERTIES, settings('packed', true));
  const open = async (day: string) => {
    await catalogue.build();
    return dated(await openDist(catalogue.out), day);
  };
  const first = await open('2026-03-01T00:00:00Z');
  await publishRelease(bucket, first);
  const begun = await objects(bucket);
  const shared = await pieces(bucket);
  expect(shared.length).toBeGreaterThan(2);

  // One title: only that is read, of the new release and of the one before; no piece is written.
  catalogue.add(700, { title: 'Another' });
  const { source: second, details } = counted(await open('2026-03-02T00:00:00Z'));
  const { bucket: watched, requests } = recorded(bucket);
  await publishRelease(watched, second);
  expect([...details]).toEqual([idOf(700)]);
  expect(requests.filter((request) => request.startsWith(`read ${PIECES_FOLDER}/`))).toHaveLength(1);
  expect(requests.filter((request) => request.startsWith(`write ${PIECES_FOLDER}/`))).toEqual([]);
  const month = await bucket.read('changes/2026-03.ndjson');
  expect(JSON.parse(month!.body.toString().split('\n')[1]!).changed).toEqual([
    { id: idOf(700), fields: ['title'] },
  ]);

  // A second one stands apart beside it; then so many that the pieces are made again.
  catalogue.add(701, { title: 'Another one' });
  const third = counted(await open('2026-03-03T00:00:00Z'));
  await publishRelease(bucket, third.source);
  expect(third.details).toEqual(new Set([idOf(700), idOf(701)]));
  const middle = await objects(bucket);
  for (let n = 1; n <= PROPERTIES; n++) catalogue.add(n, { title: `Renamed ${n}` });
  const fourth = await open('2026-03-04T00:00:00Z');
  await publishRelease(bucket, fourth);
  const ended = await objects(bucket);
  expect((await pieces(bucket)).length).toBeGreaterThan(shared.length);

  const others = (found: Map<string, string>) => [...found].filter(([key]) => !/(chunks|roots)\//.test(key));
  await rollBack(bucket, first.release.name);
  expect(others(await objects(bucket))).toEqual(others(begun));
  await rollBack(bucket, third.source.release.name);
  expect(others(await objects(bucket))).toEqual(others(middle));
  await rollBack(bucket, fourth.release.name);
  expect(others(await objects(bucket))).toEqual(others(ended));

  // Pieces go with the last release that needs them; those of the live one stay.
  await pruneReleases(bucket, { now: Date.now() + 8 * DAY });
  const left = await pieces(bucket);
  expect(left.filter((key) => shared.includes(key))).toEqual([]);
  expect(left.length).toBeGreaterThan(2);
  expect(others(await objects(bucket))).toEqual(others(ended));
});

it('a release that lacks a piece is not restored, and the bucket stays as it is', async () => {
  for (const layout of ['packed', 'pages']) {
    const bucket = openTemporary();
    const catalogue = createCatalogue(PROPERTIES, settings(layout, false));
    const first = await catalogue.publish(bucket);
    for (let n = 1; n <= PROPERTIES; n++) catalogue.add(n, { title: `Renamed ${n}` });
    const [key = ''] = await pieces(bucket);
    await catalogue.publish(bucket);
    const present = await objects(bucket);
    const piece = await bucket.read(key);
    await bucket.remove([key]);
    await expect(rollBack(bucket, first.release), layout).rejects.toMatchObject({ code: 'release-damaged' });
    const headers = { contentType: 'application/gzip', cacheControl: 'no-store' };
    await bucket.write(key, piece!.body.subarray(0, -20), headers);
    await expect(rollBack(bucket, first.release), layout).rejects.toMatchObject({ code: 'release-damaged' });
    expect(await objects(bucket)).toEqual(present);
    await bucket.write(key, piece!.body, headers);
    await rollBack(bucket, first.release);
  }
});

it('a large document is restored a part at a time', async () => {
  const large = 'large.ndjson';
  const bytes = Buffer.alloc(2 * PART + 5, 'property ');
  const catalogue = createCatalogue(3, settings('pages', false));
  await catalogue.build();
  const built = await openDist(catalogue.out);
  const { manifest } = built.release;
  const documents = { ...manifest.documents, [large]: digestOf(bytes) };
  const body: LargeBody = { size: bytes.length, read: async (from, to) => bytes.subarray(from, to) };
  const source: Source = {
    ...built,
    release: parseRelease(Buffer.from(JSON.stringify({ ...manifest, documents })))!,
    body: (object) => (object.key === large ? body : built.body(object)),
    check: async () => {},
  };
  const bucket = openTemporary();
  await publishRelease(bucket, source);
  catalogue.add(4);
  await catalogue.publish(bucket);
  expect(await bucket.inspect(large)).toBeUndefined();

  const sizes: number[] = [];
  const watched: Bucket = {
    ...bucket,
    async read(key) {
      const object = await bucket.read(key);
      sizes.push(object?.body.length ?? 0);
      return object;
    },
    async readLarge(key) {
      const found = (await bucket.readLarge!(key))!;
      const read: LargeBody['read'] = async (from, to) => {
        sizes.push(to - from);
        return found.read(from, to);
      };
      return { size: found.size, read };
    },
  };
  await rollBack(watched, source.release.name);
  expect((await bucket.read(large))?.body.equals(bytes)).toBe(true);
  expect(Math.max(...sizes)).toBe(PART);
});

it('a publish of one title writes at most ten objects, with all that publishing itself writes but its lease', async () => {
  const bucket = openTemporary();
  const catalogue = createCatalogue(PROPERTIES, settings('packed', false));
  await catalogue.publish(bucket);
  catalogue.add(700, { title: 'House 700, the new one' });
  const { bucket: watched, requests } = recorded(bucket);
  const { release } = await catalogue.publish(watched);
  expect(requests).toContain(`write ${releaseObjectsKey(release)}`);
  // The lease is renewed as time goes by.
  const others = requests.filter((request) => !request.endsWith(LOCK_KEY));
  expect(countWrites(others)).toBeLessThanOrEqual(10);
});
