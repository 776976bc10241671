import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { picturesOf } from '../../scripts/pictures/draw.ts';
import { PLACES } from '../../scripts/pictures/places.ts';
import { HEIGHT, WIDTH } from '../../scripts/pictures/svg.ts';
import { SHIPPED_PICTURES } from '../../scripts/shipped/photos.ts';

const PHOTOS = fileURLToPath(new URL('../../content/photos/', import.meta.url));

describe('the pictures of the shipped catalogue', () => {
  test('are drawn to the same bytes each time, and each is unique', () => {
    const again = PLACES.flatMap(picturesOf);
    expect(again).toEqual(SHIPPED_PICTURES);
    expect(new Set(again.map(({ svg }) => svg)).size).toBe(again.length);
    expect(again.length).toBeGreaterThanOrEqual(60);
  });

  test('are the sources of the committed files, on every version of Node.js', () => {
    const hash = createHash('sha256');
    for (const { svg } of SHIPPED_PICTURES) hash.update(svg);
    expect(hash.digest('hex').slice(0, 16)).toBe('abf5b5f4f8312767');
  });

  test('are committed as JPEGs of one size, at most 5 MB together, without metadata', async () => {
    const files = readdirSync(PHOTOS).sort();
    expect(files).toEqual(SHIPPED_PICTURES.map(({ name }) => `${name}.jpg`).sort());
    expect(files.reduce((sum, file) => sum + statSync(join(PHOTOS, file)).size, 0)).toBeLessThan(5_000_000);
    for (const file of files) {
      const { width, height, format, exif, xmp } = await sharp(join(PHOTOS, file)).metadata();
      expect({ width, height, format, exif, xmp }, file).toEqual({
        width: WIDTH,
        height: HEIGHT,
        format: 'jpeg',
        exif: undefined,
        xmp: undefined,
      });
    }
  });
});
