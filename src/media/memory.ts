/**
 * Estimates the memory for making images, and limits how many are made at once. Decisive is the number of pixels that a
 * decoder holds at once, which may be large even for a small file.
 */

export type Decoding = {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Bytes of one sample of a channel. */
  readonly sampleBytes: number;
  /** Interlaced or progressive: no row is complete before the last byte is read. */
  readonly isProgressive: boolean;
  /** Whether colours are stored per pixel, not for two or four pixels together. */
  readonly hasFullChroma: boolean;
};

/**
 * Bytes per pixel that the decoder of a format holds while it decodes. Measured with libvips 8.18 as the peak of the
 * resident set of a process, less that for a photo of a few pixels.
 */
const HELD_BYTES: Readonly<Record<string, (photo: Decoding) => number>> = {
  // An interlaced picture is decoded as a whole, others row by row.
  PNG: ({ isProgressive, channels, sampleBytes }) => (isProgressive ? channels * sampleBytes : 0),
  // Two-byte coefficients, of all scans.
  JPEG: ({ isProgressive, channels, hasFullChroma }) => {
    if (!isProgressive) return 0;
    return 2 * (hasFullChroma ? channels : channels / 2);
  },
  // A lossless picture is held as ARGB; an animated one also needs a canvas.
  WebP: () => 4,
  GIF: () => 4,
  // Frames of the AV1 decoder, libheif's planes, and pixels.
  AVIF: ({ sampleBytes }) => (sampleBytes > 1 ? 26 : 20),
  // A strip or tile may be the whole picture.
  TIFF: ({ channels, sampleBytes }) => channels * sampleBytes,
};

/**
 * Largest number of bytes that a decoder may hold for one photo, so that a process stays below a gigabyte: four photos
 * of 714 MB, one after the other, took 1.1 GB at their peak. A JPEG of 120 megapixels with halved colours stays below,
 * in every form; so does a photo of 20 megapixels in any format.
 */
const MAX_HELD_BYTES = 540_000_000;

/** Further bytes per image in flight, for rows in transit and encoded output. Measured as above. */
const WORKING_BYTES = 48_000_000;

/**
 * Largest number of bytes for all images in flight: room for one photo at the limit, or for a dozen that are decoded
 * row by row, more than the library's threads process at once.
 */
export const MEMORY_LIMIT: number = MAX_HELD_BYTES + WORKING_BYTES;

export function memoryOf(photo: Decoding): number {
  return WORKING_BYTES + photo.width * photo.height * heldBytes(photo);
}

export function pixelLimit(photo: Decoding, most: number): number {
  const held = heldBytes(photo);
  return held === 0 ? most : Math.min(most, Math.floor(MAX_HELD_BYTES / held));
}

function heldBytes(photo: Decoding): number {
  return HELD_BYTES[photo.format]?.(photo) ?? 0;
}

/** Runs work at once, or when enough of the work in flight has ended. */
export type MemoryLimit = <Result>(size: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits the total size of work in flight. Work waits in order, so that large pieces get their turn; a piece larger
 * than the limit runs by itself.
 */
export function createMemoryLimit(limit: number): MemoryLimit {
  const waiting: { readonly size: number; readonly enter: () => void }[] = [];
  let taken = 0;
  const admit = () => {
    for (let next = waiting[0]; next && (taken === 0 || taken + next.size <= limit); next = waiting[0]) {
      waiting.shift();
      taken += next.size;
      next.enter();
    }
  };
  return async (size, work) => {
    await new Promise<void>((enter) => {
      waiting.push({ size, enter });
      admit();
    });
    try {
      return await work();
    } finally {
      taken -= size;
      admit();
    }
  };
}
