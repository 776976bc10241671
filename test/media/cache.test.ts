import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  copyImage,
  openMediaCache,
  peekImage,
  pruneCache,
  readImage,
  storeImage,
} from '../../src/media/cache.ts';
import { temporaryName } from '../../src/media/temporary.ts';
import { detailed, digestOf, useFolder } from './picture.ts';

const folder = useFolder();
const nameOf = (digit: string) => `${digit.repeat(32)}.webp`;

async function filled(name: string) {
  const cacheFolder = join(folder(), name);
  const cache = openMediaCache(cacheFolder);
  const bytes = await detailed(300, 200).webp().toBuffer();
  storeImage(cache, nameOf('a'), { bytes, animated: false });
  storeImage(cache, nameOf('b'), { bytes, animated: true });
  return { cacheFolder, cache, bytes };
}

describe('the cache', () => {
  it('returns what was stored in it, and nothing else', async () => {
    const { cache, bytes } = await filled('holds');
    const digest = digestOf(bytes);
    expect(peekImage(cache, nameOf('a'))).toEqual({ digest, animated: false });
    expect(peekImage(cache, nameOf('b'))).toEqual({ digest, animated: true });
    expect(peekImage(cache, nameOf('c'))).toBeUndefined();
    expect(readImage(cache, nameOf('b'))).toEqual({ bytes, digest, animated: true });
    expect(readImage(cache, nameOf('c'))).toBeUndefined();
    expect(readdirSync(cache.temporary)).toEqual([]);
  });

  it('creates nothing when it is opened', () => {
    openMediaCache(join(folder(), 'opened'));
    expect(peekImage(openMediaCache(join(folder(), 'opened')), nameOf('a'))).toBeUndefined();
    expect(existsSync(join(folder(), 'opened'))).toBe(false);
  });
});

describe('an entry that is damaged', () => {
  it('is a cache miss under the name of another image (E9)', async () => {
    const { cache } = await filled('exchanged');
    writeFileSync(join(cache.images, nameOf('a')), readFileSync(join(cache.images, nameOf('b'))));
    expect(peekImage(cache, nameOf('a'))).toBeUndefined();
    expect(readImage(cache, nameOf('a'))).toBeUndefined();
    expect(() => copyImage(cache, nameOf('a'), join(folder(), 'published.webp'))).toThrow('Build again');
  });

  it('is incomplete without its last byte, and invalid with any other byte changed (C11)', async () => {
    const { cache } = await filled('damaged-entry');
    const path = join(cache.images, nameOf('a'));
    const sound = readFileSync(path);
    for (const length of [0, 1, 90, sound.length >> 1, sound.length - 1]) {
      writeFileSync(path, sound.subarray(0, length));
      expect(peekImage(cache, nameOf('a'))).toBeUndefined();
      expect(readImage(cache, nameOf('a'))).toBeUndefined();
    }
    writeFileSync(path, Buffer.concat([sound, Buffer.from(' ')]));
    expect(peekImage(cache, nameOf('a'))).toBeUndefined();
    for (let at = 0; at < sound.length; at += 97) {
      const other = Buffer.from(sound);
      other[at]! ^= 1;
      writeFileSync(path, other);
      expect(readImage(cache, nameOf('a')), `byte ${at}`).toBeUndefined();
    }
    writeFileSync(path, sound);
    expect(readImage(cache, nameOf('a'))).toBeDefined();
  });
});

describe('publishMedia', () => {
  it('copies an image to its place', async () => {
    const { cache, bytes } = await filled('publish');
    const target = join(folder(), 'public', 'media', nameOf('a'));
    expect(copyImage(cache, nameOf('a'), target).digest).toBe(digestOf(bytes));
    expect(readFileSync(target).equals(bytes)).toBe(true);
    expect(readdirSync(join(folder(), 'public', 'media'))).toEqual([nameOf('a')]);
  });

  it('replaces an existing file', async () => {
    const { cache, bytes } = await filled('replace');
    const target = join(folder(), 'replaced.webp');
    writeFileSync(target, 'old');
    copyImage(cache, nameOf('a'), target);
    expect(readFileSync(target).equals(bytes)).toBe(true);
  });

  it('publishes nothing that is damaged or missing', async () => {
    const { cache, bytes } = await filled('damaged');
    writeFileSync(join(cache.images, nameOf('a')), bytes.subarray(0, 1000));
    for (const name of [nameOf('a'), nameOf('c')]) {
      expect(() => copyImage(cache, name, join(folder(), 'never.webp'))).toThrow(
        `The media cache lost ${name}`,
      );
    }
    expect(existsSync(join(folder(), 'never.webp'))).toBe(false);
  });

  it('leaves no file behind when it fails', async () => {
    const { cache } = await filled('fails');
    const target = join(folder(), 'occupied', nameOf('a'));
    mkdirSync(join(target, 'by a folder'), { recursive: true });
    expect(() => copyImage(cache, nameOf('a'), target)).toThrow();
    expect(readdirSync(join(folder(), 'occupied'))).toEqual([nameOf('a')]);
  });
});

describe('pruneCache', () => {
  it('removes unused images', async () => {
    const { cacheFolder, cache } = await filled('unused');
    expect(pruneCache(cacheFolder, new Set([nameOf('a')]))).toBe(1);
    expect(readdirSync(cache.images)).toEqual([nameOf('a')]);
    expect(peekImage(cache, nameOf('a'))).toBeDefined();
  });

  it('keeps used images', async () => {
    const { cacheFolder, cache } = await filled('used');
    expect(pruneCache(cacheFolder, new Set([nameOf('a'), nameOf('b')]))).toBe(0);
    expect(peekImage(cache, nameOf('b'))).toBeDefined();
  });

  it('removes images of other encoders', async () => {
    const { cacheFolder, cache, bytes } = await filled('encoders');
    const old = { ...cache, images: join(cacheFolder, 'sharp-0.1.0-vips-7.0.0-00000000') };
    storeImage(old, nameOf('a'), { bytes, animated: false });
    expect(pruneCache(cacheFolder, new Set([nameOf('a'), nameOf('b')]))).toBe(1);
    expect(readdirSync(cacheFolder).sort()).toEqual([basename(cache.images), 'temporary'].sort());
  });

  it('removes temporary files of killed builds', async () => {
    const { cacheFolder, cache } = await filled('leftovers');
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(join(cache.temporary, temporaryName().replace(`-${process.pid}-`, `-${dead}-`)), 'half');
    pruneCache(cacheFolder, new Set());
    expect(readdirSync(cache.temporary)).toEqual([]);
  });

  it('keeps files that the cache did not write', async () => {
    const { cacheFolder, cache } = await filled('foreign');
    const foreign = [
      join(cacheFolder, 'notes.txt'),
      join(cache.images, 'notes.webp'),
      join(cache.temporary, 'notes'),
    ];
    mkdirSync(join(cacheFolder, 'photos'));
    for (const file of [...foreign, join(cacheFolder, 'photos', nameOf('a'))]) writeFileSync(file, 'keep');
    pruneCache(cacheFolder, new Set());
    expect([...foreign, join(cacheFolder, 'photos', nameOf('a'))].every((file) => existsSync(file))).toBe(
      true,
    );
    expect(existsSync(join(cache.images, nameOf('a')))).toBe(false);
  });

  it('does nothing without a cache', () => {
    expect(pruneCache(join(folder(), 'none'), new Set())).toBe(0);
  });
});
