/**
 * `_catalogue/countries.json` and `_catalogue/countries/<country>.json`: what a front end fills its filters with. The cities
 * of each country have a file of their own, so that a reader loads those that it shows.
 */
import { CITY_LISTS_FOLDER, COUNTRIES_KEY } from '../contract/document-keys.ts';
import type { CityList, Countries } from '../contract/downloads.ts';
import { LIST_PATH } from '../contract/keys.ts';
import { COUNTRIES } from '../contract/tables.ts';
import type { Scope } from '../release/sequence.ts';

/** A country in the sequence, from `start` up to and without `end`, with its cities in order. */
export type CountryRun = {
  readonly country: string;
  readonly start: number;
  readonly end: number;
  readonly cities: CityList['cities'];
};

/**
 * The countries of a sequence.
 *
 * @param scopes every scope: each country followed by its cities, as `scopesOf` gives them.
 */
export function countryRuns(scopes: readonly Scope[]): CountryRun[] {
  const runs: CountryRun[] = [];
  for (const { country, city, runs: parts, total } of scopes) {
    if (!country) continue;
    if (city) runs.at(-1)!.cities.push({ name: city, properties: total });
    else runs.push({ country, ...parts[0]!, cities: [] });
  }
  return runs;
}

/** The text of the file of all countries. */
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

/** The text of the city list of a country. */
export function cityListText({ country, cities }: CountryRun): string {
  const href = `${listUrl(`${CITY_LISTS_FOLDER}/`, country)}&filter%5Bcity%5D={city}`;
  const document: CityList = { country, href, cities };
  return JSON.stringify(document);
}

/** The list of a country, from the folder of a file. */
function listUrl(file: string, country: string): string {
  const up = '../'.repeat(file.split('/').length - 1);
  return `${up}${LIST_PATH.slice(1)}?filter%5Bcountry%5D=${country}`;
}
