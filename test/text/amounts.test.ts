import { expect, it } from 'vitest';
import { bytesText, countText } from '../../src/text/amounts.ts';
import { cutText } from '../../src/text/shorten.ts';

it.each([
  [0, 'file', '0 files'],
  [1, 'file', '1 file'],
  [2, 'property', '2 properties'],
  [1, 'city', '1 city'],
  [999, 'page', '999 pages'],
  [1000, 'page', '1,000 pages'],
  [1_234_567, 'country', '1,234,567 countries'],
])('%i %s: %s', (count, noun, text) => expect(countText(count, noun)).toBe(text));

it.each([
  [0, '0 B'],
  [1, '1 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [1536, '1.5 KiB'],
  [1_048_575, '1.0 MiB'],
  [1_048_576, '1.0 MiB'],
  [5 * 2 ** 30, '5.0 GiB'],
  [3000 * 2 ** 40, '3000.0 TiB'],
])('%i bytes are %s', (count, text) => expect(bytesText(count)).toBe(text));

it.each([
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['abc😀e', 5, 'abc…'],
  ['ab😀ef', 5, 'ab😀…'],
])('%j cut to %i is %j', (text, length, short) => expect(cutText(text, length)).toBe(short));
