/** Thumbnails by `vipsthumbnail`, the command of libvips, and how true thumbnails are to their photos. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { ThumbnailSettings } from '../../src/contract/configuration.ts';
import { run } from './child.ts';

/** Debian's package is `libvips-tools`. */
const PROGRAM = '/usr/bin/vipsthumbnail';

export const hasVips = existsSync(PROGRAM);

/**
 * Makes WebP thumbnails of files into a folder. There is a process for each core, of one thread: that
 * makes more a second than one process with all threads.
 */
export async function runVips(
  files: readonly string[],
  folder: string,
  { width, height, quality }: ThumbnailSettings,
): Promise<void> {
  const cores = availableParallelism();
  const args = ['--vips-concurrency=1', '--size', `${width}x${height}`];
  args.push('-o', `${folder}/%s.webp[Q=${quality},strip]`);
  await Promise.all(
    Array.from({ length: cores }, (_, core) => {
      const share = files.filter((_file, place) => place % cores === core);
      return run({ file: PROGRAM, args: [...args, ...share] });
    }),
  );
}

/** Decibels of the peak signal-to-noise ratio of a thumbnail, against its photo scaled from all of its pixels. */
export async function signalToNoise(
  photo: string,
  thumbnail: Buffer,
  { width, height }: Pick<ThumbnailSettings, 'width' | 'height'>,
): Promise<number> {
  const whole = await sharp(photo).raw().toBuffer({ resolveWithObject: true });
  const wanted = await sharp(whole.data, { raw: whole.info }).resize(width, height).raw().toBuffer();
  const { data, info } = await sharp(thumbnail).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  if (info.width !== width || info.height !== height)
    throw new Error(`expected ${width} x ${height} pixels, got ${info.width} x ${info.height}`);
  let sum = 0;
  for (let place = 0; place < wanted.length; place++) sum += (wanted[place]! - data[place]!) ** 2;
  return 10 * Math.log10((255 * 255 * wanted.length) / sum);
}

/** Path of the thumbnail that {@link runVips} made of a file. */
export function vipsPath(folder: string, file: string): string {
  return join(folder, file.replace(/^.*\/(.*)\.jpg$/, '$1.webp'));
}
