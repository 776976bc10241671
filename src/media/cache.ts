/**
 * The cache of made images.
 *
 * ```
 * <folder>/sharp-0.35.5-vips-8.18.7-5f0c2a9e/<published name>   one made image with its metadata
 * <folder>/temporary/...                                        files being written
 * ```
 *
 * The published name depends on the source and the image's settings; the folder's name depends on the versions of the
 * encoders. An entry (cache-entry.ts) contains its name and digest, so a cache can be restored or copied in any order,
 * without an index.
 */

import {
  chmodSync,
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
import { makeFolder, undefinedIfMissing } from '../files/files-and-folders.ts';
import { FILE_MODE, hasMode } from '../files/published-modes.ts';
import {
  type CachedImage,
  type MadeImage,
  packEntry,
  parseTrailer,
  TRAILER_BYTES,
  unpackEntry,
} from './cache-entry.ts';
import { engineName, engineVersions } from './engine-version.ts';
import { IMAGE_NAME } from './image-name.ts';
import { listFolder, removeStaleFiles, writeViaTemporaryFolder } from './temporary.ts';

export type MediaCache = {
  readonly images: string;
  readonly temporary: string;
};

const ENGINE_FOLDER = /^sharp-[^/]+-vips-[^/]+-[0-9a-f]{8}$/;

/** Does not create the folders yet. */
export function openMediaCache(cacheFolder: string): MediaCache {
  return {
    images: join(cacheFolder, engineName(engineVersions())),
    temporary: join(cacheFolder, 'temporary'),
  };
}

/** Undefined on a miss. Does not check the image's bytes. @throws file system errors if the entry cannot be read */
export function peekImage(cache: MediaCache, name: string): CachedImage | undefined {
  const file = undefinedIfMissing(() => openSync(join(cache.images, name), 'r'));
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

/** Checks the digest. Undefined if the image is absent or damaged. */
export function readImage(cache: MediaCache, name: string): (MadeImage & CachedImage) | undefined {
  const entry = undefinedIfMissing(() => readFileSync(join(cache.images, name)));
  return entry && unpackEntry(name, entry);
}

export function storeImage(cache: MediaCache, name: string, image: MadeImage): void {
  makeFolder(cache.images);
  const entry = packEntry(name, image);
  writeViaTemporaryFolder(cache.temporary, join(cache.images, name), (temporary) =>
    writeFileSync(temporary, entry),
  );
}

/** Copies atomically. On a copy-on-write file system the copy takes no space. @throws Error on a cache miss */
export function copyImage(cache: MediaCache, name: string, targetPath: string): CachedImage {
  const known = peekImage(cache, name);
  if (!known) {
    throw new Error(
      `The media cache lost ${name} or holds it damaged (${cache.images}). Build again to make it once more.`,
    );
  }
  // The temporary file is next to its target, since the cache may be on another disk.
  writeViaTemporaryFolder(dirname(targetPath), targetPath, (temporary) => {
    const entry = join(cache.images, name);
    copyFileSync(entry, temporary, constants.COPYFILE_FICLONE);
    const stats = statSync(entry);
    truncateSync(temporary, stats.size - TRAILER_BYTES);
    // The copy has the mode of the entry, which may differ from that of published files.
    if (!hasMode(stats, FILE_MODE)) chmodSync(temporary, FILE_MODE);
  });
  return known;
}

/**
 * Deletes unused images, images that other versions of the encoders made, and temporary files of killed builds. Returns
 * the number of deleted images.
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
  removeStaleFiles(temporary);
  return removed;
}
