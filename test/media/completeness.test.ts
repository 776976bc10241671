import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWholeImage } from '../../src/media/completeness.ts';
import { animated, detailed, useFolder } from './picture.ts';

const folder = useFolder();
const encoded = {
  jpg: () => detailed(300, 200).jpeg().toBuffer(),
  webp: () => detailed(300, 200).webp().toBuffer(),
  avif: () => detailed(300, 200).avif({ effort: 0 }).toBuffer(),
};

describe.each(['jpg', 'webp', 'avif'] as const)('a .%s file', (extension) => {
  const whole = (bytes: Buffer) => {
    const file = join(folder(), `image.${extension}`);
    writeFileSync(file, bytes);
    return isWholeImage(file);
  };

  it('is whole as it was written', async () => {
    expect(whole(await encoded[extension]())).toBe(true);
  });

  it('is not whole when any number of bytes is missing', async () => {
    const bytes = await encoded[extension]();
    const lengths = [
      0,
      1,
      2,
      3,
      4,
      7,
      8,
      11,
      12,
      16,
      100,
      bytes.length >> 1,
      bytes.length - 2,
      bytes.length - 1,
    ];
    expect(lengths.filter((length) => whole(bytes.subarray(0, length)))).toEqual([]);
  });

  it('is not whole when it holds something else', async () => {
    const { length } = await encoded[extension]();
    expect(whole(Buffer.alloc(length))).toBe(false);
    expect(whole(Buffer.alloc(length, 'nonsense'))).toBe(false);
    const others = (['jpg', 'webp', 'avif'] as const).filter((other) => other !== extension);
    for (const other of others) expect(whole(await encoded[other]())).toBe(false);
  });
});

describe('isWholeImage', () => {
  it('accepts an animation', async () => {
    const file = join(folder(), 'animated.webp');
    writeFileSync(file, await animated('webp'));
    expect(isWholeImage(file)).toBe(true);
  });

  it('says no when there is no file, and throws when it cannot be read', () => {
    expect(isWholeImage(join(folder(), 'none.jpg'))).toBe(false);
    writeFileSync(join(folder(), 'file'), '');
    expect(() => isWholeImage(join(folder(), 'file', 'none.jpg'))).toThrow('ENOTDIR');
    mkdirSync(join(folder(), 'folder.webp'));
    expect(() => isWholeImage(join(folder(), 'folder.webp'))).toThrow('EISDIR');
  });
});
