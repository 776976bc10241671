/**
 * Tables sorted by code. Use `Object.hasOwn` to look up an unchecked code: a plain object also inherits names such as
 * `constructor`. Source: Unicode CLDR 48, © Unicode, Inc., Unicode-3.0 licence
 * (https://www.unicode.org/license.txt).
 */
import countries from './tables/countries.json' with { type: 'json' };
import currencies from './tables/currencies.json' with { type: 'json' };

/** Columns: English name, main currency (empty for none), alpha-3 code, then unambiguous other names. */
export const COUNTRY_ROWS: Readonly<Record<string, readonly string[]>> = countries;

/** Columns: English name, symbol, codes of former currencies that it replaced, then unambiguous other names. */
export const CURRENCY_ROWS: Readonly<Record<string, readonly string[]>> = currencies;

/** English names by ISO 3166-1 alpha-2 code. Includes XK (Kosovo, user-assigned but in general use). */
export const COUNTRIES: Readonly<Record<string, string>> = column(COUNTRY_ROWS, 0);

/** English names by ISO 4217 code of currencies that are legal tender today. */
export const CURRENCIES: Readonly<Record<string, string>> = column(CURRENCY_ROWS, 0);

/** ISO 4217 currency codes by ISO 3166-1 alpha-2 code. A country without a main currency has no entry. */
export const COUNTRY_CURRENCIES: Readonly<Record<string, string>> = column(COUNTRY_ROWS, 1);

function column(rows: Readonly<Record<string, readonly string[]>>, place: number): Record<string, string> {
  const cells = Object.entries(rows).map(([code, row]) => [code, row[place]!] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell !== ''));
}
