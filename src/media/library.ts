import { availableParallelism } from 'node:os';
import type sharp from 'sharp';

export type Sharp = typeof sharp;

/** Threads of libuv, which run native calls. */
const poolThreads = (): number => Number(process.env.UV_THREADPOOL_SIZE) || 4;

/** For the whole process: one thread per image, and no file cache, which returns old bytes of an overwritten path. */
export async function loadSharp(): Promise<Sharp> {
  const { default: library } = await import('sharp');
  library.concurrency(Math.max(1, Math.floor(availableParallelism() / poolThreads())));
  library.cache(false);
  return library;
}
