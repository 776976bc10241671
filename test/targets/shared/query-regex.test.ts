import { describe, expect, it } from 'vitest';
import {
  bytePattern,
  emptyPageTemplate,
  encodedCharacterPattern,
  literalPattern,
  parameterValuePattern,
  queryFaultPatterns,
} from '../../../src/targets/shared/query-regex.ts';

describe('bytePattern', () => {
  it('matches each byte of the range in every spelling, and no other', () => {
    for (const [first, last] of [
      [0x00, 0x7f],
      [0x30, 0x39],
      [0x41, 0x5a],
      [0x80, 0xbf],
      [0xc2, 0xdf],
      [0xed, 0xed],
      [0x9f, 0xa1],
    ] as const) {
      const pattern = new RegExp(`^${bytePattern(first, last)}$`);
      for (let byte = 0; byte < 256; byte++) {
        const isWithin = byte >= first && byte <= last;
        const digits = byte.toString(16).padStart(2, '0');
        expect(pattern.test(`%${digits}`)).toBe(isWithin);
        expect(pattern.test(`%${digits.toUpperCase()}`)).toBe(isWithin);
        expect(pattern.test(String.fromCharCode(byte))).toBe(isWithin);
      }
    }
  });
});

describe('encodedCharacterPattern', () => {
  const pattern = new RegExp(`^(?:${encodedCharacterPattern()})*$`);

  it.each(['Paris', 'S%C3%A3o%20Paulo', '%e6%9d%b1', '%F0%9F%8F%9D', '%00', '%EF%BF%BF', '%F4%8F%BF%BF', ''])(
    'matches %s',
    (text) => {
      expect(pattern.test(text)).toBe(true);
    },
  );

  it.each([
    ...['%', '%4', '%zz', '%C3', '%C3(', '%C0%80', '%E0%80%80', '%ED%A0%80', '%F4%90%80%80', '%FF', '%80'],
  ])('does not match %s', (text) => {
    expect(pattern.test(text)).toBe(false);
  });
});

describe('queryFaultPatterns', () => {
  const found = (query: string, sizes: 'all' | number[] = 'all') =>
    queryFaultPatterns({ base: '', sizes })
      // JavaScript has no possessive quantifier; here it only saves time.
      .find(({ pattern }) => new RegExp(pattern.replaceAll('*+', '*')).test(query))?.problem;

  it.each([
    ['', undefined],
    ['filter[country]=FR&page[size]=10', undefined],
    ['x=1&filter%5bcity%5D=S%C3%A3o+Paulo', undefined],
    ['filter[country]=&filter[country]=FR', undefined],
    [`filter[city]=${'a'.repeat(121)}%zz`, undefined],
    ['filter[contry]=FR', 'unknown-parameter.filter'],
    ['page[x]=1&filter[x]=1', 'unknown-parameter.filter'],
    ['page[size]=1&page[%73ize]=1', 'repeated-parameter.size'],
    ['filter[city]=%zz', 'malformed-encoding.city'],
    [`filter[city]=${'a'.repeat(120)}%zz`, 'malformed-encoding.city'],
    ['filter[country]=fr', 'invalid-country'],
    ['filter[country]=%46%52', undefined],
    ['page[number]=0', 'invalid-page-number'],
    ['page[number]=1000000000', 'invalid-page-number'],
    ['page[size]=101', 'invalid-page-size'],
    ['page[size]=%31%300', undefined],
  ])('judges %s', (query, problem) => {
    expect(found(query)).toBe(problem);
  });

  it('accepts the sizes of the catalogue', () => {
    expect(found('page[size]=10', [10, 25])).toBeUndefined();
    expect(found('page[size]=1', [10, 25])).toBe('invalid-page-size');
    expect(found('page[size]=100', [10, 25])).toBe('invalid-page-size');
  });
});

it('takes a value as it was sent', () => {
  expect(new RegExp(parameterValuePattern('city')).exec('x=1&filter%5Bcity]=A%20B&y')?.[1]).toBe('A%20B');
});

it('matches only the same text', () => {
  const text = '/stays/v2.1/~a+b';
  expect(new RegExp(`^${literalPattern(text)}$`).test(text)).toBe(true);
  expect(new RegExp(`^${literalPattern(text)}$`).test('/stays/v2x1/~a+b')).toBe(false);
});

it('puts names in place of the numbers of an empty page', () => {
  expect(emptyPageTemplate('$1', '$2', '$&')).toBe(
    '{"data":[],"meta":{"pagination":{"current_page":$1,"per_page":$2,"total_entries":$&}}}',
  );
});

it('accepts a text as plain only when its bytes above 127 are encoded (B16)', () => {
  const plain = new RegExp(`^(?:${encodedCharacterPattern()})+$`);
  for (const text of ['Cork', 'L%27Aquila', 'S%c3%a3o+Paulo', '%E6%9D%B1'])
    expect(plain.test(text), text).toBe(true);
  for (const text of ['\xe9', 'P\xc3', '\xc3\xa9', '%e9', '%C3']) expect(plain.test(text), text).toBe(false);
});
