import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { prepareUpload } from '../../src/media/prepare-upload.ts';
import { corners, detailed, pixelAt, plain } from './picture.ts';

const SETTINGS = { max_width: 200 };
const GPS = {
  GPSLatitudeRef: 'N',
  GPSLatitude: '53/1 16/1 19/1',
  GPSLongitudeRef: 'W',
  GPSLongitude: '9/1 2/1 56/1',
};

/** Lies on its side, has the colours of Display P3, and a position. Made with the encoder of libheif. */
const TELEPHONE = readFileSync(new URL('telephone.heic', import.meta.url));

async function taken(bytes: Buffer) {
  const photo = await prepareUpload(bytes, SETTINGS);
  if ('code' in photo) throw new Error(photo.code);
  return { ...photo, metadata: await sharp(photo.bytes).metadata() };
}

/** Changes the size in the header of a HEIC photo (ISO/IEC 23008-12, 6.5.3). */
function withSize(photo: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(photo);
  const at = changed.indexOf('ispe') + 8;
  changed.writeUInt32BE(width, at);
  changed.writeUInt32BE(height, at + 4);
  return changed;
}

describe('an uploaded photo', () => {
  it('is upright, no wider than published photos, and free of location data', async () => {
    const turned = await sharp(await corners(400, 800))
      .rotate(-90)
      .png()
      .toBuffer();
    const source = await sharp(turned)
      .withExif({ IFD0: { Make: 'Telephone' }, IFD3: GPS })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">secret</x:xmpmeta>')
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const before = await sharp(source).metadata();
    expect([before.orientation, before.width]).toEqual([6, 800]);
    // The tag of the GPS position (EXIF 2.3, 4.6.3), in either order of bytes.
    expect(['2588', '8825'].some((tag) => before.exif?.includes(tag, 0, 'hex'))).toBe(true);
    expect(source.includes('Telephone')).toBe(true);

    const { bytes, extension, width, height, metadata } = await taken(source);
    expect([extension, width, height]).toEqual(['.jpg', 200, 400]);
    expect(metadata).toMatchObject({ format: 'jpeg', width: 200, height: 400, space: 'srgb' });
    for (const part of ['orientation', 'exif', 'xmp', 'iptc', 'icc'] as const)
      expect(metadata[part]).toBeUndefined();
    for (const word of ['Exif', 'Telephone', 'secret', 'xmp']) expect(bytes.includes(word)).toBe(false);
    const [red = 0, green = 255] = await pixelAt(bytes, 0.25, 0.25);
    expect(red > 200 && green < 60).toBe(true);
  });

  it('of a telephone, HEIC, is upright, in the right colours, and free of location data', async () => {
    expect(TELEPHONE.includes('Telephone')).toBe(true);
    const { bytes, extension, width, height, metadata } = await taken(TELEPHONE);
    expect([extension, width, height]).toEqual(['.jpg', 200, 267]);
    for (const part of ['orientation', 'exif', 'xmp', 'iptc', 'icc'] as const)
      expect(metadata[part]).toBeUndefined();
    const colours = [
      [0.25, 0.25, 0xd0, 0x20, 0x20],
      [0.75, 0.25, 0x20, 0xa0, 0x40],
      [0.25, 0.75, 0x20, 0x40, 0xc0],
      [0.75, 0.75, 0xff, 0xff, 0xff],
    ] as const;
    for (const [x, y, ...colour] of colours) {
      const found = await pixelAt(bytes, x, y);
      for (const [channel, value] of colour.entries())
        expect(Math.abs(found[channel]! - value)).toBeLessThan(8);
    }
  });

  it('is not enlarged', async () => {
    expect(await taken(await plain(30, 20, '#123456').png().toBuffer())).toMatchObject({
      width: 30,
      height: 20,
      extension: '.jpg',
    });
  });

  it('stays transparent', async () => {
    const clear = sharp({ create: { width: 30, height: 20, channels: 4, background: '#12345680' } });
    const { extension, metadata } = await taken(await clear.png().toBuffer());
    expect([extension, metadata.hasAlpha]).toEqual(['.webp', true]);
    const opaque = sharp({ create: { width: 30, height: 20, channels: 4, background: '#123456' } });
    expect(await taken(await opaque.png().toBuffer())).toMatchObject({ extension: '.jpg' });
  });

  it('has the colours of its profile, converted to sRGB', async () => {
    const source = await plain(30, 20, '#00ff00').withIccProfile('p3').jpeg().toBuffer();
    const { bytes, metadata } = await taken(source);
    expect(metadata.icc).toBeUndefined();
    const [red = 255, green = 0] = await pixelAt(bytes, 0.5, 0.5);
    expect(red < 40 && green > 240).toBe(true);
  });

  it.each([
    ['HEIC without a photo', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), 'photo-corrupt'],
    ['HEIC, cut off', TELEPHONE.subarray(0, TELEPHONE.length - 100), 'photo-corrupt'],
    ['a small HEIC that says it is huge', withSize(TELEPHONE, 60_000, 60_000), 'photo-too-large'],
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'photo-unsupported'],
    ['a program', Buffer.from('MZ\0\0'), 'photo-unsupported'],
    ['nothing', Buffer.alloc(0), 'photo-corrupt'],
  ])('is refused when it is %s', async (_name, bytes, code) => {
    expect(await prepareUpload(bytes, SETTINGS)).toMatchObject({ code });
  });

  it('is refused when it is cut off or too large, and leaves no file behind', async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('catalogue-photo-'));
    const whole = await detailed(300, 300).jpeg().toBuffer();
    expect(await prepareUpload(whole.subarray(0, whole.length / 2), SETTINGS)).toMatchObject({
      code: 'photo-corrupt',
    });
    const huge = await plain(1, 70_000, '#ffffff').png().toBuffer();
    expect(await prepareUpload(huge, SETTINGS)).toMatchObject({ code: 'photo-too-large' });
    const after = readdirSync(tmpdir()).filter((name) => name.startsWith('catalogue-photo-'));
    expect(after.filter((name) => !before.includes(name))).toEqual([]);
  });
});
