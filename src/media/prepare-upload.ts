import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PhotoSettings } from '../contract/configuration.ts';
import { encodeImage } from './encode.ts';
import { decodeHeic, isHeicReadable } from './heic.ts';
import { loadSharp, type Sharp } from './load-sharp.ts';
import { readHeader } from './photo-header.ts';
import type { MediaProblem } from './photo-problem.ts';

export type PreparedUpload = {
  readonly bytes: Buffer;
  readonly extension: '.jpg' | '.webp';
  readonly width: number;
  readonly height: number;
};

/** High, because a build encodes the photo once more. */
const QUALITY = 92;

/** Drops all metadata, which may include a location. Returns a JPEG, or a WebP if the photo has transparency. */
export async function prepareUpload(
  bytes: Buffer,
  { max_width }: Pick<PhotoSettings, 'max_width'>,
): Promise<PreparedUpload | MediaProblem> {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-photo-'));
  try {
    const given = join(folder, 'photo');
    writeFileSync(given, bytes);
    const sharp = await loadSharp();
    const found = await readHeader(sharp, given);
    const isHeic = 'code' in found && found.args.format === 'HEIC' && isHeicReadable();
    const file = isHeic ? join(folder, 'decoded') : given;
    const problem = isHeic ? await decodeHeic(sharp, given, file) : undefined;
    const header = problem ?? (isHeic ? await readHeader(sharp, file) : found);
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

/** False for an alpha channel that is fully opaque, which many photos have. */
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
