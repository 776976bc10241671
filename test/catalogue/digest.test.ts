import { expect, it } from 'vitest';
import { digestOf } from '../../src/catalogue/digest.ts';
import { releaseId } from '../../src/catalogue/release-id.ts';

it('a digest is the first half of the SHA-256', () => {
  // FIPS 180-4, example of "abc".
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223');
  expect(digestOf(Buffer.from('abc'))).toBe(digestOf('abc'));
  expect(digestOf('é')).toBe(digestOf(Buffer.from([0xc3, 0xa9])));
  expect(digestOf('')).toBe('e3b0c44298fc1c149afbf4c8996fb924');
});

it('the name of a release depends on every entry and on their order', () => {
  const a = { id: '1', summaryDigest: 's', detailDigest: 'd' };
  const names = [
    [],
    [a],
    [{ ...a, id: '2' }],
    [{ ...a, summaryDigest: 't' }],
    [{ ...a, detailDigest: 'e' }],
    [a, { ...a, id: '2' }],
    [{ ...a, id: '2' }, a],
  ].map(releaseId);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(releaseId([{ ...a }])).toBe(names[1]);
});
