/** Previews: beside the live release, which nothing of them changes. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CURRENT_KEY, rootKey } from '../../src/contract/object-keys.ts';
import { isSharedKey } from '../../src/contract/object-kinds.ts';
import { parsePreviewPointer, previewKeyPrefix } from '../../src/contract/preview-keys.ts';
import { endPreview, publishPreview } from '../../src/publish/preview.ts';
import type { PublishEvent } from '../../src/publish/progress.ts';
import { pruneReleases } from '../../src/publish/prune.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { sharedKeys } from '../../src/release/release.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { withDryRun } from '../../src/storage/dry-run.ts';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { takeLock } from '../../src/storage/lock.ts';
import { isLogKey, logKey } from '../../src/storage/lock-log.ts';
import { openPreviewBucket } from '../../src/storage/preview-bucket.ts';
import { createReleases } from '../simulation/releases.ts';
import { openMemory } from '../storage/memory.ts';
import { createVirtualHost } from '../storage/virtual-host.ts';
import { listKeys } from '../support/bucket.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { recorded } from './recorded.ts';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.UTC(2026, 0, 1);
const [FIRST, SECOND, THIRD] = createReleases('packed', true);
const [PAGES] = createReleases('pages', true);

function open() {
  let now = START;
  const bucket = openMemory({ name: 'store', now: () => new Date(now) });
  const on = (day: number) => {
    now = START + day * DAY;
  };
  return { bucket, on };
}

const shared = async (bucket: Bucket) => (await listKeys(bucket)).filter(isSharedKey);
const previews = async (bucket: Bucket) =>
  (await listKeys(bucket)).filter((key) => key.startsWith('_previews/') && !isLogKey(key));
const contents = async (bucket: Bucket) => {
  const keys = (await listKeys(bucket)).filter((key) => !key.startsWith('_previews/') && !isLogKey(key));
  return Promise.all(keys.map(async (key) => [key, (await bucket.read(key))!.body.toString()]));
};
async function previewIn(bucket: Bucket, name: string) {
  return parsePreviewPointer((await bucket.read(previewKeyPrefix(name) + CURRENT_KEY))!.body)!;
}

const headers = { contentType: 'x', cacheControl: 'x' };
const written = (requests: readonly string[]) =>
  requests.flatMap((line) => (line.startsWith('write ') && isSharedKey(line.slice(6)) ? line.slice(6) : []));

/** Reads all that a preview names, as a server does. */
async function missing(bucket: Bucket, name: string): Promise<string[]> {
  const { release, own } = await previewIn(bucket, name);
  const folder = `${previewKeyPrefix(name)}${release}/`;
  const source = [FIRST, SECOND, THIRD].find((one) => one!.release.name === release)!;
  const keys = [...own.map((key) => folder + key), ...sharedKeys(source.release)];
  const found = new Set(await listKeys(bucket));
  return keys.filter((key) => !found.has(key) && !/\/(?:roots|documents)\//.test(key));
}

describe('a preview', () => {
  it('has objects of its own, and changes none that the bucket has', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    const before = await contents(bucket);
    const result = await publishPreview(bucket, 'pr-12', SECOND!);
    expect(result).toMatchObject({ preview: 'pr-12', release: SECOND!.release.name });
    const after = await contents(bucket);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after.slice().filter(([key]) => !isSharedKey(key!))).toEqual(
      before.filter(([key]) => !isSharedKey(key!)),
    );
    expect(await missing(bucket, 'pr-12')).toEqual([]);
    const { expires, own } = await previewIn(bucket, 'pr-12');
    expect(Date.parse(expires) - START).toBeGreaterThanOrEqual(14 * DAY);
    // A later publish replaces the live one's.
    expect(own).toContain('openapi.json');
  });

  it('keeps its documents when a later release goes live', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', FIRST!);
    const { release, own } = await previewIn(bucket, 'a');
    const read = () =>
      Promise.all(
        own.map(async (key) => (await bucket.read(`${previewKeyPrefix('a')}${release}/${key}`))?.body),
      );
    const before = await read();
    expect(before).not.toContain(undefined);
    await publishRelease(bucket, SECOND!, { allowShrink: true });
    await publishRelease(bucket, THIRD!, { allowShrink: true });
    expect(await read()).toEqual(before);
    const documents = Object.keys(FIRST!.release.documents).filter((key) => !isSharedKey(key));
    expect(own).toEqual(expect.arrayContaining(documents));
  });

  it('sends nothing that the live release or its last release has', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    const log = recorded(bucket);
    await publishPreview(log.bucket, 'pr-12', FIRST!);
    expect(written(log.requests)).toEqual([]);
    await publishPreview(bucket, 'pr-12', SECOND!);
    const again = recorded(bucket);
    await publishPreview(again.bucket, 'pr-12', SECOND!);
    expect(written(again.requests)).toEqual([]);
    expect(await missing(bucket, 'pr-12')).toEqual([]);
  });

  it('needs no catalogue, and replaces no object that somebody else wrote meanwhile', async () => {
    const { bucket } = open();
    await publishPreview(bucket, 'a', FIRST!);
    const [key] = sharedKeys(FIRST!.release);
    await bucket.write(key!, Buffer.from('of another program'), { contentType: 'x', cacheControl: 'x' });
    await publishPreview(bucket, 'b', FIRST!);
    expect((await bucket.read(key!))!.body.toString()).toBe('of another program');
    expect(await missing(bucket, 'b')).toEqual([]);
  });

  it('waits for who publishes meanwhile, and takes no lock of the live release', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    const { host } = createVirtualHost();
    const held = await takeLock(bucket, { host });
    const notes: string[] = [];
    const { host: other } = createVirtualHost('another');
    let looks = 0;
    const sleep = async () => {
      expect(await bucket.read(previewKeyPrefix('a') + CURRENT_KEY)).toBeUndefined();
      if (++looks === 3) await held.finish({ current: null, due: null });
    };
    const listener = (event: PublishEvent) => void (event.kind === 'note' && notes.push(event.text));
    await publishPreview(bucket, 'a', SECOND!, { lock: { host: { ...other, sleep } }, listener });
    expect(looks).toBe(3);
    expect(notes.join()).toContain('Waiting for');
  });

  it('is refused with another name, another layout, or nothing in it', async () => {
    const { bucket } = open();
    for (const name of ['', 'PR-1', '../x', 'a/b', 'a.b', '-a', 'a'.repeat(64)])
      await expect(publishPreview(bucket, name, FIRST!)).rejects.toMatchObject({ code: 'preview-name' });
    await expect(endPreview(bucket, '../live')).rejects.toMatchObject({ code: 'preview-name' });
    await expect(publishPreview(bucket, 'a', PAGES!)).rejects.toMatchObject({ code: 'preview-layout' });
    expect(await listKeys(bucket)).toEqual([]);
  });

  it('writes nothing in a dry run', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    const before = await listKeys(bucket);
    await publishPreview(withDryRun(bucket), 'a', SECOND!);
    expect(await listKeys(bucket)).toEqual(before);
  });
});

