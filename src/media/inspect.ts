/** Checks photos as a build does, without writing. */
import { openMediaCache, peekImage } from './cache.ts';
import { checkPixels } from './encode.ts';
import { readHeader } from './header.ts';
import type { Sharp } from './library.ts';
import type { MemoryLimit } from './memory.ts';
import type { MediaOptions, MediaRequest, MediaResult } from './request.ts';
import { type Decoded, type KnownSource, runMedia } from './run.ts';

/**
 * Finds the problems that `makeMedia` would find, by decoding every source that has no cached image. Writes nothing.
 *
 * @throws the first failure of the environment
 */
export async function inspectMedia(
  requests: readonly MediaRequest[],
  options: MediaOptions,
): Promise<MediaResult> {
  const cache = openMediaCache(options.cacheFolder);
  return runMedia(requests, options, {
    find: (name) => peekImage(cache, name),
    isSettled: ({ cached }) => cached.length > 0,
    decode,
  });
}

// Called for sources without a cached image. Checks their first recipe, that of the photo, which decodes most pixels.
async function decode(
  sharp: Sharp,
  { file, missing }: KnownSource,
  withinMemory: MemoryLimit,
): Promise<Decoded> {
  const header = await readHeader(sharp, file);
  const keep = async () => [];
  if ('code' in header) return { problems: [header], keep };
  const { recipe } = missing[0]!;
  const problem = await withinMemory(header.memory, () => checkPixels(sharp, file, header, recipe));
  if (problem) return { problems: [problem], keep };
  return { problems: header.animated ? [{ code: 'photo-animated', args: {} }] : [], keep };
}
