/** Makes the images that a shared cache does not hold, for the machines that will use them. */
import { forEach } from '../storage/for-each.ts';
import { openMediaCache, peekImage, readImage } from './cache.ts';
import { encodeMissing } from './make.ts';
import {
  type MediaOptions,
  type MediaRequest,
  type MediaResult,
  mergeRequests,
  type WantedImage,
} from './request.ts';
import { type Fetched, runMedia } from './run.ts';
import type { SharedCache } from './shared-cache.ts';

/** How images are made for others. */
export type ShareOptions = Omit<MediaOptions, 'shared'> & {
  readonly shared: SharedCache;
  /**
   * How it is known what the shared cache holds. `list`: by listing it, one request for a thousand images; an object
   * that is damaged counts as there, and is made again by the build that reads it. `read`: by reading each wanted
   * image, so that damaged ones are made again now.
   *
   * @default 'list'
   */
  readonly look?: 'list' | 'read' | undefined;
};

const READS_IN_FLIGHT = 32;

/**
 * Makes the wanted images that the shared cache does not hold, and keeps them there. What the folder holds is not made
 * but copied; the folder itself is left as it is, since its machine may never use them. Several machines may do the
 * same at the same time: each image is written once.
 *
 * @throws the first failure of the environment; what was made before it stays in the shared cache
 */
export async function shareMedia(
  requests: readonly MediaRequest[],
  options: ShareOptions,
): Promise<MediaResult> {
  const { shared, look = 'list' } = options;
  const cache = openMediaCache(options.cacheFolder);
  const local: MediaOptions = { ...options, shared: undefined };
  const wanted = new Set(mergeRequests(requests, local).flatMap(({ images }) => images.map(nameOf)));
  const present = look === 'read' ? await readAll(shared, wanted) : await shared.present(wanted);

  return runMedia(requests, local, {
    find: (name) => (present.has(name) ? { animated: peekImage(cache, name)?.animated === true } : undefined),
    isSettled: ({ missing }) => missing.length === 0,
    async fetch({ missing }): Promise<Fetched> {
      const images: WantedImage[] = [];
      let animated = false;
      let mended = 0;
      for (const wanted of missing) {
        const image = readImage(cache, wanted.name);
        if (!image) continue;
        if ((await shared.keep(wanted.name, image)) === 'mended') mended++;
        images.push(wanted);
        animated ||= image.animated;
      }
      return { images, animated, mended };
    },
    decode: (sharp, source, room) => encodeMissing(sharp, source, room, shared.keep),
  });
}

const nameOf = ({ name }: { readonly name: string }): string => name;

/** Those of the names whose images are there, whole. */
async function readAll(shared: SharedCache, names: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  await forEach(names, READS_IN_FLIGHT, async (name) => {
    if (await shared.find(name)) whole.add(name);
  });
  return whole;
}
