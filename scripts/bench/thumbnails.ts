/** Thumbnails by the media stage, against a loop around sharp that does nothing else, and against `vipsthumbnail`. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import sharp from 'sharp';
import { configurationSchema, type ThumbnailSettings } from '../../src/contract/configuration.ts';
import { openMediaCache, readImage } from '../../src/media/cache.ts';
import { makeMedia } from '../../src/media/make.ts';
import { digestFile, thumbnailName } from '../../src/media/name.ts';
import { isMain } from '../command-line.ts';
import { createRandom } from '../random.ts';
import { run } from './child.ts';
import { median } from './statistics.ts';
import { hasVips, runVips, signalToNoise, vipsPath } from './vips-thumbnail.ts';

/** Seconds of each round. */
export type ThumbnailTimes = {
  readonly images: number;
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  /** `vipsthumbnail`; empty where it is not installed. */
  readonly vips: readonly number[];
  /** How true thumbnails are to their photos, in decibels; medians. */
  readonly quality?: { readonly ours: number; readonly vips: number };
};

const WIDTH = 4000;
const HEIGHT = 3000;

/** A photo that is older than this when a process begins is not read again after its images were made. */
const SETTLED = 60_000;

/**
 * Measures both in turn, each with a cold cache, in a process that begins when the pictures have lain there for a
 * minute, as those of a checkout have.
 *
 * @param folder what {@link makePictures} filled.
 */
export async function measureThumbnails(folder: string, rounds: number): Promise<ThumbnailTimes> {
  const newest = Math.max(...picturesIn(folder).map((file) => statSync(file).ctimeMs));
  await setTimeout(Math.max(0, newest + SETTLED + 1000 - Date.now()));
  const args = ['--import', 'tsx', fileURLToPath(import.meta.url), folder, String(rounds)];
  const { stdout } = await run({ file: process.execPath, args });
  return JSON.parse(stdout) as ThumbnailTimes;
}

const picturesIn = (folder: string, ending = '.jpg'): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

async function measureHere(folder: string, rounds: number): Promise<ThumbnailTimes> {
  const files = picturesIn(folder);
  const { photo, thumbnail } = configurationSchema.parse({});
  const requests = files.map((file) => ({ file, digest: digestFile(file), photo: false, thumbnail: true }));
  const ours: number[] = [];
  const bare: number[] = [];
  const vips: number[] = [];
  let quality: ThumbnailTimes['quality'];
  // The first round warms both up.
  const cacheFolder = join(folder, 'media-cache');
  const plain = join(folder, 'thumbnails');
  const byVips = join(folder, 'vips');
  const sides = [
    { seconds: ours, make: async () => (await makeMedia(requests, { cacheFolder, photo, thumbnail })).made },
    { seconds: bare, make: async () => (await bareLoop(files, plain, thumbnail)).length },
    ...(hasVips
      ? [
          {
            seconds: vips,
            make: () => runVips(files, byVips, thumbnail).then(() => picturesIn(byVips, '.webp').length),
          },
        ]
      : []),
  ];
  for (let round = -1; round < rounds; round++) {
    for (const path of [plain, byVips]) mkdirSync(path);
    // The first one finds the machine in another state.
    for (const { seconds, make } of round % 2 === 0 ? sides : sides.toReversed()) {
      const start = performance.now();
      const made = await make();
      const end = performance.now();
      if (made !== files.length) throw new Error(`expected ${files.length} thumbnails, got ${made}`);
      if (round >= 0) seconds.push((end - start) / 1000);
    }
    if (hasVips) quality ??= await compareQuality(files, cacheFolder, byVips, thumbnail);
    for (const path of [cacheFolder, plain, byVips]) rmSync(path, { recursive: true });
  }
  return { images: files.length, ours, bare, vips, ...(quality && { quality }) };
}

/** Photos whose thumbnails are compared: each has to be decoded whole. */
const COMPARED = 12;

async function compareQuality(
  files: readonly string[],
  cacheFolder: string,
  byVips: string,
  settings: ThumbnailSettings,
) {
  const cache = openMediaCache(cacheFolder);
  const ours: number[] = [];
  const vips: number[] = [];
  for (const file of files.slice(0, COMPARED)) {
    const { bytes } = readImage(cache, thumbnailName(digestFile(file), settings))!;
    ours.push(await signalToNoise(file, bytes, settings));
    vips.push(await signalToNoise(file, readFileSync(vipsPath(byVips, file)), settings));
  }
  return { ours: median(ours), vips: median(vips) };
}

type Size = { readonly width: number; readonly height: number; readonly quality: number };

/** One thread an image and twice the cores in flight: the fastest way there is. */
async function bareLoop(
  files: readonly string[],
  folder: string,
  { width, height, quality }: Size,
): Promise<unknown[]> {
  sharp.concurrency(1);
  sharp.cache(false);
  return pLimit(2 * availableParallelism()).map(files, (file, index) =>
    sharp(file)
      .autoOrient()
      .resize(width, height, { fit: 'cover' })
      .webp({ quality })
      .toFile(join(folder, `${index}.webp`)),
  );
}

/** Fills a new folder with JPEGs of 12 megapixels with large shapes and some grain, as cameras make them. */
export async function makePictures(folder: string, images: number): Promise<void> {
  mkdirSync(folder);
  const random = createRandom(1);
  for (let index = 0; index < images; index++) {
    const small = { width: 40, height: 30, channels: 3 } as const;
    const shapes = Buffer.from(Array.from({ length: 40 * 30 * 3 }, () => 16 + Math.floor(random() * 224)));
    const pixels = await sharp(shapes, { raw: small })
      .resize(WIDTH, HEIGHT, { kernel: 'cubic' })
      .raw()
      .toBuffer();
    addGrain(pixels, 1 + Math.floor(random() * 1e9));
    await sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
      .jpeg({ quality: 88 })
      .toFile(join(folder, `${index}.jpg`));
  }
}

/** Adds -8 to 7 to each sample (xorshift: a better generator would take a minute for all pictures). */
function addGrain(pixels: Buffer, seed: number): void {
  let state = seed;
  for (let index = 0; index < pixels.length; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    pixels[index] = Math.max(0, Math.min(255, pixels[index]! + (state & 15) - 8));
  }
}

if (isMain(import.meta.url)) {
  const [folder = '', rounds = ''] = process.argv.slice(2);
  console.log(JSON.stringify(await measureHere(folder, Number(rounds))));
}
