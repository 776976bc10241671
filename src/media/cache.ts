/**
 * The cache of made images.
 *
 * ```
 * <folder>/sharp-0.35.5-vips-8.18.7-5f0c2a9e/<published name>            one made image
 * <folder>/sharp-0.35.5-vips-8.18.7-5f0c2a9e/<published name>.animated   empty: its source was animated
 * <folder>/remote/...                                                    downloads (remote.ts)
 * <folder>/temporary/...                                                 files being written
 * ```
 *
 * The published name covers source and recipe; the folder covers the encoders. An entry counts when it is whole by its
 * own structure, so that a restored, copied or shared cache needs no times, no index and no order of restoring.
 */
import { constants, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isWholeImage } from './completeness.ts';
import { engineName, engineVersions } from './engine.ts';
import { IMAGE_NAME } from './name.ts';
import { listFolder, putFile, removeStale } from './temporary.ts';

/** Where the entries of one cache are, for the encoders installed now. */
export type MediaCache = {
  /** Folder of the made images. */
  readonly images: string;
  /** Folder of files being written. */
  readonly temporary: string;
};

const ENGINE_FOLDER = /^sharp-[^/]+-vips-[^/]+-[0-9a-f]{8}$/;
const ANIMATED = '.animated';

/** Resolves the folders of a cache; reads the versions of the encoders, and creates nothing. */
export function openMediaCache(cacheFolder: string): MediaCache {
  return {
    images: join(cacheFolder, engineName(engineVersions())),
    temporary: join(cacheFolder, 'temporary'),
  };
}

/** Whether the cache holds this image, whole. */
export const hasImage = (cache: MediaCache, name: string): boolean => isWholeImage(join(cache.images, name));

/** The bytes of a cached image. Throws the file system's error when it is not there. */
export const readImage = (cache: MediaCache, name: string): Buffer => readFileSync(join(cache.images, name));

/** Names of the cached images whose source was animated. */
export const listAnimated = (cache: MediaCache): ReadonlySet<string> =>
  new Set(
    listFolder(cache.images)
      .filter((name) => name.endsWith(ANIMATED))
      .map((name) => name.slice(0, -ANIMATED.length)),
  );

/** Keeps a made image. Throws the file system's error when that fails. */
export function storeImage(cache: MediaCache, name: string, bytes: Buffer, animated: boolean): void {
  mkdirSync(cache.images, { recursive: true });
  // The mark comes first: an image that is there has its mark.
  if (animated) writeFileSync(join(cache.images, `${name}${ANIMATED}`), '');
  putFile(cache.temporary, join(cache.images, name), (temporary) => writeFileSync(temporary, bytes));
}

/**
 * Copies a cached image to its published place, whole or not at all; where the file system can share blocks, the copy
 * takes no space. The folder of the target is created; a file there is replaced.
 *
 * @param targetPath path of the published file
 * @throws Error when the cache does not hold the image, or when the file system fails
 */
export function publishMedia(cache: MediaCache, name: string, targetPath: string): void {
  if (!hasImage(cache, name)) {
    throw new Error(
      `The media cache lost ${name} or holds it damaged (${cache.images}). Build again to make it anew.`,
    );
  }
  // The temporary file lies beside its target: the cache may be on another disk.
  putFile(dirname(targetPath), targetPath, (temporary) =>
    copyFileSync(join(cache.images, name), temporary, constants.COPYFILE_FICLONE),
  );
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
      const name = file.endsWith(ANIMATED) ? file.slice(0, -ANIMATED.length) : file;
      if (!IMAGE_NAME.test(name) || (path === images && used.has(name))) continue;
      rmSync(join(path, file), { force: true });
      if (name === file) removed++;
    }
    if (path !== images && listFolder(path).length === 0) rmSync(path, { recursive: true });
  }
  removeStale(temporary);
  return removed;
}
