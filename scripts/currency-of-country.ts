import { createRequire } from 'node:module';
import { COUNTRIES } from '../src/contract/tables/countries.ts';

interface CurrencyUse {
  _to?: string;
  _tender?: string;
}

const require = createRequire(import.meta.url);

/** The main currency (ISO 4217) of every country that has one, by ISO 3166-1 alpha-2 code. Source: Unicode CLDR. */
export function currenciesOfCountries(): ReadonlyMap<string, string> {
  const data = require('cldr-core/supplemental/currencyData.json') as {
    supplemental: { currencyData: { region: Record<string, Record<string, CurrencyUse>[]> } };
  };
  const currencies = new Map<string, string>();
  for (const [country, uses] of Object.entries(data.supplemental.currencyData.region)) {
    if (!Object.hasOwn(COUNTRIES, country)) continue;
    // CLDR lists the uses of a region by importance, then from the newest to the oldest.
    const live = uses
      .flatMap((use) => Object.entries(use))
      .find(([, use]) => use._to === undefined && use._tender !== 'false');
    if (live) currencies.set(country, live[0]);
  }
  return currencies;
}
