import { availableParallelism } from 'node:os';
import type sharp from 'sharp';

export type Sharp = typeof sharp;

/** Number of threads of libuv, which run native calls. */
const poolThreads = (): number => Number(process.env.UV_THREADPOOL_SIZE) || 4;

/**
 * Sets up the library for the whole process: divides the cores between images that are processed at once, and disables
 * the file cache, which would return old bytes of an overwritten path.
 */
export async function loadSharp(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(Math.max(1, Math.floor(availableParallelism() / poolThreads())));
  library.cache(false);
  return library;
}
