import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { openMediaCache } from '../../src/media/cache.ts';
import { photoName, thumbnailName } from '../../src/media/image-name.ts';
import { makeMedia } from '../../src/media/make.ts';
import type { MediaOptions } from '../../src/media/media-request.ts';
import {
  animated,
  corners,
  detailed,
  optionsIn,
  pixelAt,
  plain,
  request,
  stored,
  useFolder,
} from './picture.ts';

const folder = useFolder();

/** Makes photo and thumbnail of a source, and returns both paths and the problems. */
async function make(name: string, bytes: Buffer, changes: Partial<MediaOptions> = {}) {
  const options = { ...optionsIn(folder()), ...changes };
  const wanted = request(folder(), name, bytes);
  const { outcomes } = await makeMedia([wanted], options);
  const { images } = openMediaCache(options.cacheFolder);
  const outcome = outcomes.get(wanted.digest)!;
  const photo = join(images, photoName(wanted.digest, options.photo));
  const thumbnail = join(images, thumbnailName(wanted.digest, options.thumbnail));
  return { photo, thumbnail, codes: outcome.problems.map(({ code }) => code), files: outcome.files };
}

const size = async (image: string) => {
  const { width, height } = await sharp(image).metadata();
  return [width, height];
};

/** Expects a pixel within the tolerance of the encoders. */
async function expectPixel(image: string, x: number, y: number, colour: number[], tolerance = 12) {
  const pixel = await pixelAt(image, x, y);
  const off = Math.max(...colour.map((value, at) => Math.abs(value - (pixel[at] ?? -999))));
  expect(off, `pixel ${pixel} for ${colour}`).toBeLessThanOrEqual(tolerance);
}

describe('orientation', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('%i gives an upright picture', async (orientation) => {
    const bytes = await stored(await corners(160, 120), orientation);
    expect((await sharp(bytes).metadata()).orientation).toBe(orientation);
    const { photo, thumbnail } = await make(`orientation-${orientation}.jpg`, bytes);
    for (const image of [photo, thumbnail]) {
      expect(await size(image)).toEqual([160, 120]);
      await expectPixel(image, 0.2, 0.2, [255, 0, 0]);
      await expectPixel(image, 0.8, 0.2, [0, 255, 0]);
      await expectPixel(image, 0.2, 0.8, [0, 0, 255]);
      await expectPixel(image, 0.8, 0.8, [255, 255, 255]);
      expect((await sharp(image).metadata()).orientation).toBeUndefined();
    }
  });

  it.each(['png', 'webp', 'tiff'] as const)('of a %s is respected', async (format) => {
    const turned = await sharp(await stored(await corners(160, 120), 6))
      .keepMetadata()
      .toFormat(format)
      .toBuffer();
    const { photo } = await make(`turned.${format}`, turned);
    expect(await size(photo)).toEqual([160, 120]);
    await expectPixel(photo, 0.2, 0.2, [255, 0, 0], 30);
  });

  it('is applied before a wide photo is scaled', async () => {
    const bytes = await stored(await corners(600, 200), 6);
    const options = optionsIn(folder());
    const { photo, thumbnail } = await make('wide.jpg', bytes, {
      photo: { ...options.photo, max_width: 300 },
    });
    expect(await size(photo)).toEqual([300, 100]);
    expect(await size(thumbnail)).toEqual([267, 200]);
  });
});

describe('metadata', () => {
  it('is removed: position, names, camera, profile', async () => {
    const bytes = await plain(200, 100, '#808080')
      .withExif({
        IFD0: { Artist: 'Secret Artist', Make: 'Secret Make' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '53/1 20/1 0/1',
          GPSLongitudeRef: 'W',
          GPSLongitude: '6/1 15/1 0/1',
        },
      })
      .withIccProfile('p3')
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">Secret XMP</x:xmpmeta>')
      .jpeg()
      .toBuffer();
    const before = await sharp(bytes).metadata();
    expect([before.exif, before.icc, before.xmp].every(Buffer.isBuffer)).toBe(true);
    expect(bytes.includes('Secret Artist')).toBe(true);
    for (const format of ['jpeg', 'webp', 'avif'] as const) {
      const { photo, thumbnail } = await make('private.jpg', bytes, {
        photo: { max_width: 2560, format, quality: 80 },
        thumbnail: { width: 40, height: 30, fit: 'cover', format, quality: 80 },
      });
      for (const image of [photo, thumbnail]) {
        const after = await sharp(image).metadata();
        expect([after.exif, after.icc, after.xmp, after.iptc]).toEqual([
          undefined,
          undefined,
          undefined,
          undefined,
        ]);
        expect(readFileSync(image).includes('Secret')).toBe(false);
      }
    }
  });
});

