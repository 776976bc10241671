/** Makes the images that the cache does not hold. */
import { openMediaCache, storeImage } from './cache.ts';
import { encodeImage } from './encode.ts';
import { readHeader } from './header.ts';
import type { Sharp } from './library.ts';
import type { MediaOptions, MediaRequest, MediaResult } from './request.ts';
import { type Decoded, type KnownSource, runMedia } from './run.ts';
import { removeStale } from './temporary.ts';

/**
 * Makes the wanted images that the cache does not hold, and keeps them there. Sources with the same bytes are made
 * once. A photo that cannot be published is a problem of its outcome, and never an exception. The image library is not
 * even loaded when the cache holds everything.
 *
 * @throws the first failure of the environment (a full disk, a cache that may not be written); what was made before it
 * stays in the cache
 * @example
 * const { outcomes } = await makeMedia([{ file, digest: digestFile(file), photo: true, thumbnail: true }], options);
 */
export async function makeMedia(
  requests: readonly MediaRequest[],
  options: MediaOptions,
): Promise<MediaResult> {
  removeStale(openMediaCache(options.cacheFolder).temporary);
  return runMedia(requests, options, { isSettled: ({ missing }) => missing.length === 0, decode });
}

const nothing = { keep: () => [] };

async function decode(sharp: Sharp, { file, missing }: KnownSource): Promise<Decoded> {
  const header = await readHeader(sharp, file);
  if ('code' in header) return { problems: [header], ...nothing };
  const encoded: Buffer[] = [];
  for (const { recipe } of missing) {
    const bytes = await encodeImage(sharp, file, header, recipe);
    if (!Buffer.isBuffer(bytes)) return { problems: [bytes], ...nothing };
    encoded.push(bytes);
  }
  return {
    problems: header.animated ? [{ code: 'photo-animated', args: {} }] : [],
    keep: (cache) => {
      for (const [at, { name }] of missing.entries()) storeImage(cache, name, encoded[at]!, header.animated);
      return missing;
    },
  };
}
