import { forEachConcurrently } from '../storage/for-each.ts';
import { maxInFlight } from '../storage/pace.ts';
import { openMediaCache, peekImage, readImage } from './cache.ts';
import { encodeMissing } from './make.ts';
import {
  type MediaOptions,
  type MediaRequest,
  type MediaResult,
  mergeRequests,
  type WantedImage,
} from './media-request.ts';
import { type FetchedImages, runMedia } from './run-media.ts';
import type { SharedCache } from './shared-cache.ts';

export type FillSharedCacheOptions = Omit<MediaOptions, 'shared'> & {
  readonly shared: SharedCache;
  /**
   * `list` only lists the shared cache, so a damaged image counts as present. `read` reads each wanted image, and
   * replaces it if it is damaged. @default 'list'
   */
  readonly look?: 'list' | 'read' | undefined;
};

/**
 * Adds the wanted images that the shared cache lacks. Does not add them to the local cache, since this machine may
 * never use them. Several machines may run this at once.
 * @throws the first failure of the machine, such as a full disk; images stored before it stay
 */
export async function fillSharedCache(
  requests: readonly MediaRequest[],
  options: FillSharedCacheOptions,
): Promise<MediaResult> {
  const { shared, look = 'list' } = options;
  const cache = openMediaCache(options.cacheFolder);
  const local: MediaOptions = { ...options, shared: undefined };
  const wanted = new Set(mergeRequests(requests, local).flatMap(({ images }) => images.map(nameOf)));
  const present = look === 'read' ? await readAll(shared, wanted) : await shared.present(wanted);

  return runMedia(requests, local, {
    find: (name) => (present.has(name) ? { animated: peekImage(cache, name)?.animated === true } : undefined),
    canSkip: ({ missing }) => missing.length === 0,
    extraConcurrency: () => maxInFlight(shared.width),
    async fetch({ missing }): Promise<FetchedImages> {
      const images: WantedImage[] = [];
      let animated = false;
      let repaired = 0;
      for (const wanted of missing) {
        const image = readImage(cache, wanted.name);
        if (!image) continue;
        if ((await shared.keep(wanted.name, image)) === 'repaired') repaired++;
        images.push(wanted);
        animated ||= image.animated;
      }
      return { images, animated, repaired };
    },
    decode: (sharp, source, withinMemory) => encodeMissing(sharp, source, withinMemory, shared.keep),
  });
}

const nameOf = ({ name }: { readonly name: string }): string => name;

async function readAll(shared: SharedCache, names: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  await forEachConcurrently(names, shared.width, async (name) => {
    if (await shared.find(name)) whole.add(name);
  });
  return whole;
}
