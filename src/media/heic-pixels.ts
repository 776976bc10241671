/** Decodes HEIC photos with libheif, an optional package. Runs in a thread: it is slow, and takes much memory. */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

export type HeicRequest = {
  readonly file: string;
  readonly out: string;
  readonly profile: Uint8Array | undefined;
  readonly maxPixels: number;
};

/** Writes an upright, uncompressed TIFF for the image library. The TIFF contains the colour profile, if any. */
export async function writePixels({ file, out, profile, maxPixels }: HeicRequest): Promise<void> {
  const { default: library } = await import('libheif-js/wasm-bundle.js');
  const images = new library.HeifDecoder().decode(readFileSync(file));
  const image = images.find((one) => one.is_primary());
  if (!image) throw new Error('There is no photo in it.');
  const [width, height] = [image.get_width(), image.get_height()];
  if (width * height > maxPixels) throw new Error('It has more pixels than its header says.');
  const pixels = new Uint8ClampedArray(width * height * 4);
  await new Promise<void>((resolve, reject) =>
    image.display({ data: pixels, width, height }, (decoded) =>
      decoded ? resolve() : reject(new Error('It is damaged.')),
    ),
  );
  writeTiff(out, pixels, width, height, profile);
}

/** Rows in a strip. The image library holds one strip at a time. */
const ROWS = 64;
const START = 8;
/** Codes of value types (TIFF 6.0, section 2). */
const SHORT = 3;
const LONG = 4;
const BYTES = 7;

function writeTiff(
  out: string,
  pixels: Uint8ClampedArray,
  width: number,
  height: number,
  profile: Uint8Array | undefined,
): void {
  const size = width * height * 3;
  const end = START + size + (size % 2);
  const strips = Array.from({ length: Math.ceil(height / ROWS) }, (_, strip) => strip * ROWS);
  const fd = openSync(out, 'wx');
  try {
    const header = Buffer.from('II*\0\0\0\0\0', 'latin1');
    header.writeUInt32LE(end, 4);
    writeSync(fd, header);
    for (const row of strips) {
      const rows = pixels.subarray(row * width * 4, (row + ROWS) * width * 4);
      const strip = Buffer.alloc((rows.length / 4) * 3);
      for (let from = 0, to = 0; from < rows.length; from += 4) {
        strip[to++] = rows[from]!;
        strip[to++] = rows[from + 1]!;
        strip[to++] = rows[from + 2]!;
      }
      writeSync(fd, strip);
    }
    const tags: Tag[] = [
      [256, LONG, longs(width)],
      [257, LONG, longs(height)],
      [258, SHORT, shorts(8, 8, 8)],
      // Tag 259: no compression. Tag 262: red, green and blue.
      [259, SHORT, shorts(1)],
      [262, SHORT, shorts(2)],
      [273, LONG, longs(...strips.map((row) => START + row * width * 3))],
      [277, SHORT, shorts(3)],
      [278, LONG, longs(ROWS)],
      [279, LONG, longs(...strips.map((row) => Math.min(ROWS, height - row) * width * 3))],
    ];
    if (profile) tags.push([34_675, BYTES, Buffer.from(profile)]);
    writeSync(fd, directory(tags, end), 0, undefined, end);
  } finally {
    closeSync(fd);
  }
}

type Tag = readonly [number: number, type: number, value: Buffer];

const longs = (...values: number[]) => Buffer.from(new Uint32Array(values).buffer);
const shorts = (...values: number[]) => Buffer.from(new Uint16Array(values).buffer);

function directory(tags: readonly Tag[], at: number): Buffer {
  const head = Buffer.alloc(2 + 12 * tags.length + 4);
  head.writeUInt16LE(tags.length, 0);
  const values: Buffer[] = [];
  let offset = at + head.length;
  for (const [index, [number, type, value]] of tags.entries()) {
    const start = 2 + 12 * index;
    head.writeUInt16LE(number, start);
    head.writeUInt16LE(type, start + 2);
    head.writeUInt32LE(value.length / ({ [SHORT]: 2, [LONG]: 4 }[type] ?? 1), start + 4);
    if (value.length <= 4) value.copy(head, start + 8);
    else {
      head.writeUInt32LE(offset, start + 8);
      const padded = Buffer.concat([value, Buffer.alloc(value.length % 2)]);
      values.push(padded);
      offset += padded.length;
    }
  }
  return Buffer.concat([head, ...values]);
}
