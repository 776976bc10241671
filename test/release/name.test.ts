/** One name for each release (B8): its inputs, and how a person may shorten it. */

import { expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { columnsOf } from '../../src/release/columns.ts';
import { digestOf } from '../../src/release/digest.ts';
import { releaseName, resolveRelease } from '../../src/release/name.ts';
import { uuidOf } from '../../src/release/uuid-v5.ts';

const idOf = (text: string) => uuidOf(digestOf(text));

const a = {
  id: idOf('1'),
  country: 'IE',
  city: 'Cork',
  summaryDigest: digestOf('s'),
  detailDigest: digestOf('d'),
};

const b = { ...a, id: idOf('2') };

/** The name of a release with this sequence, this file of settings, and this version of the tool. */
function nameOf(sequence: readonly (typeof a)[], settings: object = {}, tool = '1.2.3'): string {
  return releaseName(columnsOf(sequence), configurationSchema.parse(settings), tool);
}

it('the name depends on every entry and on the order of the entries', () => {
  const names = [
    [],
    [a],
    [b],
    // The digest of a summary covers country and city.
    [{ ...a, summaryDigest: digestOf('t') }],
    [{ ...a, detailDigest: digestOf('e') }],
    [a, b],
    [b, a],
  ].map((sequence) => nameOf(sequence));
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(nameOf([{ ...a }])).toBe(names[1]);
});

const KEY = 'ab'.repeat(32);

it.each<[string, object]>([
  ['base_url', { base_url: 'https://stays.example' }],
  ['page_sizes', { page_sizes: ['25'] }],
  ['layout', { layout: 'packed' }],
  ['cache_control', { cache_control: { api: 'no-store' } }],
  ['photo', { photo: { quality: '80' } }],
  ['docs', { docs: 'false' }],
  ['bulk', { bulk: 'false' }],
  ['explorer', { explorer: { enabled: 'false' } }],
  ['license', { license: { name: 'CC0', url: 'https://cc0.example/' } }],
  ['api_keys', { api_keys: [KEY] }],
])('the name depends on %s, which changes published bytes (B8)', (_setting, settings) => {
  expect(nameOf([a], settings)).not.toBe(nameOf([a]));
});

it.each<[string, object]>([
  ['targets', { targets: [] }],
  ['cache', { cache: { location: '/var/cache' } }],
  ['max_files', { max_files: '7' }],
  ['vocabulary', { vocabulary: { facilities: ['Garden'] } }],
])('the name does not depend on %s, which changes no bytes (B8)', (_setting, settings) => {
  expect(nameOf([a], settings)).toBe(nameOf([a]));
});

it('the name depends on the version of the tool, but not on the API keys (B8)', () => {
  expect(nameOf([a], {}, '1.2.4')).not.toBe(nameOf([a]));
  expect(nameOf([a], { api_keys: ['cd'.repeat(32)] })).toBe(nameOf([a], { api_keys: [KEY] }));
});

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
