/** The shared cache, in a folder and in a bucket of a real server. */

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSharedCache, type LazySharedCache } from '../../src/compile/images/find-shared-cache.ts';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { INCOMING_FOLDER } from '../../src/contract/object-keys.ts';
import { openSharedCache, type SharedCache } from '../../src/media/shared-cache.ts';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { listKeys } from '../support/bucket.ts';
import { useS3 } from '../support/s3.ts';
import { useFolder } from './picture.ts';

const folder = useFolder();
const configuration = configurationSchema.parse({});
const IMAGE = { bytes: Buffer.from([0xff, 0xd8, 10, 0, 255]), animated: false };
const MOVING = { bytes: Buffer.from('another'), animated: true };
const nameOf = (n: number) => `${n.toString(16).padStart(2, '0').repeat(16)}.webp`;

const s3 = useS3();

/** A cache, and the objects behind it, read without code of the cache. */
type Fixture = { cache: SharedCache; bucket: Bucket; lazy: LazySharedCache };

const PLACES: [string, (name: string) => Promise<Fixture>][] = [
  [
    'a folder',
    async (name) => {
      const lazy = findSharedCache({ cache: join(folder(), name) }, configuration)!;
      return { lazy, cache: await lazy.open(), bucket: openFolderBucket(join(folder(), name)) };
    },
  ],
  [
    'a bucket',
    async (name) => {
      const lazy = findSharedCache({ cache: `s3://stays/${name}`, endpoint: s3.endpoint() }, configuration)!;
      return { lazy, cache: await lazy.open(), bucket: s3.open(name) };
    },
  ],
];

describe.each(PLACES)('a shared cache in %s', (_place, open) => {
  it('returns what was stored in it, and only that', async () => {
    const { cache, bucket, lazy } = await open('gives');
    expect(await cache.find(nameOf(1))).toBeUndefined();
    expect(await cache.present(new Set([nameOf(1)]))).toEqual(new Set());
    expect(await cache.keep(nameOf(1), IMAGE)).toBe('added');
    expect(await cache.keep(nameOf(171), MOVING)).toBe('added');
    expect(await cache.find(nameOf(1))).toMatchObject(IMAGE);
    expect(await cache.find(nameOf(171))).toMatchObject(MOVING);
    const wanted = new Set([nameOf(1), nameOf(2), nameOf(171)]);
    expect(await cache.present(wanted)).toEqual(new Set([nameOf(1), nameOf(171)]));
    expect(await cache.present(new Set())).toEqual(new Set());
    expect((await listKeys(bucket)).map((key) => key.replace(/sharp-[^/]+/, 'engine'))).toEqual([
      `images/engine/01/${nameOf(1)}`,
      `images/engine/ab/${nameOf(171)}`,
    ]);
    lazy.close();
  });

  it('keeps the first version of an object', async () => {
    const { cache, lazy } = await open('first');
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        cache.keep(nameOf(7), { bytes: Buffer.from(`${n}`), animated: false }),
      ),
    );
    expect(results.filter((result) => result === 'added')).toHaveLength(1);
    expect(results.filter((result) => result === 'present')).toHaveLength(7);
    const winner = results.indexOf('added');
    expect((await cache.find(nameOf(7)))?.bytes.toString()).toBe(`${winner}`);
    lazy.close();
  });

  it('ignores a damaged object, and replaces it', async () => {
    const { cache, bucket, lazy } = await open('damaged');
    await cache.keep(nameOf(3), IMAGE);
    const [key = ''] = await listKeys(bucket);
    const { body } = (await bucket.read(key))!;
    const headers = { contentType: 'x', cacheControl: 'x' };
    const flipped = Buffer.from(body);
    flipped[body.length - 1]! ^= 1;
    const marked = Buffer.from(body.toString('latin1').replace('image 2 ', 'image 1 '), 'latin1');
    const others = Buffer.from(body.toString('latin1').replace(nameOf(3), nameOf(4)), 'latin1');
    for (const damaged of [
      flipped,
      marked,
      others,
      body.subarray(0, -1),
      body.subarray(0, 30),
      Buffer.alloc(0),
    ]) {
      await bucket.write(key, damaged, headers);
      expect(await cache.find(nameOf(3))).toBeUndefined();
      expect(await cache.keep(nameOf(3), IMAGE)).toBe('repaired');
      expect(await cache.find(nameOf(3))).toMatchObject(IMAGE);
      expect((await bucket.read(key))?.body).toEqual(body);
    }
    lazy.close();
  });
});

