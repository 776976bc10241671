import { describe, expect, it } from 'vitest';
import { isPhotoFormat, recogniseFormat } from '../../src/media/format.ts';
import { animated, bomb, fileType, plain } from './picture.ts';

const picture = plain(32, 32, '#336699');

describe('recogniseFormat', () => {
  it.each([
    ['JPEG', () => picture.clone().jpeg().toBuffer()],
    ['PNG', async () => bomb(10, 10)],
    ['WebP', () => picture.clone().webp().toBuffer()],
    ['WebP', () => animated('webp')],
    ['AVIF', () => picture.clone().avif().toBuffer()],
    ['GIF', () => picture.clone().gif().toBuffer()],
    ['TIFF', () => picture.clone().tiff().toBuffer()],
    ['TIFF', () => picture.clone().tiff({ bigtiff: true }).toBuffer()],
  ])('recognises %s', async (format, make) => {
    expect(recogniseFormat((await make()).subarray(0, 4096))).toBe(format);
    expect(isPhotoFormat(format)).toBe(true);
  });

  it.each([
    ['AVIF', fileType('mif1', 'mif1', 'avif', 'miaf')],
    ['AVIF', fileType('avis', 'avif')],
    ['HEIC', fileType('heic', 'mif1', 'heic')],
    ['HEIC', fileType('mif1', 'mif1', 'heic')],
    ['video', fileType('isom', 'iso2', 'mp41')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG', Buffer.from('\ufeff  <?xml version="1.0"?>\n<!-- a drawing --><SVG >')],
    ['HTML', Buffer.from('<!DOCTYPE html><title>Not found</title>')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['BMP', Buffer.from(`424d${'00'.repeat(30)}`, 'hex')],
    ['JPEG XL', Buffer.from('ff0a0000', 'hex')],
    ['ZIP', Buffer.from('PK\x03\x04....')],
    ['git-annex pointer', Buffer.from('/annex/objects/SHA256E-s1--00.jpg\n')],
    ['Git LFS pointer', Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n')],
    ['text', Buffer.from('Dear editor, here are the photos')],
    ['text', Buffer.from('../.git/annex/objects/SHA256E-s1--00.jpg')],
    ['text', Buffer.from('<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>')],
    ['text', Buffer.from('{ "error": "é" }\r\n')],
    ['unknown', Buffer.from('text\0')],
    ['unknown', Buffer.alloc(64)],
    ['unknown', Buffer.from('ff', 'hex')],
    ['unknown', Buffer.alloc(0)],
  ])('recognises %s (case %#)', (format, bytes) => {
    expect(recogniseFormat(bytes)).toBe(format);
  });

  it('never reads beyond the end when a file type box has a false length', () => {
    const lying = fileType('heic', 'mif1');
    lying.writeUInt32BE(0xffffffff, 0);
    expect(recogniseFormat(lying)).toBe('HEIC');
    lying.writeUInt32BE(0, 0);
    expect(recogniseFormat(lying)).toBe('HEIC');
    expect(recogniseFormat(Buffer.from('\0\0\0\x20ftyp', 'latin1'))).toBe('unknown');
  });
});
