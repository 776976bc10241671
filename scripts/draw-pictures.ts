/** Draws the pictures of the shipped catalogue. See `USAGE`. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { isMain, readOptions, runScript } from './command-line.ts';
import { SHIPPED_PICTURES } from './shipped/photos.ts';

const USAGE = `Usage: npx tsx scripts/draw-pictures.ts [--out <folder>]

Draws the pictures of the shipped catalogue and writes each as a JPEG, in place of what the folder held.

  --out <folder>  the folder of the pictures (default: content/photos)`;

async function drawPictures(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { name, svg } of SHIPPED_PICTURES) {
    const jpeg = sharp(Buffer.from(svg)).flatten().jpeg({ quality: 66, mozjpeg: true });
    await jpeg.toFile(join(folder, `${name}.jpg`));
  }
  console.log(`drew ${SHIPPED_PICTURES.length} pictures into ${folder}`);
}

if (isMain(import.meta.url)) {
  runScript(USAGE, async () => {
    const { out } = readOptions(process.argv.slice(2), {
      out: { type: 'string', default: 'content/photos' },
    });
    await drawPictures(String(out));
  });
}
