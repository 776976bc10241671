import { describe, expect, test } from 'vitest';
import {
  COUNTRIES,
  COUNTRY_CURRENCIES,
  COUNTRY_ROWS,
  CURRENCIES,
  CURRENCY_ROWS,
} from '../../src/contract/country-and-currency-tables.ts';
import { foldName } from '../../src/source/country-and-currency-aliases.ts';

describe('the tables of countries and currencies', () => {
  test('give each name to one code', () => {
    for (const table of [COUNTRY_ROWS, CURRENCY_ROWS]) {
      const names = Object.entries(table).flatMap(([code, [name, , , ...others]]) =>
        [...new Set([code, name!, ...others].map(foldName))].map((one) => [one, code]),
      );
      const twice = names.filter(([name], place) => names.findIndex(([one]) => one === name) !== place);
      expect(twice).toEqual([]);
    }
  });

  test('hold no unassigned code', () => {
    for (const code of ['AC', 'AN', 'CQ', 'EA', 'EU', 'IC', 'QO', 'TA', 'UK', 'UN', 'XA', 'XB', 'ZZ']) {
      expect(COUNTRIES).not.toHaveProperty(code);
    }
    for (const code of ['ANG', 'BGN', 'CLF', 'DEM', 'HRK', 'VED', 'XAU', 'XXX', 'ZWL']) {
      expect(CURRENCIES).not.toHaveProperty(code);
    }
  });

  test('hold the codes that other tables get wrong', () => {
    expect(Object.keys(COUNTRIES)).toHaveLength(250);
    expect(COUNTRY_CURRENCIES).toMatchObject({ AD: 'EUR', IE: 'EUR', GB: 'GBP', XK: 'EUR' });
    expect(COUNTRY_CURRENCIES).not.toHaveProperty('AQ');
    expect(COUNTRIES).toMatchObject({ GB: 'United Kingdom', NO: 'Norway', XK: 'Kosovo' });
    for (const code of ['EUR', 'SLE', 'STN', 'VES', 'XCG', 'ZWG']) expect(CURRENCIES).toHaveProperty(code);
  });

  test('have a name for every code', () => {
    for (const [code, name] of [...Object.entries(COUNTRIES), ...Object.entries(CURRENCIES)]) {
      expect(name, code).toMatch(/\p{L}{3}/u);
      expect(name).not.toBe(code);
    }
  });
});
