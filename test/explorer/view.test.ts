import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ORDERS, parseView, START, viewQuery } from '../../src/explorer/view.ts';

const view = fc.record({
  country: fc.string({ unit: 'binary', maxLength: 4 }),
  city: fc.string({ unit: 'grapheme' }),
  name: fc.string({ unit: 'grapheme' }),
  order: fc.constantFrom(...ORDERS),
  page: fc.integer({ min: 1, max: 999_999_999 }),
  size: fc.integer({ min: 1, max: 100 }),
  property: fc.oneof(fc.constant(''), fc.uuid()),
  lang: fc.constantFrom('', 'fr', 'pt-BR', 'xx yy'),
});

describe('a view in the URL', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(view, (one) => {
        const url = new URL(viewQuery(one), 'https://stays.example/some/where/');
        expect(parseView(url.search)).toEqual(one);
      }),
    );
  });

  it('leaves out default values', () => {
    expect(viewQuery(START)).toBe('?');
    expect(viewQuery({ ...START, country: 'IE', page: 2 })).toBe('?country=IE&page=2');
  });

  it('ignores invalid numbers', () => {
    for (const text of ['0', '-1', '1.5', 'x', '', '01', '1e3', '1234567890']) {
      expect(parseView(`?page=${text}&size=${text}`)).toEqual(START);
    }
  });

  it('ignores foreign parameters of a URL', () => {
    expect(parseView('?utm_source=x&city=Cork')).toEqual({ ...START, city: 'Cork' });
  });
});
