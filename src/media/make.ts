import { type Concurrency, maxInFlight, START_IN_FLIGHT } from '../storage/pace.ts';
import { type MediaCache, openMediaCache, peekImage, readImage, storeImage } from './cache.ts';
import type { MadeImage } from './cache-entry.ts';
import { encodeImage } from './encode.ts';
import type { Sharp } from './load-sharp.ts';
import type { MediaOptions, MediaRequest, MediaResult, WantedImage } from './media-request.ts';
import type { MemoryLimiter } from './memory-limit.ts';
import { readHeader } from './photo-header.ts';
import { type DecodedPhoto, type FetchedImages, type LookedUpSource, runMedia } from './run-media.ts';
import type { SharedCache, UploadOutcome } from './shared-cache.ts';
import { removeStaleFiles } from './temporary.ts';

/**
 * Processes equal files once, and replaces damaged cache entries. A photo that cannot be published has a problem in its
 * outcome.
 * @throws the first failure of the machine, such as a full disk; images made before it stay in the cache
 */
export async function makeMedia(
  requests: readonly MediaRequest[],
  options: MediaOptions,
): Promise<MediaResult> {
  const cache = openMediaCache(options.cacheFolder);
  const { existing, shared } = options;
  removeStaleFiles(cache.temporary);
  let width: Concurrency = START_IN_FLIGHT;
  const open = async () => {
    const opened = await shared!();
    width = opened.width;
    return opened;
  };
  return runMedia(requests, options, {
    find: (name) => (existing?.has(name) ? peekImage : readImage)(cache, name),
    canSkip: ({ missing }) => missing.length === 0,
    extraConcurrency: shared && (() => maxInFlight(width)),
    fetch: shared && (async ({ missing }) => fetchImages(cache, await open(), missing)),
    decode: (sharp, source, withinMemory) =>
      encodeMissing(sharp, source, withinMemory, async (name, image) => {
        storeImage(cache, name, image);
        return shared ? (await open()).keep(name, image) : 'added';
      }),
  });
}

async function fetchImages(
  cache: MediaCache,
  shared: SharedCache,
  missing: readonly WantedImage[],
): Promise<FetchedImages> {
  const images: WantedImage[] = [];
  let animated = false;
  for (const wanted of missing) {
    const image = await shared.find(wanted.name);
    if (!image) continue;
    storeImage(cache, wanted.name, image);
    images.push(wanted);
    animated ||= image.animated;
  }
  return { images, animated, repaired: 0 };
}

const NOTHING = { store: async () => [] };

/** @param keep function that stores an image; called only after checking that the source is unchanged */
export async function encodeMissing(
  sharp: Sharp,
  { file, missing }: LookedUpSource,
  withinMemory: MemoryLimiter,
  keep: (name: string, image: MadeImage) => Promise<UploadOutcome>,
): Promise<DecodedPhoto> {
  const header = await readHeader(sharp, file);
  if ('code' in header) return { problems: [header], ...NOTHING };
  const { animated } = header;
  const encoded: Buffer[] = [];
  for (const { recipe } of missing) {
    const bytes = await withinMemory(header.memory, () => encodeImage(sharp, file, header, recipe));
    if (!Buffer.isBuffer(bytes)) return { problems: [bytes], ...NOTHING };
    encoded.push(bytes);
  }
  return {
    problems: animated ? [{ code: 'photo-animated', args: {} }] : [],
    store: () =>
      Promise.all(missing.map(({ name }, index) => keep(name, { bytes: encoded[index]!, animated }))),
  };
}
