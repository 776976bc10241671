import { expect, it } from 'vitest';
import { guessLatitude, guessLongitude } from '../../src/contract/degrees.ts';

it.each([
  ['53.27194', '53.27194'],
  [' 53,27 N ', '53.27'],
  ['N 53.27°', '53.27'],
  ['53.27 s', '-53.27'],
  ['−53.27', '-53.27'],
  ['–53.27', '-53.27'],
  ['+053.270', '53.270'],
  ['90', '90'],
  ['-0', '0'],
  ['0 S', '0'],
  ['53°16′19″N', '53.271944'],
  ["53° 16' 19.5'' N", '53.272083'],
  ['53 deg 16.5’', '53.275'],
  ["53°30'S", '-53.5'],
  ["53°0'", '53'],
])('the latitude %j is meant as %s', (text, meant) => {
  expect(guessLatitude(text)).toBe(meant);
});

it.each([
  '',
  'north',
  '90.1',
  "90°0'1″",
  '53.27 E',
  '53.27 W',
  'N 53.27 N',
  '-53.27 N',
  "53.5°16'",
  "53°60'",
  "53°16'60″",
  '53°16″',
  '1234',
  '53.27 x',
  'x 53.27',
])('the latitude %j is ambiguous, or none', (text) => {
  expect(guessLatitude(text)).toBeUndefined();
});

it.each([
  ['9.05 W', '-9.05'],
  ['9.05 E', '9.05'],
  ['180', '180'],
  ['180.1', undefined],
  ['9.05 N', undefined],
])('the longitude %j: %s', (text, meant) => {
  expect(guessLongitude(text)).toBe(meant);
});
