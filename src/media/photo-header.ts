import type { Metadata } from 'sharp';
import { isPhotoFormat, recogniseFormat } from './format.ts';
import type { Sharp } from './load-sharp.ts';
import { decodingMemory, type PhotoDecoding, pixelLimit } from './memory-limit.ts';
import type { MediaProblem } from './photo-problem.ts';
import { readHead, toPhotoProblem } from './source-photo.ts';

/**
 * More than the 108 megapixels of many phone cameras. The limit is lower for a decoder that needs more than 4.5 bytes
 * for each pixel (`memory-limit.ts`).
 */
export const MAX_PIXELS = 120_000_000;

/** Longest side of a source in pixels: the limit of JPEG (ITU-T T.81, B.2.2). */
const MAX_SIDE = 65_535;

export type PhotoHeader = {
  /** Pixels as displayed, with the EXIF orientation applied. */
  readonly width: number;
  readonly height: number;
  readonly animated: boolean;
  /** Whether the photo has both more than 8 bits per channel and a colour profile. */
  readonly deepProfile: boolean;
  /** Approximate memory for making its images, in bytes. */
  readonly memory: number;
};

const corrupt = (reason: string): MediaProblem => ({ code: 'photo-corrupt', args: { reason } });

const unsupported = (format: string): MediaProblem => ({ code: 'photo-unsupported', args: { format } });

function tooLarge(width: number, height: number, limit: number): MediaProblem {
  return { code: 'photo-too-large', args: { width, height, pixels: width * height, limit } };
}

const SAMPLE_BYTES: Readonly<Record<string, number>> = {
  uchar: 1,
  char: 1,
  ushort: 2,
  short: 2,
  uint: 4,
  int: 4,
  float: 4,
  double: 8,
  complex: 8,
  dpcomplex: 16,
};

function decodingOf(format: string, header: Metadata): PhotoDecoding {
  return {
    format,
    width: header.width,
    height: header.height,
    channels: header.channels,
    sampleBytes: SAMPLE_BYTES[header.depth] ?? 1,
    isProgressive: header.isProgressive,
    hasFullChroma: !header.chromaSubsampling?.startsWith('4:2:0'),
  };
}

/** Returns a problem if the photo cannot be decoded. @throws on failures of the machine, such as a full disk */
export async function readHeader(sharp: Sharp, file: string): Promise<PhotoHeader | MediaProblem> {
  let format: string;
  try {
    const { head, size } = readHead(file);
    if (size === 0) return corrupt('it is empty');
    format = recogniseFormat(head);
    if (format === 'WebP' && !isWholeWebp(head, size)) return corrupt('it ends too early');
  } catch (error) {
    return toPhotoProblem(error);
  }
  if (!isPhotoFormat(format)) return unsupported(format);
  try {
    // Disables the library's own limit, because its error does not contain the number of pixels. Tolerates damage,
    // because decoding finds it later.
    const header = await sharp(file, { limitInputPixels: false, failOn: 'none' }).metadata();
    const { width, height } = header.autoOrient;
    const decoding = decodingOf(format, header);
    const limit = pixelLimit(decoding, MAX_PIXELS);
    if (width > MAX_SIDE || height > MAX_SIDE || width * height > limit) {
      return tooLarge(width, height, limit);
    }
    if (format === 'AVIF' && header.compression !== 'av1') return unsupported('HEIC');
    if (header.channels > 5) return unsupported(`${format} with ${header.channels} channels`);
    return {
      width,
      height,
      animated: format !== 'TIFF' && (header.pages ?? 1) > 1,
      deepProfile: header.depth !== 'uchar' && header.hasProfile,
      memory: decodingMemory(decoding),
    };
  } catch (error) {
    return decodingProblem(error);
  }
}

const ENVIRONMENT = /out of memory|no space left|too many open files|temp(?:orary)? file/i;
const TRUNCATED = /premature end of JPEG|unexpected end of (?:file|GIF)/i;

export function decodingProblem(error: unknown): MediaProblem {
  if (!(error instanceof Error) || ENVIRONMENT.test(error.message)) throw error;
  return corrupt(TRUNCATED.test(error.message) ? 'it ends too early' : 'it cannot be decoded');
}

/**
 * Compares the length in the header (RFC 9649, 2.4) with the file's size, because the image library decodes a WebP that
 * is cut off without an error.
 */
export function isWholeWebp(head: Buffer, size: number): boolean {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return false;
  return head.toString('latin1', 8, 12) === 'WEBP' && head.readUInt32LE(4) + 8 <= size;
}
