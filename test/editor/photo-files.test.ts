import { describe, expect, it } from 'vitest';
import { isPendingUpload, pendingUploadName, photoPath, photoRefusal } from '../../src/editor/photo-files.ts';

const LIMITS = { maxBytes: 20_000_000, types: ['image/jpeg', 'image/png'], maxWidth: 2560 };

describe('a photo', () => {
  it.each([
    [{ name: 'a.jpg', type: 'image/jpeg', size: 1 }, undefined],
    [{ name: 'a', type: '', size: 1 }, undefined],
    [{ name: 'IMG_1.HEIC', type: '', size: 1 }, /HEIC.*JPEG: on an iPhone.*Mac.*Windows/],
    [{ name: 'a.jpg', type: 'image/heif', size: 1 }, /HEIC/],
    [{ name: 'a.pdf', type: 'application/pdf', size: 1 }, /not a photo.*JPEG, PNG/],
    [{ name: 'a.jpg', type: 'image/jpeg', size: 20_000_001 }, /has 21 MB; a photo may have 20 MB/],
  ])('%j: is accepted, or refused with advice', (file, refusal) => {
    const said = photoRefusal(file, LIMITS);
    if (refusal) expect(said).toMatch(refusal);
    else expect(said).toBeUndefined();
  });

  it('of an iPhone is accepted where it can be read, and then has a limit as others', () => {
    const limits = { ...LIMITS, types: [...LIMITS.types, 'image/heic', 'image/heif'] };
    for (const type of ['', 'image/heic', 'image/heif'])
      expect(photoRefusal({ name: 'IMG_1.HEIC', type, size: 1 }, limits)).toBeUndefined();
    expect(photoRefusal({ name: 'IMG_1.HEIC', type: '', size: 20_000_001 }, limits)).toMatch(/21 MB/);
  });

  it('is found from the file of its property', () => {
    expect(photoPath('properties/ie/rose.yaml', '../../photos/ie/rose/front.jpg')).toBe(
      'photos/ie/rose/front.jpg',
    );
    expect(photoPath('rose.yaml', './front.jpg')).toBe('front.jpg');
  });

  it('has a name of its own before it is saved', () => {
    expect([pendingUploadName(0, 'a.jpg'), '../a.jpg'].map(isPendingUpload)).toEqual([true, false]);
    expect(pendingUploadName(0, 'a.jpg')).not.toBe(pendingUploadName(1, 'a.jpg'));
  });
});
