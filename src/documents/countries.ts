/** `_catalogue/countries.json` and the files of cities for each country, for the filters of front ends. */

import { COUNTRIES } from '../contract/country-and-currency-tables.ts';
import { CITY_LISTS_FOLDER, COUNTRIES_KEY } from '../contract/document-keys.ts';
import type { CityList, Countries } from '../contract/document-schemas.ts';
import { LIST_PATH } from '../contract/object-keys.ts';
import type { Scope } from '../release/sequence.ts';

/** Range of a country's properties in the list; `end` is exclusive. */
export type CountryRun = {
  readonly country: string;
  readonly start: number;
  readonly end: number;
  readonly cities: CityList['cities'];
};

export function countryRuns(scopes: readonly Scope[]): CountryRun[] {
  const runs: CountryRun[] = [];
  for (const { country, city, runs: parts, total } of scopes) {
    if (!country) continue;
    if (city) runs.at(-1)!.cities.push({ name: city, properties: total });
    else runs.push({ country, ...parts[0]!, cities: [] });
  }
  return runs;
}

export function countriesText(runs: readonly CountryRun[]): string {
  const document: Countries = {
    properties: runs.at(-1)?.end ?? 0,
    countries: runs.map(({ country, start, end, cities }) => ({
      code: country,
      name: COUNTRIES[country] ?? country,
      properties: end - start,
      cities: cities.length,
      href: listUrl(COUNTRIES_KEY, country),
    })),
  };
  return JSON.stringify(document);
}

export function cityListText({ country, cities }: CountryRun): string {
  const href = `${listUrl(`${CITY_LISTS_FOLDER}/`, country)}&filter%5Bcity%5D={city}`;
  const document: CityList = { country, href, cities };
  return JSON.stringify(document);
}

function listUrl(file: string, country: string): string {
  const up = '../'.repeat(file.split('/').length - 1);
  return `${up}${LIST_PATH.slice(1)}?filter%5Bcountry%5D=${country}`;
}
