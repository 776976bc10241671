import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatViewQuery,
  parseView,
  RESULT_ORDERS,
  START_VIEW,
  withoutFilters,
} from '../../src/explorer/view.ts';

const view = fc.record({
  country: fc.string({ unit: 'binary', maxLength: 4 }),
  city: fc.string({ unit: 'grapheme' }),
  name: fc.string({ unit: 'grapheme' }),
  facilities: fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 3 }),
  filter: fc.dictionary(
    fc.constantFrom('bedrooms', 'name', 'page', 'filter'),
    fc.array(fc.constantFrom('cottage', '2..', '2..5', 'true'), { minLength: 1, maxLength: 2 }),
    { noNullPrototype: true },
  ),
  order: fc.constantFrom(...RESULT_ORDERS),
  page: fc.integer({ min: 1, max: 999_999_999 }),
  size: fc.integer({ min: 1, max: 100 }),
  property: fc.oneof(fc.constant(''), fc.uuid()),
  lang: fc.constantFrom('', 'fr', 'pt-BR', 'xx yy'),
});

describe('a view in the URL', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(view, (one) => {
        const url = new URL(formatViewQuery(one), 'https://stays.example/some/where/');
        expect(parseView(url.search)).toEqual(one);
      }),
    );
  });

  it('that is cleared keeps the size of pages and the language', () => {
    const one = parseView('?country=IE&city=Cork&name=Rose&page=3&size=50&lang=fr');
    expect(formatViewQuery(withoutFilters(one))).toBe('?size=50&lang=fr');
  });

  it('has filters, whose fields may be named as a parameter of the page', () => {
    const one = {
      ...START_VIEW,
      facilities: ['wifi', 'sauna'],
      filter: { bedrooms: ['2..'], name: ['a'] },
      page: 2,
    };
    expect(formatViewQuery(one)).toBe(
      '?page=2&facilities=wifi&facilities=sauna&filter.bedrooms=2..&filter.name=a',
    );
    expect(formatViewQuery(withoutFilters(one))).toBe('?');
  });

  it('leaves out default values', () => {
    expect(formatViewQuery(START_VIEW)).toBe('?');
    expect(formatViewQuery({ ...START_VIEW, country: 'IE', page: 2 })).toBe('?country=IE&page=2');
  });

  it('ignores invalid numbers', () => {
    for (const text of ['0', '-1', '1.5', 'x', '', '01', '1e3', '1234567890']) {
      expect(parseView(`?page=${text}&size=${text}`)).toEqual(START_VIEW);
    }
  });

  it('ignores foreign parameters of a URL', () => {
    expect(parseView('?utm_source=x&city=Cork')).toEqual({ ...START_VIEW, city: 'Cork' });
  });
});