describe('a prune', () => {
  it('removes a preview that has expired, and what it alone used', async () => {
    const { bucket, on } = open();
    await publishRelease(bucket, FIRST!);
    const before = await shared(bucket);
    await publishPreview(bucket, 'a', SECOND!);
    await publishPreview(bucket, 'b', THIRD!, { days: 30 });
    on(13);
    expect((await pruneReleases(bucket)).previews).toEqual([]);
    on(15);
    expect((await pruneReleases(bucket)).previews).toEqual(['a']);
    expect(await missing(bucket, 'b')).toEqual([]);
    on(31);
    expect((await pruneReleases(bucket)).previews).toEqual(['b']);
    expect(await shared(bucket)).toEqual(before);
    expect(await previews(bucket)).toEqual([]);
    expect((await pruneReleases(bucket)).previews).toEqual([]);
  });

  it('removes one that was ended, at once, and not what the live release uses since', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', SECOND!);
    await publishRelease(bucket, SECOND!);
    await endPreview(bucket, 'a');
    expect((await pruneReleases(bucket)).previews).toEqual(['a']);
    const found = new Set(await listKeys(bucket));
    expect(sharedKeys(SECOND!.release).filter((key) => !found.has(key))).toEqual([]);
  });

  it('keeps what a preview uses of releases that were replaced long ago', async () => {
    const { bucket, on } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', FIRST!, { days: 100 });
    await publishRelease(bucket, SECOND!, { allowShrink: true });
    on(50);
    expect((await pruneReleases(bucket)).pruned).toEqual([FIRST!.release.name]);
    expect(await missing(bucket, 'a')).toEqual([]);
    on(101);
    await pruneReleases(bucket);
    const names = sharedKeys(SECOND!.release);
    expect((await shared(bucket)).filter((key) => !names.includes(key))).toEqual([]);
  });

  it('keeps the release that a preview shows, and none that it replaced', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', SECOND!);
    await publishPreview(bucket, 'a', THIRD!);
    expect((await pruneReleases(bucket)).previews).toEqual([]);
    expect(await missing(bucket, 'a')).toEqual([]);
    const folder = `${previewKeyPrefix('a')}${THIRD!.release.name}/`;
    const current = previewKeyPrefix('a') + CURRENT_KEY;
    expect((await previews(bucket)).filter((key) => key !== current && !key.startsWith(folder))).toEqual([]);
    const needed = new Set([...sharedKeys(FIRST!.release), ...sharedKeys(THIRD!.release)]);
    expect((await shared(bucket)).filter((key) => !needed.has(key))).toEqual([]);
  });

  it('keeps one that was published again just before its lock was taken', async () => {
    const { bucket, on } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', SECOND!);
    on(15);
    const place = previewKeyPrefix('a') + CURRENT_KEY;
    const renewed = { ...(await previewIn(bucket, 'a')), expires: new Date(START + 30 * DAY).toISOString() };
    const late: Bucket = {
      ...bucket,
      limited: () => late,
      async read(key) {
        const object = await bucket.read(key);
        if (key === place) await bucket.write(key, Buffer.from(JSON.stringify(renewed)), headers);
        return object;
      },
    };
    expect((await pruneReleases(late)).previews).toEqual([]);
    expect(await missing(bucket, 'a')).toEqual([]);
  });

  it('removes whole what was published between its listing and its lock', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', SECOND!);
    const place = previewKeyPrefix('a') + CURRENT_KEY;
    const pointer = (await bucket.read(place))!.body;
    await bucket.remove([place]);
    let isListed = false;
    const late: Bucket = {
      ...bucket,
      limited: () => late,
      async *list(prefix, after) {
        yield* bucket.list(prefix, after);
        if (prefix === '_previews/' && !isListed) await bucket.write(place, pointer, headers);
        isListed ||= prefix === '_previews/';
      },
    };
    expect((await pruneReleases(late, { grace: 0 })).previews).toEqual(['a']);
    expect(await previews(bucket)).toEqual([]);
  });

  it('names one to which somebody publishes and leaves it alone, until its publisher counts as dead', async () => {
    const { bucket, on } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', SECOND!);
    on(15);
    await takeLock(openPreviewBucket(bucket, 'a'));
    expect(await pruneReleases(bucket, { grace: 0 })).toMatchObject({ previews: [], busy: ['a'] });
    expect(await missing(bucket, 'a')).toEqual([]);
    on(15 + 122_000 / DAY);
    expect(await pruneReleases(bucket, { grace: 0 })).toMatchObject({ previews: ['a'], busy: [] });
    expect(await previews(bucket)).toEqual([]);
  });
});

