/** A bucket that is a folder: its files, its listing, and its fence. */
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { etagOf, type LockLimit, RequestExpired } from '../../../src/storage/bucket.ts';
import { openFolderBucket } from '../../../src/storage/folder/bucket.ts';
import { listKeys } from '../../support/bucket.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { describePromises, headers, readsParts, text } from '../promises.ts';

function folder(): string {
  const root = temporaryFolder();
  return join(root, 'bucket');
}

describePromises('a folder', () => openFolderBucket(folder()));
it('reads an object in parts, and no part of an object that was replaced', () =>
  readsParts(openFolderBucket(folder())));

it('lists from a key on in the order of bytes, also for characters that UTF-16 orders otherwise', async () => {
  const bucket = openFolderBucket(folder());
  const keys = ['\uff5e', '\uff5e/a', '\u{1f600}/a', '\u{1f600}a'];
  for (const key of keys.filter((_key, index) => index > 0)) await bucket.write(key, text('x'), headers);
  expect(await listKeys(bucket)).toEqual(keys.slice(1));
  expect(await listKeys(bucket, '', keys[1])).toEqual(keys.slice(2));
  expect(await listKeys(bucket, '', keys[2])).toEqual(keys.slice(3));
  expect(await listKeys(bucket, '', keys[3])).toEqual([]);
});

it('refuses, at once and permanently, requests of an earlier holder (A15)', async () => {
  const root = folder();
  const bucket = openFolderBucket(root);
  const limit = (holder: string): LockLimit => ({
    holder,
    remaining: () => 30_000,
    signal: new AbortController().signal,
    ready: async () => {},
    unsettled: () => {},
  });
  const [one, two] = [bucket.limited(limit('one')), bucket.limited(limit('two'))];
  await bucket.fence!('one');
  await one.write('a', text('1'), headers);
  await bucket.fence!('two');
  await two.write('b', text('2'), headers);
  for (const late of [
    () => one.write('b', text('late'), headers),
    () => one.write('c', text('late'), headers, { absent: true }),
    () => one.remove(['b']),
  ]) {
    await expect(late()).rejects.toBeInstanceOf(RequestExpired);
  }
  expect(await listKeys(bucket)).toEqual(['a', 'b']);
  const before = Date.now();
  const { time } = await two.remove(['a', 'never']);
  expect(await two.remove(['never'])).toEqual({ time: undefined });
  expect(await listKeys(bucket)).toEqual(['b']);
  // The time of a file may be a tick of the kernel earlier.
  expect(time!.getTime()).toBeGreaterThan(before - 50);
  expect(time!.getTime()).toBeLessThanOrEqual(Date.now());
  expect(readdirSync(join(root, '.catalogue-incoming'))).toEqual(['holder-two']);
});

it('gives the reason when the folder cannot be created (A15)', async () => {
  const bucket = openFolderBucket('/proc/catalogue/bucket');
  await expect(bucket.write('a', text('1'), headers)).rejects.toMatchObject({
    code: 'bucket-denied',
    message: expect.stringContaining('/proc/catalogue cannot be made'),
  });
});

it('stores a key in a file of its path, with its name and its time', async () => {
  const root = folder();
  const bucket = openFolderBucket(root);
  expect(bucket.name).toBe(`dir:${root}`);
  const written = await bucket.write('a/b/c.json', text('one'), headers);
  const file = join(root, 'a', 'b', 'c.json');
  expect(readFileSync(file, 'utf8')).toBe('one');
  expect(written).toEqual({ tag: etagOf(text('one')), time: statSync(file).mtime });
  expect(await bucket.inspect('a/b/c.json')).toEqual({
    ...{ tag: written.tag, size: 3, modified: written.time, headers: undefined },
  });
  expect(await bucket.inspect('a/b/c.json/d')).toBeUndefined();
  const body = { size: 4, read: async () => text('more') };
  const large = await bucket.writeLarge!('large', body, headers);
  expect(large).toEqual({ tag: etagOf(text('more')), time: statSync(join(root, 'large')).mtime });
  expect((await bucket.read('large'))?.body).toEqual(text('more'));
});

