/** Takes all sources through the cache, and those that it does not settle through the image library, in parallel. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { hasImage, listAnimated, type MediaCache, openMediaCache } from './cache.ts';
import { loadSharp, type Sharp } from './library.ts';
import { isError, type MediaProblem } from './problem.ts';
import {
  type MediaOptions,
  type MediaOutcome,
  type MediaRequest,
  type MediaResult,
  mergeRequests,
  type WantedImage,
  type WantedSource,
} from './request.ts';
import { changedSince } from './source.ts';

/** A source and what the cache holds of it. */
export type KnownSource = WantedSource & {
  readonly cached: readonly WantedImage[];
  readonly missing: readonly WantedImage[];
};

/** What a command does with the sources. */
export type MediaTask = {
  /** Whether the cache says all that there is to say about a source that wants images. */
  readonly isSettled: (source: KnownSource) => boolean;
  /**
   * Decodes a source.
   *
   * @returns its problems, and what to do with the result once the source proved unchanged
   */
  readonly decode: (sharp: Sharp, source: KnownSource) => Promise<Decoded>;
};

/** A source after decoding. */
export type Decoded = {
  readonly problems: readonly MediaProblem[];
  /** Keeps the images in the cache, and returns them. */
  readonly keep: (cache: MediaCache) => readonly WantedImage[];
};

function lookUp(cache: MediaCache, source: WantedSource): KnownSource {
  const cached = source.images.filter(({ name }) => hasImage(cache, name));
  return { ...source, cached, missing: source.images.filter((image) => !cached.includes(image)) };
}

const names = (images: readonly WantedImage[]): string[] => images.map(({ name }) => name);

/** The outcome of a source that the cache settles. */
function cachedOutcome({ digest, cached }: KnownSource, animated: ReadonlySet<string>): MediaOutcome {
  const moves = cached.some(({ name }) => animated.has(name));
  return { digest, problems: moves ? [{ code: 'photo-animated', args: {} }] : [], files: names(cached) };
}

async function decodedOutcome(sharp: Sharp, cache: MediaCache, task: MediaTask, source: KnownSource) {
  const { problems, keep } = await task.decode(sharp, source);
  const changed = changedSince(source.file, source.digest);
  const found = changed ? [changed] : problems;
  const kept = found.some(isError) ? [] : keep(cache);
  const files = names(source.images.filter((image) => source.cached.includes(image) || kept.includes(image)));
  return { outcome: { digest: source.digest, problems: found, files }, made: kept.length };
}

/**
 * Runs a task over all requests.
 *
 * @throws the first failure of the environment, after the sources in flight came to their end
 */
export async function runMedia(
  requests: readonly MediaRequest[],
  options: MediaOptions,
  task: MediaTask,
): Promise<MediaResult> {
  const cache = openMediaCache(options.cacheFolder);
  const sources = mergeRequests(requests, options).map((source) => lookUp(cache, source));
  const total = sources.reduce((sum, { images }) => sum + images.length, 0);
  const reused = sources.reduce((sum, { cached }) => sum + cached.length, 0);
  const animated = listAnimated(cache);
  const outcomes = new Map(sources.map((source) => [source.digest, cachedOutcome(source, animated)]));
  const open = sources.filter((source) => source.missing.length > 0 && !task.isSettled(source));
  let done = total - open.reduce((sum, { images }) => sum + images.length, 0);
  options.onProgress?.(done, total);
  if (open.length === 0) return { outcomes, made: 0, reused };

  const sharp = await loadSharp();
  const limit = pLimit(options.concurrency ?? 2 * availableParallelism());
  let made = 0;
  let failure: { readonly error: unknown } | undefined;
  await limit.map(open, async (source) => {
    if (failure) return;
    try {
      const result = await decodedOutcome(sharp, cache, task, source);
      outcomes.set(source.digest, result.outcome);
      made += result.made;
      done += source.images.length;
      options.onProgress?.(done, total);
    } catch (error) {
      failure ??= { error };
    }
  });
  if (failure) throw (failure as { readonly error: unknown }).error;
  return { outcomes, made, reused };
}
