import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { forEachConcurrently } from '../storage/for-each.ts';
import { loadSharp, type Sharp } from './load-sharp.ts';
import {
  type MediaOptions,
  type MediaOutcome,
  type MediaRequest,
  type MediaResult,
  mergeRequests,
  type WantedImage,
  type WantedSource,
} from './media-request.ts';
import { createMemoryLimiter, MEMORY_LIMIT, type MemoryLimiter } from './memory-limit.ts';
import { isPhotoError, type MediaProblem } from './photo-problem.ts';
import type { UploadOutcome } from './shared-cache.ts';
import { problemIfChanged } from './source-photo.ts';

type FoundImage = {
  readonly animated: boolean;
};

export type LookedUpSource = WantedSource & {
  readonly animated: boolean;
  readonly cached: readonly WantedImage[];
  readonly missing: readonly WantedImage[];
};

export type MediaSteps = {
  /** Looks in the destination cache; undefined on a miss. */
  readonly find: (name: string) => FoundImage | undefined;
  /** Called only for sources with missing images. */
  readonly canSkip: (source: LookedUpSource) => boolean;
  readonly fetch?: ((source: LookedUpSource) => Promise<FetchedImages>) | undefined;
  /** Number of sources that may wait for `fetch`, in addition to those being decoded. */
  readonly extraConcurrency?: (() => number) | undefined;
  /** Decodes a source, and makes its missing images if the run wants them. */
  readonly decode: (
    sharp: Sharp,
    source: LookedUpSource,
    withinMemory: MemoryLimiter,
  ) => Promise<DecodedPhoto>;
};

export type FetchedImages = {
  readonly images: readonly WantedImage[];
  readonly animated: boolean;
  readonly repaired: number;
};

export type DecodedPhoto = {
  readonly problems: readonly MediaProblem[];
  /** Called after checking that the source is unchanged. Returns the outcome for each image. */
  readonly store: () => Promise<readonly UploadOutcome[]>;
};

const ANIMATED: MediaProblem = { code: 'photo-animated', args: {} };

function lookUp(steps: MediaSteps, source: WantedSource): LookedUpSource {
  const cached: WantedImage[] = [];
  const missing: WantedImage[] = [];
  let animated = false;
  for (const image of source.images) {
    const held = steps.find(image.name);
    (held ? cached : missing).push(image);
    animated ||= held?.animated === true;
  }
  return { ...source, cached, missing, animated };
}

const names = (images: readonly WantedImage[]): string[] => images.map(({ name }) => name);

function settledOutcome({ digest, cached, animated }: LookedUpSource): MediaOutcome {
  return { digest, problems: animated ? [ANIMATED] : [], files: names(cached) };
}

function withFetched(source: LookedUpSource, { images, animated }: FetchedImages): LookedUpSource {
  const cached = source.images.filter((image) => source.cached.includes(image) || images.includes(image));
  const missing = source.images.filter((image) => !cached.includes(image));
  return { ...source, cached, missing, animated: source.animated || animated };
}

async function decodedOutcome(
  sharp: Sharp,
  steps: MediaSteps,
  source: LookedUpSource,
  withinMemory: MemoryLimiter,
) {
  const { problems, store } = await steps.decode(sharp, source, withinMemory);
  const changed = problemIfChanged(source.file, source.digest);
  const found = changed ? [changed] : problems;
  return { problems: found, store: found.some(isPhotoError) ? async () => [] : store };
}

/** @throws the first failure of the machine, such as a full disk, once the sources in flight have ended */
export async function runMedia(
  requests: readonly MediaRequest[],
  options: MediaOptions,
  steps: MediaSteps,
): Promise<MediaResult> {
  const sources = mergeRequests(requests, options).map((source) => lookUp(steps, source));
  const total = sources.reduce((sum, { images }) => sum + images.length, 0);
  const reused = sources.reduce((sum, { cached }) => sum + cached.length, 0);
  const outcomes = new Map(sources.map((source) => [source.digest, settledOutcome(source)]));
  const open = sources.filter((source) => source.missing.length > 0 && !steps.canSkip(source));
  let done = total - open.reduce((sum, { images }) => sum + images.length, 0);
  options.onProgress?.(done, total);
  const counts = { made: 0, fetched: 0, repaired: 0 };

  const concurrency = options.concurrency ?? 2 * availableParallelism();
  const limit = pLimit(concurrency);
  const withinMemory = createMemoryLimiter(MEMORY_LIMIT);
  let library: Promise<Sharp> | undefined;

  const settle = async (source: LookedUpSource): Promise<void> => {
    const fetched = await steps.fetch?.(source);
    const left = fetched ? withFetched(source, fetched) : source;
    counts.fetched += fetched?.images.length ?? 0;
    counts.repaired += fetched?.repaired ?? 0;
    if (left.missing.length === 0) {
      outcomes.set(source.digest, settledOutcome(left));
      return;
    }
    library ??= loadSharp();
    const sharp = await library;
    const { problems, store } = await limit(() => decodedOutcome(sharp, steps, left, withinMemory));
    const kept = await store();
    counts.made += kept.length;
    counts.repaired += kept.filter((result) => result === 'repaired').length;
    const images = kept.length > 0 ? left.images : left.cached;
    outcomes.set(source.digest, { digest: source.digest, problems, files: names(images) });
  };

  const width = {
    // Room for both kinds of work, so that neither fetching nor decoding waits for the other.
    get inFlight() {
      return concurrency + (steps.extraConcurrency?.() ?? 0);
    },
  };
  await forEachConcurrently(open, width, async (source) => {
    await settle(source);
    done += source.images.length;
    options.onProgress?.(done, total);
  });
  return { outcomes, reused, ...counts };
}
