/** HEIC photos, as iPhones make them. The image library can read only their header. */
import { createRequire } from 'node:module';
import { runInLimitedThread, type ThreadLimits } from '../process/limited-thread.ts';
import { type HeicRequest, writePixels } from './heic-pixels.ts';
import type { Sharp } from './load-sharp.ts';
import { decodingProblem } from './photo-header.ts';
import type { MediaProblem } from './photo-problem.ts';

/** The largest photos of iPhones have 48.8 megapixels. Decoding takes 15 bytes per pixel. */
const MAX_PIXELS = 50_000_000;
const LIMITS: ThreadLimits = { time: 120_000, memory: 256 };

// A worker cannot load TypeScript, so code that runs from source decodes on the main thread.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./heic-worker.js', import.meta.url);

export function isHeicReadable(): boolean {
  try {
    createRequire(import.meta.url).resolve('libheif-js/wasm-bundle.js');
    return true;
  } catch {
    return false;
  }
}

/** Writes an upright TIFF to `out`. Returns a problem if the photo cannot be decoded. */
export async function decodeHeic(sharp: Sharp, file: string, out: string): Promise<MediaProblem | undefined> {
  try {
    const { width, height, icc } = await sharp(file, { limitInputPixels: false, failOn: 'none' }).metadata();
    if (width * height > MAX_PIXELS) {
      return { code: 'photo-too-large', args: { width, height, pixels: width * height, limit: MAX_PIXELS } };
    }
    const request: HeicRequest = { file, out, profile: icc, maxPixels: MAX_PIXELS };
    if (WORKER) await runInLimitedThread(WORKER, request, LIMITS, () => new Error('It takes too long.'));
    else await writePixels(request);
    return undefined;
  } catch (error) {
    return decodingProblem(error);
  }
}
