/** Publishing from end to end, as a person would do it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MANIFEST_KEY, propertyKey } from '../../src/contract/keys.ts';
import { describeReleases, listReleases } from '../../src/publish/archive/list.ts';
import { rollBack } from '../../src/publish/archive/rollback.ts';
import { openDist } from '../../src/publish/dist-source.ts';
import type { PublishEvent } from '../../src/publish/progress.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { openFolder } from '../../src/storage/folder/bucket.ts';
import { isAtRest, readLease } from '../../src/storage/lease-record.ts';
import { LOCK_KEY, RELEASES_FOLDER } from '../../src/storage/reserved-keys.ts';
import { withRetry } from '../../src/storage/retry.ts';
import { idOf } from '../build/workspace.ts';
import { createCatalogue, dated, objects, photo, tree, written } from './catalogue.ts';
import { recorded } from './recorded.ts';
import { type S3Server, startS3 } from './s3-server.ts';

let server: S3Server;
beforeAll(async () => {
  server = await startS3();
});
afterAll(() => server.stop());

let prefixes = 0;
function openPrefix(): Bucket {
  const { bucket, close } = server.open(`publish-${prefixes++}`);
  onTestFinished(close);
  return withRetry(bucket);
}

function openTemporary(): Bucket {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-bucket-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return openFolder(join(root, 'bucket'));
}

/** These catalogues are in no repository. */
const TIMELESS =
  'The release has no time, since its content is in no git repository: its changes are not recorded.';

const isControl = (request: string) =>
  [LOCK_KEY, `${RELEASES_FOLDER}/`].some((key) => request.includes(` ${key}`));

