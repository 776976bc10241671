import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  ID_PATTERN,
  IMPOSSIBLE_CITY,
  mediaKey,
  pageKey,
  problemKey,
  propertyKey,
  scopeFolder,
  toHex,
  totalKey,
} from '../../src/contract/object-keys.ts';

const ID = '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11';

describe('hexadecimal', () => {
  it.each([
    ['Galway', '47616c776179'],
    ['Cork!', '436f726b21'],
    ['é', 'c3a9'],
    ['東', 'e69db1'],
    ['😀', 'f09f9880'],
    ['a/../b', '612f2e2e2f62'],
    ['%2F', '253246'],
    ["-_.!~*'()", '2d5f2e217e2a272829'],
    ['', ''],
  ])('%s is %s', (text, digits) => expect(toHex(text)).toBe(digits));

  it('encodes the UTF-8 bytes of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(toHex(text)).toBe(Buffer.from(text).toString('hex'));
      }),
      { numRuns: 500 },
    );
  });

  it('encodes the same where there is no Buffer', () => {
    const texts = ['Cork!', "é東😀%2F -_.!~*'()", '\t'];
    const encoded = texts.map(toHex);
    vi.stubGlobal('Buffer', undefined);
    try {
      expect(texts.map(toHex)).toEqual(encoded);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('keys', () => {
  it.each([
    ['', '', '_catalogue/pages/-/-'],
    ['IE', '', '_catalogue/pages/IE/-'],
    ['', 'Cork', '_catalogue/pages/-/436f726b'],
    ['IE', 'Cork', '_catalogue/pages/IE/436f726b'],
    ['IE', '-', '_catalogue/pages/IE/2d'],
  ])('of the scope %j, %j', (country, city, folder) => expect(scopeFolder(country, city)).toBe(folder));

  it('of all other files', () => {
    const folder = scopeFolder('', '');
    expect([
      pageKey(folder, 25, 1),
      totalKey(folder),
      propertyKey(ID),
      problemKey('not-found'),
      mediaKey('a.webp'),
    ]).toEqual([
      '_catalogue/pages/-/-/25-1.json',
      '_catalogue/pages/-/-/total',
      `_catalogue/properties/${ID}.json`,
      '_catalogue/problems/not-found.json',
      'media/a.webp',
    ]);
  });

  it('give an unknown city a name that no folder of a city can have', () => {
    expect(IMPOSSIBLE_CITY).not.toMatch(/^[0-9a-f-]*$/);
  });
});

describe('ID_PATTERN', () => {
  it.each([
    [ID, true],
    [ID.toUpperCase(), true],
    [`${ID}0`, false],
    [ID.slice(1), false],
    [ID.replaceAll('-', ''), false],
    [`${ID}\n`, false],
    ['g'.repeat(8) + ID.slice(8), false],
  ])('%j: %s', (id, matches) => expect(new RegExp(`^(?:${ID_PATTERN})$`).test(id)).toBe(matches));
});
