import { useMemo } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import { useCatalogue } from './catalogue.ts';
import { type CountryFiles, useCountryFiles } from './country-files.ts';
import { type MapPoint, needOf, placesOf } from './places.ts';
import type { FoundCities } from './use-cities.ts';
import type { View } from './view.ts';

export type FoundPlaces = Omit<CountryFiles<unknown>, 'files'> & {
  readonly places: readonly MapPoint[] | undefined;
  readonly isLoading: boolean;
};

/**
 * Loads the places of a country and a city once they are wanted.
 *
 * @param cities city lists of the view's country, or of all, which tell the countries that have a city.
 */
export function usePlaces(
  { country, city }: View,
  countries: Countries | undefined,
  cities: FoundCities,
  isWanted: boolean,
): FoundPlaces {
  const catalogue = useCatalogue();
  const { files: lists, tooMany: tooManyCities, error: listsError } = cities;
  const isAnywhere = needsCities({ country, city });
  const areKnown = !isAnywhere || lists || tooManyCities !== undefined || listsError !== undefined;
  const need = useMemo(
    () => (countries && areKnown ? needOf({ country, city }, countries, lists) : undefined),
    [countries, country, city, areKnown, isAnywhere && lists],
  );
  const { files: tables, ...found } = useCountryFiles('points', need, isWanted, catalogue.points);
  const places = useMemo(() => tables && placesOf(tables, city), [tables, city]);
  const { error, tooMany } = found;
  const isLoading = isWanted && tooMany === undefined && places === undefined && error === undefined;
  return { ...found, places, isLoading };
}

export function needsCities({ country, city }: Pick<View, 'country' | 'city'>): boolean {
  return city !== '' && country === '';
}
