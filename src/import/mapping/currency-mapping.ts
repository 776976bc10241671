import { COUNTRY_CURRENCIES, CURRENCIES } from '../../contract/country-and-currency-tables.ts';
import { findCountryByName } from '../../source/country-and-currency-aliases.ts';
import type { Column } from '../table/profile.ts';
import { conversionOf, type Proposal, type ValueSource } from './mapping.ts';

/** Finds the currency in the name of a price column, such as "Base rate (GBP)". It applies to all countries. */
export function currencyInName(price: Proposal[string]): ValueSource | undefined {
  const { from } = conversionOf(price);
  if (typeof from !== 'string') return undefined;
  // In "PRICE ALL IN", ALL is a word, not the Albanian lek.
  const isUpperCase = from === from.toUpperCase() && !/[([]/.test(from);
  const codes = [...from.matchAll(/(?<![\p{L}\d])[A-Z]{3}(?![\p{L}\d])|[€£]/gu)]
    .map(([sign]) => ({ '€': 'EUR', '£': 'GBP' })[sign] ?? sign)
    .filter((code) => Object.hasOwn(CURRENCIES, code) && (!isUpperCase || /EUR|GBP|USD|CHF/.test(code)));
  return new Set(codes).size === 1 ? { value: codes[0]! } : undefined;
}

export function currencyOf(country: Proposal[string], column: Column | undefined): ValueSource | undefined {
  const currency = (code = '') => COUNTRY_CURRENCIES[code];
  const { value } = conversionOf(country);
  if (value !== undefined) {
    const code = currency(value);
    return code ? { value: code } : undefined;
  }
  if (!column?.words) return undefined;
  const pairs = [...column.words.keys()].sort().flatMap((word) => {
    const code = currency(findCountryByName(word));
    return code ? [[word, code] as const] : [];
  });
  const [first] = pairs;
  if (!first) return undefined;
  if (pairs.every(([, code]) => code === first[1])) return { value: first[1] };
  return { from: column.name, map: Object.fromEntries(pairs) };
}
