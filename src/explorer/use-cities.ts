import { useMemo } from 'preact/hooks';
import type { CityList, Countries } from '../contract/downloads.ts';
import { useCatalogue } from './catalogue.ts';
import { type CountryFiles, type Need, useCountryFiles } from './country-files.ts';

export type FoundCities = CountryFiles<CityList> & {
  /** Resolves to the loaded lists; undefined when loading fails, or they are too many to load without asking. */
  readonly whole: () => Promise<readonly CityList[] | undefined>;
};

/** Determines the city lists that a country needs; all for an empty country. */
export function citiesNeeded(country: string, { countries }: Countries): Need {
  const needed = countries.filter(({ code }) => !country || code === country);
  return {
    countries: needed.map(({ code }) => code),
    entries: needed.reduce((sum, { cities }) => sum + cities, 0),
  };
}

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