describe('colour', () => {
  const orange = '#c86432';
  const expected = [200, 100, 50];
  const solid = () => plain(64, 64, orange);
  const sources: [string, () => Promise<Buffer>, number][] = [
    ['a Display P3 PNG', () => solid().withIccProfile('p3').png().toBuffer(), 4],
    ['a Display P3 JPEG', () => solid().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer(), 4],
    ['a 16-bit PNG', () => solid().toColourspace('rgb16').png().toBuffer(), 4],
    [
      'a 16-bit sRGB PNG with profile',
      () => solid().toColourspace('rgb16').withIccProfile('srgb').png().toBuffer(),
      4,
    ],
    [
      'a 16-bit Display P3 PNG',
      () => solid().toColourspace('rgb16').withIccProfile('p3').png().toBuffer(),
      4,
    ],
    ['a 10-bit AVIF', () => solid().toColourspace('rgb16').avif({ bitdepth: 10 }).toBuffer(), 4],
    // Its colour space lacks this orange.
    ['a CMYK JPEG', () => solid().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(), 34],
    [
      'a CMYK JPEG with profile',
      () => solid().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
      34,
    ],
    ['a floating-point TIFF', () => solid().toColourspace('scrgb').tiff().toBuffer(), 4],
    ['a GIF', () => solid().gif().toBuffer(), 4],
    ['a WebP', () => solid().webp({ lossless: true }).toBuffer(), 4],
  ];

  it.each(sources)('of %s is right, in 8-bit sRGB', async (_name, source, tolerance) => {
    const { photo, thumbnail, codes } = await make('colour', await source());
    expect(codes).toEqual([]);
    for (const image of [photo, thumbnail]) {
      const header = await sharp(image).metadata();
      expect([header.space, header.depth, header.hasProfile]).toEqual(['srgb', 'uchar', false]);
      await expectPixel(image, 0.5, 0.5, expected, tolerance);
    }
  });

  it('of a grey photo stays grey', async () => {
    const { photo, thumbnail } = await make(
      'grey',
      await plain(64, 64, '#646464').toColourspace('b-w').jpeg().toBuffer(),
    );
    for (const image of [photo, thumbnail]) await expectPixel(image, 0.5, 0.5, [100, 100, 100], 3);
  });

  it('of transparent parts is white in a JPEG, and stays transparent in a WebP', async () => {
    const clear = { width: 64, height: 64, channels: 4 as const, background: { r: 0, g: 0, b: 0, alpha: 0 } };
    const { photo, thumbnail } = await make('alpha.png', await sharp({ create: clear }).png().toBuffer());
    await expectPixel(photo, 0.5, 0.5, [255, 255, 255], 1);
    expect((await pixelAt(thumbnail, 0.5, 0.5))[3]).toBe(0);
  });
});

