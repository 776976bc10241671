import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMediaCache, peekImage } from './cache.ts';
import { checkPixels } from './encode.ts';
import { loadSharp, type Sharp } from './load-sharp.ts';
import type { MediaOptions, MediaRequest, MediaResult } from './media-request.ts';
import type { MemoryLimiter } from './memory-limit.ts';
import { readHeader } from './photo-header.ts';
import type { MediaProblem } from './photo-problem.ts';
import { type DecodedPhoto, type LookedUpSource, runMedia } from './run-media.ts';

/** Finds the problems that `makeMedia` would find, by decoding each source that has no cached image. Writes nothing. */
export async function findPhotoProblems(
  requests: readonly MediaRequest[],
  options: MediaOptions,
): Promise<MediaResult> {
  const cache = openMediaCache(options.cacheFolder);
  return runMedia(requests, options, {
    find: (name) => peekImage(cache, name),
    canSkip: ({ cached }) => cached.length > 0,
    decode,
  });
}

/** Close to the default settings of photos, so that about as many pixels are decoded as in a build. */
const USUAL_IMAGE = { kind: 'photo', settings: { max_width: 2560, format: 'webp', quality: 80 } } as const;

/** Checks a photo that is not stored in a file yet. @throws on failures of the machine, such as a full disk */
export async function findPhotoProblem(bytes: Buffer): Promise<MediaProblem | undefined> {
  const sharp = await loadSharp();
  const folder = mkdtempSync(join(tmpdir(), 'photo-'));
  try {
    const file = join(folder, 'photo');
    writeFileSync(file, bytes);
    const header = await readHeader(sharp, file);
    return 'code' in header ? header : await checkPixels(sharp, file, header, USUAL_IMAGE);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// Decodes a source only once, as its first missing image requires. If the photo and the thumbnail are missing, that is
// the photo, which needs more pixels.
async function decode(
  sharp: Sharp,
  { file, missing }: LookedUpSource,
  withinMemory: MemoryLimiter,
): Promise<DecodedPhoto> {
  const header = await readHeader(sharp, file);
  const store = async () => [];
  if ('code' in header) return { problems: [header], store };
  const { recipe } = missing[0]!;
  const problem = await withinMemory(header.memory, () => checkPixels(sharp, file, header, recipe));
  if (problem) return { problems: [problem], store };
  return { problems: header.animated ? [{ code: 'photo-animated', args: {} }] : [], store };
}