describe('a cache folder', () => {
  it('is left clean, also of files that others left there', async () => {
    const root = join(folder(), 'clean');
    mkdirSync(join(root, INCOMING_FOLDER), { recursive: true });
    const left = join(root, INCOMING_FOLDER, 'half');
    writeFileSync(left, 'half');
    utimesSync(left, 0, 0);
    const cache = openSharedCache(openFolderBucket(root));
    await Promise.all([1, 2, 3].map((n) => cache.keep(nameOf(n), IMAGE)));
    expect(readdirSync(join(root, INCOMING_FOLDER))).toEqual([]);
  });

  it('is listed without reading its objects', async () => {
    const root = join(folder(), 'listed');
    const bucket = openFolderBucket(root, { tags: 'times' });
    const cache = openSharedCache(bucket);
    await cache.keep(nameOf(1), IMAGE);
    const [key = ''] = await listKeys(bucket);
    const listed = async () => {
      for await (const object of bucket.list('')) return object;
      return undefined;
    };
    expect((await listed())?.tag).toBe((await bucket.read(key))?.tag);
    chmodSync(join(root, key), 0);
    expect((await listed())?.tag).toBe(`"${(await listed())?.size}-${statSync(join(root, key)).mtimeMs}"`);
  });

  it('is not created by a read', async () => {
    const cache = openSharedCache(openFolderBucket(join(folder(), 'looked')));
    await cache.find(nameOf(1));
    await cache.present(new Set([nameOf(1)]));
    expect(existsSync(join(folder(), 'looked'))).toBe(false);
  });

  it('may hold foreign files', async () => {
    const root = join(folder(), 'mixed');
    const cache = openSharedCache(openFolderBucket(root));
    await cache.keep(nameOf(1), IMAGE);
    const [engine = ''] = readdirSync(join(root, 'images'));
    writeFileSync(join(root, 'images', engine, '01', 'note.txt'), 'x');
    mkdirSync(join(root, 'images', engine, 'zz'));
    expect(await cache.present(new Set([nameOf(1), 'note.txt']))).toEqual(new Set([nameOf(1)]));
    expect(readFileSync(join(root, 'images', engine, '01', 'note.txt'), 'utf8')).toBe('x');
  });
});

describe('the place of a cache', () => {
  it('is the value of the option, otherwise of the configuration, otherwise unset', () => {
    const configured = configurationSchema.parse({ cache: { location: 's3://stays/configured' } });
    expect(findSharedCache({}, configuration)).toBeUndefined();
    expect(findSharedCache({}, configured)?.name).toBe('s3://stays/configured');
    expect(findSharedCache({ cache: 'dir:/x' }, configured)?.name).toBe('dir:/x');
  });

  it.each(['', 'dir:', 'https://stays.example/cache', 'gs://stays'])('cannot be %j', (cache) => {
    expect(() => findSharedCache({ cache }, configuration)).toThrow(
      expect.objectContaining({ code: 'invalid-cache' }),
    );
  });

  it('is checked like a target of publishing when it is opened', async () => {
    const lazy = findSharedCache({ cache: 's3://UPPER' }, configuration)!;
    await expect(lazy.open()).rejects.toMatchObject({ code: 'invalid-target' });
    lazy.close();
  });
});