it('a prune that is refused ends no preview', async () => {
  const { bucket } = open();
  await publishRelease(bucket, FIRST!, { keptDays: 7 });
  await publishRelease(bucket, SECOND!, { keptDays: 7, allowShrink: true });
  await publishPreview(bucket, 'a', THIRD!);
  await expect(pruneReleases(bucket, { grace: 0 })).rejects.toMatchObject({ code: 'kept-longer' });
  expect(await missing(bucket, 'a')).toEqual([]);
});

it.each([
  ['of a later version', '00000009', '{"version":2}'],
  ['with the last number', '99999999', '{"version":1}'],
])('a log of a preview %s stops no prune', async (_what, number, text) => {
  const { bucket, on } = open();
  await publishRelease(bucket, FIRST!);
  await publishPreview(bucket, 'a', SECOND!);
  on(15);
  await bucket.write(`${previewKeyPrefix('a')}_catalogue/log/${number}.json`, Buffer.from(text), headers);
  on(16);
  expect(await pruneReleases(bucket)).toMatchObject({ previews: [], busy: ['a'] });
});

describe('what a stranger writes below _previews/', () => {
  const FOREIGN = ['robots.txt', 'evil.html', 'media/hero.jpg', 'explorer/mine.js', 'docs/guide.html'];
  const own = (name: string, key: string) => `${previewKeyPrefix(name)}${'e'.repeat(32)}/${key}`;
  const put = (bucket: Bucket, key: string, text: string) => bucket.write(key, Buffer.from(text), headers);

  it('removes nothing but shared objects that nothing else uses, by a list of used keys', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    await publishRelease(bucket, SECOND!, { allowShrink: true });
    for (const key of FOREIGN) await put(bucket, key, 'theirs');
    const orphan = `media/${'0'.repeat(32)}.webp`;
    await put(bucket, orphan, 'of nobody');
    const before = await contents(bucket);
    const control = ['log/00000001.json', 'current.json', 'releases.json', 'retired-details.json'];
    const keys = [
      ...(await listKeys(bucket)),
      ...control.map((name) => `_catalogue/${name}`),
      ...[
        '../outside/victim',
        '/etc/passwd',
        'media/../robots.txt',
        `${orphan}/../x`,
        ` ${orphan}`,
        `${orphan}\n`,
      ],
      ...[{}, null, 5, [orphan]],
      orphan,
    ];
    await put(bucket, own('evil', 'used.json'), JSON.stringify(keys));
    const result = await pruneReleases(bucket);
    expect(result).toMatchObject({ previews: ['evil'], strange: [own('evil', 'used.json')] });
    expect(await contents(bucket)).toEqual(before.filter(([key]) => key !== orphan));
  });

  it('a list of used keys keeps no root: the rest of its release would be missing', async () => {
    const { bucket, on } = open();
    await publishRelease(bucket, FIRST!);
    await publishRelease(bucket, SECOND!, { allowShrink: true });
    await publishPreview(bucket, 'live', THIRD!, { days: 99 });
    const [list = ''] = (await listKeys(bucket)).filter((key) => key.endsWith('used.json'));
    const used = JSON.parse((await bucket.read(list))!.body.toString());
    const { name } = FIRST!.release;
    await put(bucket, list, JSON.stringify([...used, rootKey(name)]));
    on(60);
    expect(await pruneReleases(bucket)).toMatchObject({ pruned: [name], strange: [list] });
    expect(await bucket.read(rootKey(name))).toBeUndefined();
  });

  it('a preview whose lock is taken by force while it is removed is named, and the prune goes on', async () => {
    const { bucket, on } = open();
    await publishRelease(bucket, FIRST!);
    for (const name of ['a', 'b']) await publishPreview(bucket, name, SECOND!, { days: 1 });
    on(60);
    const taking: Bucket = {
      ...bucket,
      async discardParts() {
        const log = (await listKeys(bucket)).filter((key) => key.startsWith('_previews/a/') && isLogKey(key));
        const last = Number(/(\d+)\.\w+$/.exec(log.sort().at(-1)!)![1]);
        const next = `_previews/a/${logKey(last + 1)}`;
        await bucket.write(next, Buffer.from('{"version":1,"token":"another"}'), headers);
      },
    };
    expect(await pruneReleases(taking)).toMatchObject({ previews: ['b'], busy: ['a'] });
  });

  it.each([
    ...['', 'null', '{}', '"media"', '[', '[[]]', `[${'['.repeat(10_000)}`, '{"length":1}', '\0', '[5]'],
  ])('counts as a list of nothing when it is %j', async (text) => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    await put(bucket, own('evil', 'used.json'), text);
    const before = await shared(bucket);
    expect((await pruneReleases(bucket)).strange).toEqual([own('evil', 'used.json')]);
    expect(await shared(bucket)).toEqual(before);
  });

  it('stays where no preview has such an object, and is named', async () => {
    const { bucket } = open();
    await publishRelease(bucket, FIRST!);
    await publishPreview(bucket, 'a', SECOND!);
    const strange = [
      ...[`${previewKeyPrefix('a')}notes.txt`, own('a', 'evil.html'), own('a', '../../../robots.txt')],
      ...[
        '_previews/UPPER/x',
        '_previews/readme.md',
        `${previewKeyPrefix('a')}../x`,
        `${previewKeyPrefix('a')}/x`,
      ],
    ];
    for (const key of strange) await put(bucket, key, 'theirs');
    const result = await pruneReleases(bucket, { grace: 0 });
    expect(result.previews).toEqual(['a']);
    expect([...result.strange].sort()).toEqual([...strange].sort());
    expect(await previews(bucket)).toEqual([...strange].sort());
  });

  it('removes nothing outside of a folder, nor a folder beside it', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'victim'), 'theirs');
    const bucket = openFolderBucket(join(root, 'bucket'));
    await publishRelease(bucket, FIRST!);
    await put(bucket, own('evil', 'used.json'), JSON.stringify(['../outside/victim', 'robots.txt']));
    await put(bucket, 'robots.txt', 'theirs');
    expect((await pruneReleases(bucket, { grace: 0 })).previews).toEqual(['evil']);
    expect(existsSync(join(root, 'outside', 'victim'))).toBe(true);
    expect(await listKeys(bucket)).toContain('robots.txt');
  });

  it.each([
    { release: '../..', expires: '2099-01-01T00:00:00Z', own: [] },
    { release: 'e'.repeat(32), expires: '2099-01-01T00:00:00Z', own: ['../x'] },
    { release: 'e'.repeat(32), expires: '2099-01-01T00:00:00Z', own: ['_catalogue/log/00000001.json'] },
    { release: 'e'.repeat(32), expires: 'soon', own: [] },
    { release: 'e'.repeat(32), expires: '2099-01-01T00:00:00Z', own: 'index.json' },
    null,
  ])('is not a preview when its current.json is %j', async (value) => {
    expect(parsePreviewPointer(Buffer.from(JSON.stringify(value)))).toBeUndefined();
  });
});

