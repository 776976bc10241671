import { expect, it } from 'vitest';
import { isWholeWebp } from '../../src/media/photo-header.ts';
import { animated, detailed } from './picture.ts';

it('accepts a complete WebP, an animated one too', async () => {
  for (const bytes of [await detailed(300, 200).webp().toBuffer(), await animated('webp')])
    expect(isWholeWebp(bytes, bytes.length)).toBe(true);
});

it('refuses a WebP that lacks any number of bytes, and all other data', async () => {
  const bytes = await detailed(300, 200).webp().toBuffer();
  for (const length of [0, 1, 4, 8, 11, 12, 100, bytes.length >> 1, bytes.length - 1])
    expect(isWholeWebp(bytes.subarray(0, length), length)).toBe(false);
  const jpeg = await detailed(300, 200).jpeg().toBuffer();
  for (const other of [jpeg, Buffer.alloc(bytes.length), Buffer.from('RIFF\xff\xff\xff\x00WEBP', 'latin1')])
    expect(isWholeWebp(other, other.length)).toBe(false);
});