it('derives tags from times on request, without reading objects', async () => {
  const root = folder();
  const bucket = openFolderBucket(root, { tags: 'times' });
  const { tag } = await bucket.write('a', text('one'), headers);
  const tagNow = (key: string) => `"3-${statSync(join(root, key)).mtimeMs}"`;
  expect(tag).toBe(tagNow('a'));
  expect((await bucket.read('a'))?.tag).toBe(tag);
  expect((await bucket.inspect('a'))?.tag).toBe(tag);
  const body = { size: 3, read: async () => text('two') };
  expect((await bucket.writeLarge!('b', body, headers)).tag).toBe(tagNow('b'));
  const found: string[] = [];
  for await (const object of bucket.list('')) found.push(object.tag);
  expect(found).toEqual([tag, tagNow('b')]);
  utimesSync(join(root, 'a'), 1, 1);
});

it('lists only files, even while the folder changes', async () => {
  const root = folder();
  const bucket = openFolderBucket(root);
  expect(await listKeys(bucket)).toEqual([]);
  for (const key of ['B', 'a', 'b', 'c', 'd/e', 'd/f/g', 'h/i']) await bucket.write(key, text(key), headers);
  symlinkSync('/', join(root, 'link'));
  expect(await listKeys(bucket)).toEqual(['B', 'a', 'b', 'c', 'd/e', 'd/f/g', 'h/i']);
  expect(await listKeys(bucket, 'd/f/')).toEqual(['d/f/g']);
  expect(await listKeys(bucket, '', 'd/f/a')).toEqual(['d/f/g', 'h/i']);
  expect(await listKeys(bucket, 'd/f/x')).toEqual([]);
  const found: string[] = [];
  for await (const { key, size, modified, tag } of bucket.list('')) {
    found.push(key);
    if (key !== 'a') continue;
    expect({ size, modified, tag }).toEqual({
      ...{ size: 1, modified: statSync(join(root, 'a')).mtime, tag: etagOf(text('a')) },
    });
    rmSync(join(root, 'b'));
    rmSync(join(root, 'd'), { recursive: true });
  }
  expect(found).toEqual(['B', 'a', 'c', 'h/i']);
});

it.each([
  ...['..', '.', '', '/', '/etc/passwd', '../victim', 'a/../../victim', 'a/./b', 'a//b', 'a/', 'a/..', './a'],
  ...['..\\victim', 'a\\b', '\\\\server\\share', 'C:\\victim', 'a\0', 'a/\0/b'],
])('takes no key that may lead elsewhere, whoever asks: %j', async (key) => {
  const root = folder();
  const bucket = openFolderBucket(root);
  const victim = join(root, '..', 'victim');
  writeFileSync(victim, 'theirs');
  await bucket.write('a/b', text('ours'), headers);
  for (const ask of [
    () => bucket.read(key),
    () => bucket.readLarge!(key),
    () => bucket.inspect(key),
    () => bucket.write(key, text('x'), headers),
    () => bucket.write(key, text('x'), headers, { absent: true }),
    () => bucket.writeLarge!(key, { size: 1, read: async () => text('x') }, headers),
    () => bucket.remove(['a/b', key]),
    async () => bucket.within!(`${key}/`),
    ...(key === '' || key === 'a/' ? [] : [() => listKeys(bucket, key)]),
  ])
    await expect(ask()).rejects.toMatchObject({ code: 'key-refused' });
  expect(readFileSync(victim, 'utf8')).toBe('theirs');
  expect(await listKeys(bucket)).toEqual(['a/b']);
});

it('takes keys that look odd, and name one file', async () => {
  const bucket = openFolderBucket(folder());
  const keys = ['..a', '...', 'a..b', '.well-known/x', 'é', 'a b', '~/c'];
  for (const key of keys) await bucket.write(key, text(key), headers);
  expect((await listKeys(bucket)).sort()).toEqual([...keys].sort());
  expect(await listKeys(bucket, '..a')).toEqual(['..a']);
});
