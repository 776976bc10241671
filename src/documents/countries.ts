/** `_catalogue/countries.json`: what a front end fills its filters with. */

import { COUNTRIES_KEY } from '../contract/document-keys.ts';
import type { Countries } from '../contract/downloads.ts';
import { LIST_PATH } from '../contract/keys.ts';
import { COUNTRIES } from '../contract/tables.ts';
import type { Scope } from '../release/sequence.ts';

/** From the folder of the file to the list. */
const LIST = `${'../'.repeat(COUNTRIES_KEY.split('/').length - 1)}${LIST_PATH.slice(1)}`;

/**
 * The text of the file.
 *
 * @param scopes every scope: each country followed by its cities, as `scopesOf` gives them.
 */
export function countriesText(scopes: readonly Scope[]): string {
  const countries: (Countries['countries'][number] & { cities: object[] })[] = [];
  for (const { country, city, total } of scopes) {
    if (!country) continue;
    if (!city) {
      const name = COUNTRIES[country] ?? country;
      countries.push({ code: country, name, properties: total, href: listUrl({ country }), cities: [] });
    } else {
      countries.at(-1)?.cities.push({ name: city, properties: total, href: listUrl({ country, city }) });
    }
  }
  const document: Countries = {
    properties: scopes.find(({ country, city }) => !country && !city)?.total ?? 0,
    countries,
  };
  return JSON.stringify(document);
}

function listUrl(filter: Record<string, string>): string {
  const query = Object.entries(filter).map(
    ([key, value]) => `filter%5B${key}%5D=${encodeURIComponent(value)}`,
  );
  return `${LIST}?${query.join('&')}`;
}
