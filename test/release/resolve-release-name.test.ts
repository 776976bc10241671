/** How a person may shorten the name of a release. */

import { expect, it } from 'vitest';
import { resolveRelease } from '../../src/release/resolve-release-name.ts';

const NAMES = ['0123456789abcdef0123456789abcdef', '0123456fffffffffffffffffffffffff', 'f'.repeat(32)];

it.each([
  ['a whole name', NAMES[0]!, NAMES[0]],
  ['six digits', 'ffffff', NAMES[2]],
  ['upper case', 'FFFFFF', NAMES[2]],
  ['enough digits to distinguish two', '01234567', NAMES[0]],
])('a release is found by %s (B8)', (_what, wanted, found) => {
  expect(resolveRelease(wanted, NAMES, 'dir:/srv')).toBe(found);
});

it.each([
  [
    '0123456',
    'ambiguous-release',
    `dir:/srv keeps 2 releases whose names start with 0123456: ${NAMES[0]}, ${NAMES[1]}. Give more digits.`,
  ],
  [
    'abcdef',
    'unknown-release',
    'dir:/srv keeps no release abcdef. "catalogue releases" lists those that it keeps.',
  ],
  ...['fffff', '', 'latest', `${NAMES[2]}f`, '../../x', 'xabcdef', 'abcdefx'].map((wanted) => [
    wanted,
    'invalid-release-name',
    `"${wanted}" is not the name of a release. Give its first 6 digits or more, 0 to 9 and a to f, as "catalogue releases" lists them.`,
  ]),
])('%j is answered with %s (B8)', (wanted, code, message) => {
  expect(() => resolveRelease(wanted!, NAMES, 'dir:/srv')).toThrow(
    expect.objectContaining({ code, message }),
  );
});