describe.each([
  ['to a folder', openTemporary],
  ['to S3', openPrefix],
])('publishing %s', (_name, open) => {
  it('publishes, changes one field, removes a property, and goes back', async () => {
    const bucket = open();
    const catalogue = createCatalogue(6);

    const first = await catalogue.publish(bucket);
    expect(first).toMatchObject({ outcome: 'published', previous: null, removed: 0, unchanged: 0 });
    expect(written(first)).toMatchObject({ details: 6, pages: 4, totals: 4, manifest: 1 });
    expect(await objects(bucket)).toEqual(tree(catalogue.public));

    // A field that no list shows: one detail, and the files that hold everything.
    catalogue.add(3, { email: 'new@house.example' });
    const second = await catalogue.publish(bucket);
    expect(second).toMatchObject({ outcome: 'published', previous: first.release, removed: 0 });
    expect(second.written).toMatchObject({ details: 1, pages: 0, totals: 0, problems: 0, manifest: 1 });
    expect(await objects(bucket)).toEqual(tree(catalogue.public));

    catalogue.remove('house-6.yaml');
    const third = await catalogue.publish(bucket);
    expect(third.written).toMatchObject({ details: 0, pages: 4, totals: 4, manifest: 1 });
    // No list names it any more; it stays for readers of lists in caches (A9).
    expect([third.removed, third.retired]).toEqual([0, 1]);
    expect(await bucket.read(propertyKey(idOf(6)))).toBeDefined();
    expect(await objects(bucket)).toEqual(tree(catalogue.public));

    const back = await rollBack(bucket, undefined);
    expect(back).toMatchObject({ release: second.release, previous: third.release });
    expect(back.written).toMatchObject({ details: 1, pages: 4, totals: 4, manifest: 1 });
    catalogue.add(6);
    await catalogue.build();
    expect(await objects(bucket)).toEqual(tree(catalogue.public));

    await rollBack(bucket, first.release.slice(0, 8));
    catalogue.add(3);
    await catalogue.build();
    expect(await objects(bucket)).toEqual(tree(catalogue.public));
    const kept = await describeReleases(bucket);
    expect(kept.map(({ name, isLive }) => [name, isLive])).toEqual([
      [first.release, true],
      [second.release, false],
      [third.release, false],
    ]);
    expect(kept.map(({ properties }) => properties)).toEqual([6, 6, 5]);
  });

  it('writes nothing and lists nothing when it is run twice', async () => {
    const catalogue = createCatalogue(2);
    const { bucket, requests } = recorded(open());
    await catalogue.publish(bucket);
    requests.length = 0;
    const { outcome, unchanged } = await catalogue.publish(bucket);
    expect(outcome).toBe('unchanged');
    expect(unchanged).toBe(tree(catalogue.public).size);
    expect(requests).toEqual([`read ${LOCK_KEY}`, `read ${MANIFEST_KEY}`]);
  });

  it('writes what is referred to before what refers to it, and removes last', async () => {
    const catalogue = createCatalogue(30);
    catalogue.write('a.jpg', await photo(10));
    catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
    const { bucket, requests } = recorded(open());
    await catalogue.publish(bucket);
    catalogue.write('b.jpg', await photo(90));
    catalogue.add(2, { photo: [{ file: 'b.jpg' }] });
    for (let n = 25; n < 31; n++) catalogue.remove(`house-${n}.yaml`);
    requests.length = 0;
    const { removed, retired } = await catalogue.publish(bucket, { allowShrink: true });
    // The second page of each of four lists. Six details stay while caches may serve lists that name them (A9).
    expect([removed, retired]).toEqual([4, 6]);
    const phase = (request: string): number => {
      const [operation = '', key = ''] = request.split(' ');
      if (operation === 'remove') return 5;
      if (/^media\//.test(key)) return 0;
      if (/\/properties\//.test(key)) return 1;
      if (/\/pages\//.test(key)) return 2;
      return key === MANIFEST_KEY ? 4 : 3;
    };
    const changes = requests.filter((request) => /^(?:write|remove)/.test(request) && !isControl(request));
    const phases = changes.map(phase);
    expect(phases).toEqual([...phases].sort());
    expect(new Set(phases)).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(requests.filter((request) => request.startsWith('list'))).toEqual([]);
  });

  it('says what a dry run would do, and does nothing', async () => {
    const catalogue = createCatalogue(6);
    const bucket = open();
    await catalogue.publish(bucket);
    const before = await objects(bucket);
    catalogue.add(1, { email: 'new@house.example' });
    catalogue.add(7, { city: 'Sligo' });
    catalogue.remove('house-2.yaml');
    const { bucket: watched, requests } = recorded(bucket);
    const events: PublishEvent[] = [];
    const dry = await catalogue.publish(withDryRun(watched), { listener: (event) => events.push(event) });
    expect(requests.filter((request) => /^(?:write|remove)/.test(request))).toEqual([]);
    expect(await objects(bucket)).toEqual(before);
    const operations = events.flatMap((event) =>
      event.kind === 'write'
        ? [`${event.isNew ? '+' : '~'} ${event.key}`]
        : event.kind === 'remove'
          ? [`- ${event.key}`]
          : [],
    );
    const real = await catalogue.publish(bucket);
    expect({ ...dry, seconds: 0 }).toEqual({ ...real, seconds: 0 });
    expect(real).toMatchObject({ removed: 0, retired: 1 });
    const after = await objects(bucket);
    const expected = [
      ...[...after].filter(([key]) => !before.has(key)).map(([key]) => `+ ${key}`),
      ...[...after]
        .filter(([key, tag]) => before.has(key) && before.get(key) !== tag)
        .map(([key]) => `~ ${key}`),
    ];
    expect([...operations].sort()).toEqual(expected.sort());
  });

  it('lists the bucket when its manifest is missing or damaged, and sends only what is not there', async () => {
    const catalogue = createCatalogue(3);
    const bucket = open();
    await catalogue.publish(bucket);
    const headers = { contentType: 'application/json', cacheControl: 'no-store' };
    const notes: string[] = [];
    const listener = (event: PublishEvent) => void (event.kind === 'note' && notes.push(event.text));

    await bucket.remove([MANIFEST_KEY, propertyKey(idOf(2))]);
    const repaired = await catalogue.publish(bucket, { listener });
    expect(written(repaired)).toEqual({ details: 1, manifest: 1 });
    await bucket.write(MANIFEST_KEY, Buffer.from('{"version":1'), headers);
    expect(written(await catalogue.publish(bucket, { listener }))).toEqual({ manifest: 1 });
    expect(notes).toEqual([
      `There is no manifest in ${bucket.name}: its objects were listed.`,
      TIMELESS,
      `The manifest in ${bucket.name} is damaged: its objects were listed.`,
      TIMELESS,
    ]);
    expect(await objects(bucket)).toEqual(tree(catalogue.public));
  });

  it('compares with a real listing when it is asked to, and never touches what is not its own', async () => {
    const catalogue = createCatalogue(3);
    const bucket = open();
    const headers = { contentType: 'text/plain', cacheControl: 'no-store' };
    await catalogue.publish(bucket);
    await bucket.write('robots.txt', Buffer.from('mine'), headers);
    await bucket.write('_catalogue/pages/-/-/25-9.json', Buffer.from('whose?'), headers);
    expect((await catalogue.publish(bucket, { verify: true })).outcome).toBe('unchanged');
    await bucket.write(propertyKey(idOf(1)), Buffer.from('{}'), headers);
    await bucket.remove([propertyKey(idOf(2))]);
    expect((await catalogue.publish(bucket)).outcome).toBe('unchanged');
    const notes: string[] = [];
    const listener = (event: PublishEvent) => void (event.kind === 'note' && notes.push(event.text));
    expect(written(await catalogue.publish(bucket, { verify: true, listener }))).toEqual({ details: 2 });
    expect(notes).toEqual([
      `2 objects in ${bucket.name} belong to no known release, and stay as they are.`,
      TIMELESS,
    ]);
    const found = await objects(bucket);
    expect(found.delete('robots.txt') && found.delete('_catalogue/pages/-/-/25-9.json')).toBe(true);
    expect(found).toEqual(tree(catalogue.public));
  });
});

describe('headers', () => {
  it('go with each object by its kind, and a change of them alone is a change', async () => {
    const catalogue = createCatalogue(2);
    catalogue.write('a.jpg', await photo(10));
    catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
    const bucket = openPrefix();
    await catalogue.publish(bucket);
    const headersOf = async (key: string) => (await bucket.inspect(key))?.headers;
    const media = [...tree(catalogue.public).keys()].filter((key) => key.startsWith('media/'));
    expect(media).toHaveLength(2);
    for (const key of media) {
      expect(await headersOf(key)).toEqual({
        contentType: key.endsWith('.jpg') ? 'image/jpeg' : 'image/webp',
        cacheControl: 'public, max-age=31536000, immutable',
        cacheTag: key,
      });
    }
    const api = 'public, max-age=60, stale-while-revalidate=600, stale-if-error=86400';
    expect(await headersOf(propertyKey(idOf(1)))).toEqual({
      contentType: 'application/json',
      cacheControl: api,
      cacheTag: propertyKey(idOf(1)),
    });
    expect(await headersOf('_catalogue/pages/-/-/total')).toEqual({
      contentType: 'text/plain; charset=utf-8',
      cacheControl: api,
      cacheTag: 'pages/-/-',
    });
    expect(await headersOf('_catalogue/problems/not-found.json')).toEqual({
      contentType: 'application/problem+json',
      cacheControl: 'public, max-age=10',
      cacheTag: '_catalogue/problems/not-found.json',
    });

    catalogue.configure('page_sizes: [25]\ncache_control:\n  media: no-cache\n');
    const { written: counts } = await catalogue.publish(bucket);
    expect(counts).toMatchObject({ media: 2, details: 0, pages: 0, totals: 0, problems: 0, manifest: 1 });
    for (const key of media) expect((await headersOf(key))?.cacheControl).toBe('no-cache');

    // Found by listing too, where the bytes alone show nothing.
    await bucket.remove([MANIFEST_KEY]);
    catalogue.configure('page_sizes: [25]\n');
    expect((await catalogue.publish(bucket)).written).toMatchObject({ media: 2, details: 0, pages: 0 });
    expect((await headersOf(media[0]!))?.cacheControl).toContain('immutable');

    // Going back brings the headers back.
    await rollBack(bucket, undefined);
    expect((await headersOf(media[0]!))?.cacheControl).toBe('no-cache');
  });
});

describe('guards refuse before anything is written', () => {
  async function refused(publish: (bucket: Bucket) => Promise<unknown>, bucket: Bucket): Promise<string> {
    const { bucket: watched, requests } = recorded(bucket);
    const outcome = await publish(watched).then(
      () => 'published',
      (error: { code: string }) => error.code,
    );
    // Guards hold under the lease, which is given back as it was found.
    const changes = requests.filter((request) => /^(?:write|remove)/.test(request));
    expect(changes.filter((request) => request !== `write ${LOCK_KEY}`)).toEqual([]);
    const lease = await readLease(bucket);
    expect(!lease || isAtRest(lease.record)).toBe(true);
    return outcome;
  }

  it('a release that loses too many properties', async () => {
    const catalogue = createCatalogue(10);
    const bucket = openTemporary();
    await catalogue.publish(bucket);
    for (let n = 1; n <= 5; n++) catalogue.remove(`house-${n}.yaml`);
    await catalogue.publish(bucket);
    for (let n = 1; n <= 6; n++) catalogue.add(n);
    await catalogue.publish(bucket);
    for (let n = 1; n <= 6; n++) catalogue.remove(`house-${n}.yaml`);
    expect(await refused((watched) => catalogue.publish(watched), bucket)).toBe('too-many-removed');
    expect(await refused((watched) => catalogue.publish(watched, { maxShrink: 50 }), bucket)).toBe(
      'too-many-removed',
    );
    await catalogue.publish(withDryRun(bucket), { maxShrink: 60 });
    await catalogue.publish(bucket, { allowShrink: true });
    expect(await objects(bucket)).toEqual(tree(catalogue.public));
  });

  it('an empty catalogue', async () => {
    const catalogue = createCatalogue(1);
    const bucket = openTemporary();
    await catalogue.publish(bucket);
    catalogue.remove('house-1.yaml');
    expect(await refused((watched) => catalogue.publish(watched, { allowShrink: true }), bucket)).toBe(
      'empty-catalogue',
    );
  });

  it.each([
    ['a page that was changed', '_catalogue/pages/IE/-/25-1.json', '{"data":[]}'],
    ['a page that is missing', '_catalogue/pages/-/-/25-2.json', undefined],
    ['a total that was changed', '_catalogue/pages/IE/-/total', '9'],
    ['a detail that was changed', propertyKey(idOf(1)), '{}'],
    ['a detail that is missing', propertyKey(idOf(2)), undefined],
    ['a problem that was changed', '_catalogue/problems/not-found.json', '{}'],
  ])('a dist with %s', async (_name, key, content) => {
    const catalogue = createCatalogue(27);
    await catalogue.build();
    const path = join(catalogue.public, key);
    if (content === undefined) rmSync(path);
    else writeFileSync(path, content);
    const publish = async (watched: Bucket) => publishRelease(watched, await openDist(catalogue.out));
    expect(await refused(publish, openTemporary())).toBe('dist-damaged');
    await catalogue.build({ force: true });
    await publish(openTemporary());
  });

  it('a dist with a damaged photo (A5)', async () => {
    const catalogue = createCatalogue(2);
    catalogue.write('a.jpg', await photo(10));
    catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
    await catalogue.build();
    const [key = ''] = [...tree(catalogue.public).keys()].filter((name) => name.startsWith('media/'));
    writeFileSync(join(catalogue.public, key), 'x');
    const publish = async (watched: Bucket) => publishRelease(watched, await openDist(catalogue.out));
    expect(await refused(publish, openTemporary())).toBe('dist-damaged');
    await catalogue.build({ force: true });
    expect((await publish(openTemporary())).outcome).toBe('published');
  });

  it('a commit with the same release replaces the manifest, and an older one is still refused (B8)', async () => {
    const catalogue = createCatalogue(2);
    await catalogue.build();
    const source = await openDist(catalogue.out);
    const bucket = openTemporary();
    await publishRelease(bucket, dated(source, '2026-03-01T12:00:00Z'));
    const again = await publishRelease(bucket, dated(source, '2026-03-03T12:00:00Z'));
    expect([again.outcome, again.release, again.previous, written(again)]).toEqual([
      'published',
      source.release.name,
      source.release.name,
      { manifest: 1 },
    ]);
    expect((await listReleases(bucket)).map(({ name }) => name)).toEqual([source.release.name]);
    const between = dated(source, '2026-03-02T12:00:00Z');
    expect(await refused((watched) => publishRelease(watched, between), bucket)).toBe('older-commit');
    const { outcome } = await publishRelease(bucket, dated(source, '2026-03-03T12:00:00Z'));
    expect(outcome).toBe('unchanged');
  });

  it('a commit that is older than the live one', async () => {
    const catalogue = createCatalogue(2);
    await catalogue.build();
    const source = await openDist(catalogue.out);
    const at = (time: string, name: string) => {
      const manifest = {
        ...source.release.manifest,
        release: name.repeat(32),
        build: { commit: name.repeat(40), time },
      };
      const bytes = Buffer.from(JSON.stringify(manifest));
      return { ...source, release: { ...source.release, manifest, bytes, name: name.repeat(32) } };
    };
    const bucket = openTemporary();
    await publishRelease(bucket, at('2026-03-01T12:00:00+01:00', 'b'));
    const older = at('2026-03-01T10:59:59Z', 'a');
    expect(await refused((watched) => publishRelease(watched, older), bucket)).toBe('older-commit');
    await publishRelease(bucket, at('2026-03-01T11:00:00Z', 'c'));
    await publishRelease(bucket, older, { allowOlder: true });
    // Going back is always to an older one.
    await rollBack(bucket, 'cccccc');
    await rollBack(bucket, 'aaaaaa');
  });

  it('files of the user in dist/public are named, and not published', async () => {
    const catalogue = createCatalogue(1);
    await catalogue.build();
    writeFileSync(join(catalogue.public, 'CNAME'), 'stays.example');
    mkdirSync(join(catalogue.public, 'images'));
    const source = await openDist(catalogue.out);
    expect(source.others).toEqual(['CNAME', 'images']);
    const bucket = openTemporary();
    await publishRelease(bucket, source);
    expect([...(await objects(bucket)).keys()]).not.toContain('CNAME');
  });
});
