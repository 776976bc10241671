import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { countryCodes, currencyCodes, makeTables } from '../../scripts/make-tables.ts';
import { COUNTRIES, COUNTRY_CURRENCIES, CURRENCIES } from '../../src/contract/tables.ts';

const ROOT = new URL('../../', import.meta.url);

describe('the committed tables', () => {
  test('hold exactly the codes of CLDR, in order', () => {
    expect(Object.keys(COUNTRIES)).toEqual(countryCodes());
    expect(Object.keys(CURRENCIES)).toEqual(currencyCodes());
  });

  // Names come from the ICU of the Node.js that made the file, so another Node.js may spell one differently.
  test('are the output of the script, except for names', () => {
    const withoutNames = (text: string): string => text.replaceAll(/: (\[?)"[^"]*[^A-Z"][^"]*"/g, ': $1""');
    for (const table of makeTables()) {
      const committed = readFileSync(new URL(table.path, ROOT), 'utf8');
      expect(withoutNames(committed)).toBe(withoutNames(table.text));
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
