import { availableParallelism } from 'node:os';
import type sharp from 'sharp';

export type Sharp = typeof sharp;

/** Number of libuv threads, which run native calls. */
const poolThreads = (): number => Number(process.env.UV_THREADPOOL_SIZE) || 4;

/**
 * Loads sharp and configures it for many images at once: one thread per image (more only where the pool has fewer
 * threads than cores), since whole images in parallel use the cores better; and no file cache, which would return old
 * bytes of an overwritten path. The settings apply to the whole process.
 */
export async function loadSharp(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(Math.max(1, Math.floor(availableParallelism() / poolThreads())));
  library.cache(false);
  return library;
}
