import { useState } from 'preact/hooks';
import type { CityList, Countries } from '../contract/document-schemas.ts';
import { useCatalogue } from './catalogue.ts';
import { useLoaded } from './use-loaded.ts';
import { useStore } from './value-store.ts';

/** Maximum number of cities that are loaded without asking the reader: about 0.5 MB. */
export const MAX_CITIES_WITHOUT_ASKING = 50_000;

export type LoadableCities = {
  readonly lists: readonly CityList[] | undefined;
  /** Number of cities, if there are so many that the reader must agree first. */
  readonly tooMany: number | undefined;
  readonly load: () => void;
  /** Loads the lists at once. Undefined if that fails, before the countries are loaded, or if the reader must agree. */
  readonly loadNow: () => Promise<readonly CityList[] | undefined>;
};

export function countCitiesToLoad(country: string, countries: Countries): number {
  return needed(country, countries).reduce((sum, { cities }) => sum + cities, 0);
}

const needed = (country: string, { countries }: Countries) =>
  countries.filter(({ code }) => !country || code === country);

/** Loads the city lists of a country (empty: all countries) once `isWanted`. */
export function useCities(
  country: string,
  countries: Countries | undefined,
  isWanted: boolean,
): LoadableCities {
  const { cities, apiKey, cache } = useCatalogue();
  const keyed = useStore(apiKey);
  const [agreed, setAgreed] = useState<string>();
  const count = countries && countCitiesToLoad(country, countries);
  const tooMany =
    count !== undefined && count > MAX_CITIES_WITHOUT_ASKING && agreed !== country ? count : undefined;
  const isLoaded = isWanted && countries !== undefined && tooMany === undefined;
  const ask = () => Promise.all(needed(country, countries!).map(({ code }) => cities(code)));
  const loaded = useLoaded<readonly CityList[]>(
    isLoaded ? `cities ${country} ${keyed}` : undefined,
    ask,
    cache,
  );
  const loadNow = async () => (countries && tooMany === undefined ? ask().catch(() => undefined) : undefined);
  return { lists: isLoaded ? loaded.value : undefined, tooMany, load: () => setAgreed(country), loadNow };
}
