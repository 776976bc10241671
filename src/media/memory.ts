/**
 * How much memory images take while they are made, and how many are made at once because of it. What bounds it is the
 * number of pixels that a decoder has to hold as a whole, which a small file can have as many of as a large one.
 */

/** What of a photo decides how much of it a decoder holds. */
export type Decoding = {
  /** As `recogniseFormat` names it. */
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  /** Bytes of one value of one channel. */
  readonly sampleBytes: number;
  /** Interlaced or progressive: no row is whole before the last byte is read. */
  readonly isProgressive: boolean;
  /** Whether colours are stored for each pixel, and not for two or four together. */
  readonly hasFullChroma: boolean;
};

/**
 * Bytes that the decoder of a format holds for each pixel, for as long as it decodes. Measured with libvips 8.18 as the
 * peak of the resident set of a process, less what a photo of a few pixels takes.
 */
const HELD_BYTES: Readonly<Record<string, (photo: Decoding) => number>> = {
  // An interlaced picture is decoded as a whole; others pass row by row.
  PNG: ({ isProgressive, channels, sampleBytes }) => (isProgressive ? channels * sampleBytes : 0),
  // Coefficients of two bytes, for all scans.
  JPEG: ({ isProgressive, channels, hasFullChroma }) => {
    if (!isProgressive) return 0;
    return 2 * (hasFullChroma ? channels : channels / 2);
  },
  // A lossless picture is held as ARGB. An animated one has a canvas besides.
  WebP: () => 4,
  GIF: () => 4,
  // Frames of the AV1 decoder, planes of libheif, and pixels.
  AVIF: ({ sampleBytes }) => (sampleBytes > 1 ? 26 : 20),
  // A strip or a tile may be the whole picture.
  TIFF: ({ channels, sampleBytes }) => channels * sampleBytes,
};

/**
 * Most bytes that a decoder may hold of one photo, so that a process stays below a gigabyte: four photos of 714 MB, one
 * after the other, took 1.1 GB at their peak. A JPEG of 120 megapixels with halved colours stays below, in every form; so
 * does a photo of 20 megapixels in any format.
 */
const MAX_HELD_BYTES = 540_000_000;

/** Memory of an image in flight besides: rows on their way, and what is encoded. Measured as above. */
const WORKING_BYTES = 48_000_000;

/**
 * Most bytes of all images in flight. A photo at the limit fills it, and a dozen that pass row by row, which is more
 * than the library's threads make at once.
 */
export const MEMORY_LIMIT: number = MAX_HELD_BYTES + WORKING_BYTES;

/** Bytes that making images of a photo takes, about. */
export function memoryOf(photo: Decoding): number {
  return WORKING_BYTES + photo.width * photo.height * heldBytes(photo);
}

/** Most pixels of a photo that is stored in this way. */
export function pixelLimit(photo: Decoding, most: number): number {
  const held = heldBytes(photo);
  return held === 0 ? most : Math.min(most, Math.floor(MAX_HELD_BYTES / held));
}

function heldBytes(photo: Decoding): number {
  return HELD_BYTES[photo.format]?.(photo) ?? 0;
}

/** Runs work when there is room for it: at once, or when enough of what is in flight has ended. */
export type Room = <Result>(size: number, work: () => Promise<Result>) => Promise<Result>;

/**
 * Makes room for work that takes so much of something together. Work waits in its order, so that large pieces get their
 * turn; a piece larger than the limit runs alone.
 */
export function createRoom(limit: number): Room {
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
