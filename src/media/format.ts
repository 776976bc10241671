/**
 * Recognises formats by their first bytes, never by the file name, so that drawings and documents do not reach the
 * parsers of the image library.
 */

const PHOTO_FORMATS = ['JPEG', 'PNG', 'WebP', 'AVIF', 'GIF', 'TIFF'] as const;

export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

export const isPhotoFormat = (format: string): format is PhotoFormat =>
  (PHOTO_FORMATS as readonly string[]).includes(format);

const SIGNATURES: readonly (readonly [signature: string, format: string])[] = [
  ['\xff\xd8\xff', 'JPEG'],
  ['\x89PNG\r\n\x1a\n', 'PNG'],
  ['GIF87a', 'GIF'],
  ['GIF89a', 'GIF'],
  ['II*\0', 'TIFF'],
  ['MM\0*', 'TIFF'],
  ['II+\0', 'TIFF'],
  ['MM\0+', 'TIFF'],
  ['%PDF-', 'PDF'],
  ['8BPS', 'PSD'],
  ['\xff\x0a', 'JPEG XL'],
  ['\0\0\0\x0cJXL ', 'JPEG XL'],
  ['\0\0\0\x0cjP  ', 'JPEG 2000'],
  ['\xff\x4f\xff\x51', 'JPEG 2000'],
  ['\0\0\x01\0', 'ICO'],
  ['PK\x03\x04', 'ZIP'],
  ['\x1f\x8b', 'gzip'],
  // A clone without `git lfs pull` has this instead of a photo.
  ['version https://git-lfs.github.com/spec/', 'Git LFS pointer'],
  ['/annex/objects/', 'git-annex pointer'],
];

/** Brands of the HEIF family (ISO/IEC 23008-12; AV1 Image File Format, section 6). */
const AVIF_BRANDS = ['avif', 'avis'];
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs', 'mif1', 'msf1'];

function boxFormat(head: Buffer): string {
  const end = Math.min(head.length, Math.max(16, head.readUInt32BE(0)));
  const brands: string[] = [];
  for (let at = 8; at + 4 <= end; at += at === 8 ? 8 : 4) brands.push(head.toString('latin1', at, at + 4));
  if (brands.some((brand) => AVIF_BRANDS.includes(brand))) return 'AVIF';
  return brands.some((brand) => HEIC_BRANDS.includes(brand)) ? 'HEIC' : 'video';
}

function markupFormat(text: string): string {
  const start = text
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart()
    .toLowerCase();
  if (start.startsWith('<') && /<svg[\s>]/.test(start)) return 'SVG';
  if (start.startsWith('<') && /^<!doctype html|<html[\s>]/.test(start)) return 'HTML';
  return /[a-z]/.test(start) && !/[^\t\n\r -~\x80-\xff]/.test(start) ? 'text' : 'unknown';
}

/**
 * @param head first 4096 bytes of the file, or all bytes of a smaller file
 * @returns `unknown`, or the name of a format, which may be one that cannot be published
 */
export function recogniseFormat(head: Buffer): string {
  const text = head.toString('latin1');
  const known = SIGNATURES.find(([signature]) => text.startsWith(signature));
  if (known) return known[1];
  if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return 'WebP';
  if (text.startsWith('ftyp', 4) && head.length >= 12) return boxFormat(head);
  if (text.startsWith('BM') && head.length >= 26 && head.readUInt32LE(6) === 0) return 'BMP';
  return markupFormat(text);
}
