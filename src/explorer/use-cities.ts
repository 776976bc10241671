/** The cities to choose from, asked for when they are needed. */
import { useMemo } from 'preact/hooks';
import type { CityList, Countries } from '../contract/downloads.ts';
import { useCatalogue } from './catalogue.ts';
import { type CountryFiles, type Need, useCountryFiles } from './country-files.ts';

/** The city lists of a country, or of all. */
export type FoundCities = CountryFiles<CityList> & {
  /** The lists once they are there; undefined when they cannot be loaded, or are too many to load without a question. */
  readonly whole: () => Promise<readonly CityList[] | undefined>;
};

/** The city lists that a country needs; an empty one: those of all. */
export function citiesNeeded(country: string, { countries }: Countries): Need {
  const needed = countries.filter(({ code }) => !country || code === country);
  return {
    countries: needed.map(({ code }) => code),
    entries: needed.reduce((sum, { cities }) => sum + cities, 0),
  };
}

/** Asks for the cities of a country, or of all, once they are wanted. */
export function useCities(country: string, countries: Countries | undefined, isWanted: boolean): FoundCities {
  const { cities } = useCatalogue();
  const need = useMemo(() => countries && citiesNeeded(country, countries), [country, countries]);
  const found = useCountryFiles('cities', need, isWanted, cities);
  const whole = async () => {
    if (!need || found.tooMany !== undefined) return undefined;
    return Promise.all(need.countries.map(cities)).catch(() => undefined);
  };
  return { ...found, whole };
}
