/**
 * The cache of made images.
 *
 * ```
 * <folder>/sharp-0.35.5-vips-8.18.7-5f0c2a9e/<published name>   one made image, and what is known of it
 * <folder>/temporary/...                                        files being written
 * ```
 *
 * The published name covers source and recipe; the folder covers the encoders. An entry (entry.ts) says itself that it is
 * whole, sound and in its place: a restored, copied or shared cache needs no times, no index and no order of restoring.
 */

import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ifThere, makeFolder } from '../folder.ts';
import { engineName, engineVersions } from './engine.ts';
import {
  type CachedImage,
  type MadeImage,
  packEntry,
  parseTrailer,
  TRAILER_BYTES,
  unpackEntry,
} from './entry.ts';
import { IMAGE_NAME } from './name.ts';
import { listFolder, putFileFrom, removeStale } from './temporary.ts';

/** Where the entries of one cache are, for the encoders installed now. */
export type MediaCache = {
  /** Folder of the made images. */
  readonly images: string;
  /** Folder of files being written. */
  readonly temporary: string;
};

const ENGINE_FOLDER = /^sharp-[^/]+-vips-[^/]+-[0-9a-f]{8}$/;

/** Resolves the folders of a cache; reads the versions of the encoders, and creates nothing. */
export function openMediaCache(cacheFolder: string): MediaCache {
  return {
    images: join(cacheFolder, engineName(engineVersions())),
    temporary: join(cacheFolder, 'temporary'),
  };
}

/**
 * What the cache knows of an image that it holds whole; undefined when it does not. The bytes themselves are not read.
 *
 * @throws the file system's error when it is there and cannot be read
 */
export function peekImage(cache: MediaCache, name: string): CachedImage | undefined {
  const file = ifThere(() => openSync(join(cache.images, name), 'r'));
  if (file === undefined) return undefined;
  try {
    const bytes = Buffer.alloc(TRAILER_BYTES);
    const start = fstatSync(file).size - TRAILER_BYTES;
    return start > 0 && readSync(file, bytes, 0, TRAILER_BYTES, start) === TRAILER_BYTES
      ? parseTrailer(name, bytes)
      : undefined;
  } finally {
    closeSync(file);
  }
}

/** An image with the bytes that were put into the cache; undefined when it holds none, or a damaged one. */
export function readImage(cache: MediaCache, name: string): (MadeImage & CachedImage) | undefined {
  const entry = ifThere(() => readFileSync(join(cache.images, name)));
  return entry && unpackEntry(name, entry);
}

/** Keeps a made image. Throws the file system's error when that fails. */
export function storeImage(cache: MediaCache, name: string, image: MadeImage): void {
  makeFolder(cache.images);
  const entry = packEntry(name, image);
  putFileFrom(cache.temporary, join(cache.images, name), (temporary) => writeFileSync(temporary, entry));
}

/**
 * Copies a cached image to its published place, whole or not at all; where the file system can share blocks, the copy
 * takes no space. The folder of the target is created; a file there is replaced.
 *
 * @param targetPath path of the published file
 * @returns what the cache knows of it
 * @throws Error when the cache does not hold the image, or when the file system fails
 */
export function publishMedia(cache: MediaCache, name: string, targetPath: string): CachedImage {
  const known = peekImage(cache, name);
  if (!known) {
    throw new Error(
      `The media cache lost ${name} or holds it damaged (${cache.images}). Build again to make it once more.`,
    );
  }
  // The temporary file lies beside its target: the cache may be on another disk.
  putFileFrom(dirname(targetPath), targetPath, (temporary) => {
    const entry = join(cache.images, name);
    copyFileSync(entry, temporary, constants.COPYFILE_FICLONE);
    truncateSync(temporary, statSync(entry).size - TRAILER_BYTES);
  });
  return known;
}

/**
 * Deletes the made images that the last build did not use, all those of other encoder versions, and leftovers of
 * killed builds. Files that this module did not write stay.
 *
 * @param used names of the images in use
 * @returns the number of images deleted
 */
export function pruneCache(cacheFolder: string, used: ReadonlySet<string>): number {
  const { images, temporary } = openMediaCache(cacheFolder);
  let removed = 0;
  for (const folder of listFolder(cacheFolder).filter((name) => ENGINE_FOLDER.test(name))) {
    const path = join(cacheFolder, folder);
    for (const file of listFolder(path)) {
      if (!IMAGE_NAME.test(file) || (path === images && used.has(file))) continue;
      rmSync(join(path, file), { force: true });
      removed++;
    }
    if (path !== images && listFolder(path).length === 0) rmSync(path, { recursive: true });
  }
  removeStale(temporary);
  return removed;
}
