import { expect, it } from 'vitest';
import { isHttpsUrl, parseUrl } from '../../src/contract/link.ts';

it('a link is valid however many were judged before', () => {
  const link = 'https://münchen.example/ä.jpg';
  for (let time = 0; time < 10_000; time++) expect(isHttpsUrl(link)).toBe(true);
});

it('a URL may be relative to another', () => {
  const base = new URL('https://photos.example/a/b.jpg');
  expect(parseUrl('../ä.jpg', base)?.href).toBe('https://photos.example/%C3%A4.jpg');
  expect(parseUrl('../ä.jpg')).toBeUndefined();
  expect(parseUrl('https://')).toBeUndefined();
});
