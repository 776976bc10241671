import { expect, it } from 'vitest';
import { digestOf } from '../../src/release/digest.ts';

it('a digest is the first half of the SHA-256', () => {
  // FIPS 180-4, example of "abc".
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
  expect(digestOf(Buffer.from('abc'))).toBe(digestOf('abc'));
  expect(digestOf('é')).toBe(digestOf(Buffer.from([0xc3, 0xa9])));
  expect(digestOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
});