it('ends no preview that is not there, and leaves nothing behind', async () => {
  const { bucket } = open();
  await publishRelease(bucket, FIRST!);
  const before = await listKeys(bucket);
  await expect(endPreview(bucket, 'nope')).rejects.toMatchObject({ code: 'unknown-preview' });
  await publishPreview(bucket, 'a', SECOND!);
  await expect(endPreview(bucket, 'b')).rejects.toMatchObject({ code: 'unknown-preview' });
  await endPreview(bucket, 'a');
  // Again, as after a purge that failed.
  await endPreview(bucket, 'a');
  await pruneReleases(bucket, { grace: 0 });
  await expect(endPreview(bucket, 'a')).rejects.toMatchObject({ code: 'unknown-preview' });
  expect((await listKeys(bucket)).filter((key) => !isLogKey(key))).toEqual(
    before.filter((key) => !isLogKey(key)),
  );
});

it('counts no object as written that was there already', async () => {
  const { bucket } = open();
  const before = await publishPreview(bucket, 'a', SECOND!);
  const uploaded = await shared(bucket);
  // Without a live release, it is not known what the bucket has.
  const again = await publishPreview(bucket, 'b', SECOND!);
  expect(uploaded.length).toBeGreaterThan(0);
  expect(again.written).toBe(before.written - uploaded.length);
  expect(again.bytes).toBeLessThan(before.bytes);
});

it('purges everything where the base path of the live release cannot be read', async () => {
  const { bucket } = open();
  await publishRelease(bucket, FIRST!);
  await publishPreview(bucket, 'a', SECOND!);
  const asked: unknown[] = [];
  const purge = async ({ paths }: { readonly paths: unknown }) => {
    asked.push(paths);
    return [];
  };
  const end = () => endPreview(bucket, 'a', { caches: async () => [{ name: 'A', purge }] });
  await end();
  await bucket.remove([rootKey(FIRST!.release.name)]);
  await end();
  expect(asked).toEqual([['/_previews/a/'], undefined]);
});
