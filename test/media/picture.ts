/** Pictures for tests, made by the image library itself, and files that only look like pictures. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, crc32, deflateRawSync, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { beforeAll } from 'vitest';
import type { MediaOptions, MediaRequest } from '../../src/media/media-request.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** A temporary folder for the tests of a file, deleted after them. */
export function useFolder(): () => string {
  let folder = '';
  beforeAll(() => {
    folder = temporaryFolder();
  });
  return () => folder;
}

/** The default settings, and a cache in a folder. */
export const optionsIn = (folder: string): MediaOptions => ({
  cacheFolder: join(folder, 'cache'),
  photo: { max_width: 2560, format: 'jpeg', quality: 82 },
  thumbnail: { width: 400, height: 300, fit: 'cover', format: 'webp', quality: 75 },
});

export const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a source and makes every kind of image from it. */
export function request(folder: string, name: string, bytes: Buffer): MediaRequest {
  const file = join(folder, name);
  writeFileSync(file, bytes);
  return { file, digest: digestOf(bytes), photo: true, thumbnail: true };
}

/** A picture of one colour. */
export const plain = (width: number, height: number, background: string): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

/** A picture with much detail, the same for the same seed, so that its file has some length to cut off. */
export function detailed(width: number, height: number, seed = 1): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  let state = seed;
  for (let at = 0; at < pixels.length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    pixels[at] = ((at >> 5) & 127) + ((state >>> 24) & 63);
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Corner colours of the upright picture of {@link corners}. */
const CORNERS = {
  topLeft: '#ff0000',
  topRight: '#00ff00',
  bottomLeft: '#0000ff',
  bottomRight: '#ffffff',
};

/** A picture of four colours, one a quarter; seen upright it is `width` by `height`. */
export function corners(width: number, height: number): Promise<Buffer> {
  const quarter = (input: string, left: number, top: number) => ({
    input: { create: { width: width / 2, height: height / 2, channels: 3 as const, background: input } },
    left,
    top,
  });
  return plain(width, height, CORNERS.bottomRight)
    .composite([
      quarter(CORNERS.topLeft, 0, 0),
      quarter(CORNERS.topRight, width / 2, 0),
      quarter(CORNERS.bottomLeft, 0, height / 2),
    ])
    .png()
    .toBuffer();
}

/** The pixel at a place given as a share of width and height, as red, green, blue (and alpha). */
export async function pixelAt(image: string | Buffer, x: number, y: number): Promise<number[]> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * info.channels;
  return [...data.subarray(at, at + info.channels)];
}

/** An animated GIF or WebP of three frames: red, green, blue. */
export async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const colours = ['#ff0000', '#00ff00', '#0000ff'];
  const frames = await Promise.all(colours.map((colour) => plain(64, 64, colour).png().toBuffer()));
  return sharp(frames, { join: { animated: true } })
    .toFormat(format)
    .toBuffer();
}

/**
 * Stores an upright picture so that an EXIF orientation (Exif 2.32, tag 274: where the first row and the first column
 * are to be seen) turns it upright again.
 */
export async function stored(upright: Buffer, orientation: number): Promise<Buffer> {
  const { data, info } = await sharp(upright).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const [right, bottom] = [info.width - 1, info.height - 1];
  const places: Record<number, (row: number, column: number) => [x: number, y: number]> = {
    1: (row, column) => [column, row],
    2: (row, column) => [right - column, row],
    3: (row, column) => [right - column, bottom - row],
    4: (row, column) => [column, bottom - row],
    5: (row, column) => [row, column],
    6: (row, column) => [right - row, column],
    7: (row, column) => [right - row, bottom - column],
    8: (row, column) => [row, bottom - column],
  };
  const swapped = orientation > 4;
  const width = swapped ? info.height : info.width;
  const height = swapped ? info.width : info.height;
  const pixels = Buffer.alloc(data.length);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = places[orientation]!(Math.floor(at / width), at % width);
    data.copy(pixels, at * 3, (y * info.width + x) * 3, (y * info.width + x) * 3 + 3);
  }
  const image = sharp(pixels, { raw: { width, height, channels: 3 } });
  return image.withMetadata({ orientation }).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(8 + content.length);
  bytes.writeUInt32BE(data.length, 0);
  content.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(content), 4 + content.length);
  return bytes;
}

/** Where the passes of an interlaced PNG start, and their steps (PNG, section 8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/**
 * A black, interlaced PNG of 16 bits a channel. It is sound, and has a thousandth of the bytes that its pixels take:
 * the same compressed megabyte, again and again.
 *
 * @param comment makes files of the same pixels differ.
 */
export function interlaced(width: number, height: number, channels: 3 | 4, comment: string): Buffer {
  let length = 0;
  for (const [x, y, right, down] of PASSES) {
    const row = 1 + Math.ceil((width - x) / right) * channels * 2;
    length += row * Math.ceil((height - y) / down);
  }
  const zeros = Buffer.alloc(1 << 20);
  const piece = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH });
  const pieces = Array.from({ length: Math.floor(length / zeros.length) }, () => piece);
  const last = deflateRawSync(zeros.subarray(0, length % zeros.length));
  // Adler-32 of zeros (RFC 1950, section 9).
  const checksum = Buffer.alloc(4);
  checksum.writeUInt16BE(length % 65_521, 0);
  checksum.writeUInt16BE(1, 2);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([16, channels === 4 ? 6 : 2, 0, 0, 1], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(`Comment\0${comment}`)),
    chunk('IDAT', Buffer.concat([Buffer.from('789c', 'hex'), ...pieces, last, checksum])),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A few hundred bytes of PNG that claim any number of pixels. */
export function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = 2;
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const pixels = deflateSync(Buffer.alloc(100_000));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A file type box with these brands, and nothing after it. */
export function fileType(major: string, ...compatible: string[]): Buffer {
  const brands = Buffer.from([major, '\0\0\0\0', ...compatible].join(''), 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(8 + brands.length, 0);
  return Buffer.concat([length, Buffer.from('ftyp'), brands]);
}
