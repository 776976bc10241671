/** The image library, loaded when the first image is needed and not before. */
import { availableParallelism } from 'node:os';
import type sharp from 'sharp';

/** The entry point of sharp. */
export type Sharp = typeof sharp;

/** Native calls run on libuv's pool of threads, 4 unless its environment variable says otherwise. */
const poolThreads = (): number => Number(process.env.UV_THREADPOOL_SIZE) || 4;

/**
 * Loads sharp and sets it up for many images at once: one thread per image (and only more where the pool has fewer
 * threads than there are cores), since images in parallel use the cores better than parts of one image do; no cache of
 * opened files, which would show the old bytes of a path that was overwritten. These settings hold for the process.
 */
export async function loadSharp(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(Math.max(1, Math.floor(availableParallelism() / poolThreads())));
  library.cache(false);
  return library;
}
