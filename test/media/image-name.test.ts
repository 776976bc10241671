import { describe, expect, it } from 'vitest';
import { photoName, thumbnailName } from '../../src/media/image-name.ts';
import { optionsIn } from './picture.ts';

const { photo, thumbnail } = optionsIn('/nowhere');
const digest = 'a'.repeat(64);

describe('the names of images', () => {
  it('are permanent: published links never change with a release', () => {
    expect(photoName(digest, photo)).toBe('f516676a5b0d3c840b7d99b9566c535e.jpg');
    expect(thumbnailName(digest, thumbnail)).toBe('50f06a2d173806cd1eda1c7f9567a996.webp');
  });

  it('depend on source, kind and every setting', () => {
    const names = [
      photoName(digest, photo),
      photoName('b'.repeat(64), photo),
      photoName(digest, { ...photo, max_width: 1280 }),
      photoName(digest, { ...photo, quality: 83 }),
      photoName(digest, { ...photo, format: 'webp' }),
      thumbnailName(digest, thumbnail),
      thumbnailName(digest, { ...thumbnail, width: 401 }),
      thumbnailName(digest, { ...thumbnail, height: 301 }),
      thumbnailName(digest, { ...thumbnail, fit: 'inside' }),
      thumbnailName(digest, { ...thumbnail, quality: 76 }),
      thumbnailName(digest, { ...thumbnail, format: 'jpeg' }),
    ].map((name) => name.slice(0, 32));
    expect(new Set(names).size).toBe(names.length);
  });

  it('do not depend on the order of the keys', () => {
    expect(photoName(digest, { quality: 82, format: 'jpeg', max_width: 2560 })).toBe(
      photoName(digest, photo),
    );
  });
});
