import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openMediaCache } from '../../src/media/cache.ts';
import { inspectMedia } from '../../src/media/inspect.ts';
import { makeMedia } from '../../src/media/make.ts';
import { photoName, thumbnailName } from '../../src/media/name.ts';
import { digestFile } from '../../src/media/source.ts';
import { optionsIn, pixelAt, useFolder } from './picture.ts';

const photos = resolve(import.meta.dirname, '../../../shared/data/photos');
const folder = useFolder();

/** The result of each file: the size of its photo and of its thumbnail, or its problem. */
const EXPECTED: Record<string, string> = {
  'corrupt-header.jpg': 'photo-corrupt',
  'derived-garden-cmyk.jpg': '640x400 400x300',
  'derived-garden-gps.jpg': '800x500 400x300',
  'derived-garden-truncated.jpg': 'photo-corrupt',
  'derived-garden.avif': '800x500 400x300',
  'derived-garden.webp': '800x500 400x300',
  'gif-animated.gif': 'photo-animated 80x80 80x60',
  'heic-iphone.HEIC': 'photo-unsupported',
  ...Object.fromEntries([1, 2, 3, 5, 6, 7, 8].map((n) => [`orient-landscape-${n}.jpg`, '600x450 400x300'])),
  ...Object.fromEntries([1, 6, 8].map((n) => [`orient-portrait-${n}.jpg`, '450x600 400x300'])),
  'photo-mate-Garden.jpg': '2560x1600 400x300',
  'photo-mate-GreenMeadow.jpg': '1280x1024 400x300',
  'png-16bit-transparent.png': '32x32 32x24',
  'png-alpha.png': '2048x1536 400x300',
  'png-p3.png': '8x8 8x6',
  'png-prophoto.png': '1x1 1x1',
  'vector-check.svg': 'photo-unsupported',
};

if (!existsSync(photos)) console.log(`Not run: the tests of real photos, since ${photos} does not exist.`);

describe.runIf(existsSync(photos))('real photos', () => {
  const options = () => optionsIn(folder());
  const requests = readdirSync(existsSync(photos) ? photos : '.')
    .filter((name) => name in EXPECTED)
    .map((name) => ({ name, file: join(photos, name), digest: '', photo: true, thumbnail: true }));
  const digested = () => requests.map((wanted) => ({ ...wanted, digest: digestFile(wanted.file) }));
  const imageOf = (name: string) => join(openMediaCache(options().cacheFolder).images, name);

  it('have the expected results', async () => {
    const found: Record<string, string> = {};
    const { outcomes } = await makeMedia(digested(), options());
    for (const { name, digest } of digested()) {
      const outcome = outcomes.get(digest)!;
      const sizes = outcome.files.map(async (file) => {
        const { width, height } = await sharp(imageOf(file)).metadata();
        return `${width}x${height}`;
      });
      found[name] = [...outcome.problems.map(({ code }) => code), ...(await Promise.all(sizes))].join(' ');
    }
    expect(found).toEqual(EXPECTED);
  });

  it('show the same problems when they are only inspected', async () => {
    const { outcomes } = await inspectMedia(digested(), optionsIn(join(folder(), 'inspected')));
    for (const { name, digest } of digested()) {
      const codes = outcomes.get(digest)!.problems.map(({ code }) => code);
      expect(codes.join(' '), name).toBe(/^photo-[a-z-]+/.exec(EXPECTED[name]!)?.[0] ?? '');
    }
  });

  it('are upright: all orientations give one picture', async () => {
    await makeMedia(digested(), options());
    for (const shape of ['landscape', 'portrait']) {
      const same = digested().filter(({ name }) => name.startsWith(`orient-${shape}`));
      // Averages over a grid of 6 by 6, in which compression makes no difference.
      const grids = await Promise.all(
        same.map(({ digest }) =>
          sharp(imageOf(photoName(digest, options().photo)))
            .resize(6, 6, { fit: 'fill' })
            .raw()
            .toBuffer(),
        ),
      );
      const far = (one: Buffer, other: Buffer) =>
        Math.max(...one.map((value, at) => Math.abs(value - other[at]!)));
      for (const [at, grid] of grids.entries()) expect(far(grid, grids[0]!), same[at]!.name).toBeLessThan(12);
      expect(far(grids[0]!, Buffer.from(grids[0]!).reverse())).toBeGreaterThan(40);
    }
  });

  it('keep nothing of their metadata', async () => {
    await makeMedia(digested(), options());
    for (const { name, file, digest } of digested()) {
      if (!/orient|gps|p3|prophoto/.test(name)) continue;
      for (const image of [photoName(digest, options().photo), thumbnailName(digest, options().thumbnail)]) {
        const { exif, icc, xmp, iptc } = await sharp(imageOf(image)).metadata();
        expect([exif, icc, xmp, iptc], name).toEqual([undefined, undefined, undefined, undefined]);
      }
      if (name.includes('gps')) expect((await sharp(file).metadata()).exif).toBeDefined();
    }
  });

  it('keep their colours when they come from print', async () => {
    await makeMedia(digested(), options());
    const [cmyk, rgb] = ['derived-garden-cmyk.jpg', 'derived-garden.webp'].map((name) =>
      photoName(digestFile(join(photos, name)), options().photo),
    );
    for (const [x, y] of [
      [0.25, 0.25],
      [0.75, 0.25],
      [0.5, 0.75],
    ] as const) {
      const blurred = (image: string) => sharp(imageOf(image)).resize(64, 40).blur(3).png().toBuffer();
      const [one, other] = [
        await pixelAt(await blurred(cmyk!), x, y),
        await pixelAt(await blurred(rgb!), x, y),
      ];
      expect(Math.max(...one.map((value, at) => Math.abs(value - other[at]!)))).toBeLessThan(40);
    }
  });
});
