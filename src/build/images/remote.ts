/** Links to photos that need thumbnails: found in the caches, or downloaded. */
import { openMediaCache, readImage, storeImage } from '../../media/cache.ts';
import { thumbnailName } from '../../media/name.ts';
import type { MediaProblem } from '../../media/problem.ts';
import {
  downloadPath,
  fetchRemotePhoto,
  type RemotePhoto,
  recallRemotePhoto,
  rememberRemotePhoto,
} from '../../media/remote.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import type { MediaStage } from './stage.ts';

/**
 * The photo behind a link. It is only downloaded when its thumbnail is in no cache, so the file may not be there when
 * its thumbnail is in the local one.
 *
 * @returns the photo, or the problem `remote-photo-failed`
 */
export async function resolveRemote(stage: MediaStage, url: string): Promise<RemotePhoto | MediaProblem> {
  const { cacheFolder, configuration, shared } = stage;
  const cache = openMediaCache(cacheFolder);
  const known = recallRemotePhoto(url, cacheFolder);
  if (known && readImage(cache, thumbnailName(known, configuration.thumbnail))) {
    return { file: downloadPath(known, cacheFolder), digest: known };
  }
  const others = await shared?.();
  const digest = await others?.findRemote(url);
  const name = digest && thumbnailName(digest, configuration.thumbnail);
  const image = name && (await others?.find(name));
  if (digest && name && image) {
    storeImage(cache, name, image);
    rememberRemotePhoto(url, digest, cacheFolder);
    return { file: downloadPath(digest, cacheFolder), digest };
  }
  const fetched = await fetchRemotePhoto(url, { cacheFolder });
  if (others && !('code' in fetched)) await others.keepRemote(url, fetched.digest);
  return fetched;
}

/**
 * Whether the shared cache holds the thumbnail of the photo at a link, whole.
 *
 * @returns the SHA-256 of the photo, or undefined
 */
export async function findShared(
  { configuration }: MediaStage,
  shared: SharedCache,
  url: string,
): Promise<string | undefined> {
  const digest = await shared.findRemote(url);
  const image = digest && (await shared.find(thumbnailName(digest, configuration.thumbnail)));
  return image ? digest : undefined;
}
