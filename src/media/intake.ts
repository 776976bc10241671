/** A photo on its way into the content folder: no larger than it is published, upright, and without metadata. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PhotoSettings } from '../contract/configuration.ts';
import { encodeImage } from './encode.ts';
import { readHeader } from './header.ts';
import { loadSharp, type Sharp } from './library.ts';
import type { MediaProblem } from './problem.ts';

/** A photo that can be committed. */
export type TakenPhoto = {
  readonly bytes: Buffer;
  /** Of its file name. */
  readonly extension: '.jpg' | '.webp';
  /** In pixels. */
  readonly width: number;
  readonly height: number;
};

/** Quality of the encoded photo: a build encodes it again, so that nothing must be visible of this one. */
const QUALITY = 92;

/**
 * Shrinks a photo to the width at which it is published, turns it upright, converts it to sRGB, and drops all metadata: a
 * phone writes into it where it was taken. The result is a JPEG, or a WebP where the photo is transparent somewhere.
 *
 * @param bytes of a file, whatever its name says
 * @returns the photo, or what keeps it from being used, as a build would say
 * @throws when the environment fails
 */
export async function takePhoto(
  bytes: Buffer,
  { max_width }: Pick<PhotoSettings, 'max_width'>,
): Promise<TakenPhoto | MediaProblem> {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-photo-'));
  try {
    const file = join(folder, 'photo');
    writeFileSync(file, bytes);
    const sharp = await loadSharp();
    const header = await readHeader(sharp, file);
    if ('code' in header) return header;
    const isTransparent = await hasTransparency(sharp, file);
    const format = isTransparent ? 'webp' : 'jpeg';
    const settings = { max_width, format, quality: QUALITY } as const;
    const encoded = await encodeImage(sharp, file, header, { kind: 'photo', settings });
    if (!Buffer.isBuffer(encoded)) return encoded;
    const { width = 0, height = 0 } = await sharp(encoded).metadata();
    return { bytes: encoded, extension: isTransparent ? '.webp' : '.jpg', width, height };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether any pixel shows through; many pictures have a channel for it that says nothing. */
async function hasTransparency(sharp: Sharp, file: string): Promise<boolean> {
  const { hasAlpha } = await sharp(file, { failOn: 'none' }).metadata();
  return (
    hasAlpha === true &&
    !(
      await sharp(file, { failOn: 'none' })
        .stats()
        .catch(() => undefined)
    )?.isOpaque
  );
}