describe('size', () => {
  const shapes: [string, number, number, number[], number[]][] = [
    ['a large photo', 3000, 2000, [2560, 1707], [400, 300]],
    ['a large photo of the same proportions, nearly', 2401, 1799, [2401, 1799], [400, 300]],
    ['a small one, never enlarged', 200, 150, [200, 150], [200, 150]],
    ['a tiny one', 1, 1, [1, 1], [1, 1]],
    ['a narrow one', 300, 1000, [300, 1000], [300, 225]],
    ['a flat one', 2000, 100, [2000, 100], [133, 100]],
    ['a line', 1, 3000, [1, 3000], [1, 1]],
  ];

  it.each(shapes)('of %s', async (name, width, height, photoSize, thumbnailSize) => {
    const { photo, thumbnail } = await make(
      `${name}.png`,
      await plain(width, height, '#336699').png().toBuffer(),
    );
    expect(await size(photo)).toEqual(photoSize);
    expect(await size(thumbnail)).toEqual(thumbnailSize);
  });

  it('of a thumbnail that keeps the whole photo', async () => {
    const inside = { ...optionsIn('').thumbnail, fit: 'inside' as const };
    const tall = await make('tall.png', await plain(600, 1200, '#336699').png().toBuffer(), {
      thumbnail: inside,
    });
    expect(await size(tall.thumbnail)).toEqual([150, 300]);
    const small = await make('small.png', await plain(60, 120, '#336699').png().toBuffer(), {
      thumbnail: inside,
    });
    expect(await size(small.thumbnail)).toEqual([60, 120]);
  });

  it('of a photo too long for the format is bounded by the format', async () => {
    const bytes = await plain(20, 20_000, '#336699').png().toBuffer();
    const photo = { max_width: 2560, format: 'webp', quality: 80 } as const;
    const made = await make('long.png', bytes, { photo });
    expect(made.codes).toEqual([]);
    expect(await size(made.photo)).toEqual([16, 16_383]);
  });

  it('crops the middle', async () => {
    const { thumbnail } = await make('middle.png', await corners(2000, 600));
    expect(await size(thumbnail)).toEqual([400, 300]);
    await expectPixel(thumbnail, 0.1, 0.1, [255, 0, 0]);
    await expectPixel(thumbnail, 0.9, 0.9, [255, 255, 255]);
  });
});

describe('formats', () => {
  it.each(['jpeg', 'webp', 'avif'] as const)('publishes %s', async (format) => {
    const { photo, thumbnail, files } = await make('format.png', await detailed(300, 200).png().toBuffer(), {
      photo: { max_width: 200, format, quality: 60 },
      thumbnail: { width: 40, height: 30, fit: 'cover', format, quality: 60 },
    });
    expect(files).toHaveLength(2);
    for (const image of [photo, thumbnail]) {
      expect((await sharp(image).metadata()).format).toBe(format === 'avif' ? 'heif' : format);
    }
  });

  it.each(['gif', 'webp'] as const)(
    'publishes the first picture of an animated %s, and reports that',
    async (format) => {
      const { photo, thumbnail, codes } = await make(`animated.${format}`, await animated(format));
      expect(codes).toEqual(['photo-animated']);
      for (const image of [photo, thumbnail]) {
        expect((await sharp(image).metadata()).pages ?? 1).toBe(1);
        await expectPixel(image, 0.5, 0.5, [255, 0, 0], 20);
      }
    },
  );

  it('publishes the first page of a TIFF without a warning', async () => {
    const pages = [plain(64, 64, '#ff0000'), plain(64, 64, '#0000ff')].map((page) => page.png().toBuffer());
    const bytes = await sharp(await Promise.all(pages), { join: { animated: true } })
      .tiff()
      .toBuffer();
    const { photo, codes } = await make('pages.tiff', bytes);
    expect(codes).toEqual([]);
    await expectPixel(photo, 0.5, 0.5, [255, 0, 0], 20);
  });
});

describe('one image', () => {
  it('has the same bytes when it is made alone and with the other', async () => {
    const bytes = await detailed(1200, 900, 7).jpeg({ quality: 90 }).toBuffer();
    const together = optionsIn(join(folder(), 'together'));
    const apart = optionsIn(join(folder(), 'apart'));
    const wanted = request(folder(), 'alone.jpg', bytes);
    await makeMedia([wanted], together);
    await makeMedia([{ ...wanted, photo: false }], apart);
    await makeMedia([{ ...wanted, thumbnail: false }], apart);
    for (const name of [
      photoName(wanted.digest, apart.photo),
      thumbnailName(wanted.digest, apart.thumbnail),
    ]) {
      const [one, other] = [together, apart].map(({ cacheFolder }) =>
        join(openMediaCache(cacheFolder).images, name),
      );
      expect(readFileSync(one!).equals(readFileSync(other!))).toBe(true);
    }
  });
});
