import { expect, it } from 'vitest';
import { parseRangeHeader } from '../../../src/targets/runtime/range.ts';

it.each([
  ['bytes=0-0', { offset: 0, length: 1 }],
  ['bytes=0-', { offset: 0, length: 10 }],
  ['bytes=3-5', { offset: 3, length: 3 }],
  ['bytes=3-99', { offset: 3, length: 7 }],
  ['bytes=-4', { offset: 6, length: 4 }],
  ['bytes=-99', { offset: 0, length: 10 }],
  [' bytes=9- ', { offset: 9, length: 1 }],
])('%s of ten bytes', (header, range) => {
  expect(parseRangeHeader(header, 10)).toEqual(range);
});

it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('cannot satisfy %s of ten bytes', (header) => {
  expect(parseRangeHeader(header, 10)).toBe('unsatisfiable');
});

it.each(['bytes=-', 'bytes=5-3', 'bytes=1-2,4-5', 'items=0-1', 'bytes=a-b', 'bytes=0x0-1', '', 'bytes'])(
  'ignores %s',
  (header) => {
    expect(parseRangeHeader(header, 10)).toBeUndefined();
  },
);

it('cannot satisfy any range of an empty file', () => {
  expect(parseRangeHeader('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseRangeHeader('bytes=-5', 0)).toBe('unsatisfiable');
});
