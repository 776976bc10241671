/** Limits memory by the pixels that a decoder holds at a time, which may be many even for a small file. */

export type PhotoDecoding = {
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly sampleBytes: number;
  /** Whether the image is interlaced or progressive: no row is complete before the last byte is read. */
  readonly isProgressive: boolean;
  /** False if four pixels share their colours (4:2:0). If two share them (4:2:2), true, which overestimates memory. */
  readonly hasFullChroma: boolean;
};

/** Bytes per pixel that a decoder holds, measured as the growth of a process's peak resident set, with libvips 8.18. */
const HELD_BYTES: Readonly<Record<string, (photo: PhotoDecoding) => number>> = {
  // An interlaced picture is decoded as a whole, others row by row.
  PNG: ({ isProgressive, channels, sampleBytes }) => (isProgressive ? channels * sampleBytes : 0),
  // Holds the two-byte coefficients of all scans.
  JPEG: ({ isProgressive, channels, hasFullChroma }) => {
    if (!isProgressive) return 0;
    return 2 * (hasFullChroma ? channels : channels / 2);
  },
  // A lossless picture is held as ARGB, an animated one as a canvas.
  WebP: () => 4,
  GIF: () => 4,
  // Holds the frames of the AV1 decoder, libheif's planes, and the pixels.
  AVIF: ({ sampleBytes }) => (sampleBytes > 1 ? 26 : 20),
  // A strip or tile may be the whole picture.
  TIFF: ({ channels, sampleBytes }) => channels * sampleBytes,
};

/**
 * Maximum bytes for one photo, so that a process stays below a gigabyte: 20 megapixels in any format with up to 16 bits
 * per channel, 120 in most JPEGs.
 */
const MAX_HELD_BYTES = 540_000_000;

/** Additional bytes for each photo being processed: buffered rows and encoded output. Measured like `HELD_BYTES`. */
const WORKING_BYTES = 48_000_000;

/** Enough for one photo at the limit, or for a dozen that are decoded row by row. */
export const MEMORY_LIMIT: number = MAX_HELD_BYTES + WORKING_BYTES;

export function decodingMemory(photo: PhotoDecoding): number {
  return WORKING_BYTES + photo.width * photo.height * heldBytes(photo);
}

export function pixelLimit(photo: PhotoDecoding, most: number): number {
  const held = heldBytes(photo);
  return held === 0 ? most : Math.min(most, Math.floor(MAX_HELD_BYTES / held));
}

function heldBytes(photo: PhotoDecoding): number {
  return HELD_BYTES[photo.format]?.(photo) ?? 0;
}

export type MemoryLimiter = <Result>(size: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Work waits in order, so that large items get their turn. An item larger than the limit runs while nothing else does.
 */
export function createMemoryLimiter(limit: number): MemoryLimiter {
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
