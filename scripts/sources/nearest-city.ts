import { type City, citiesByCountry } from '../cities.ts';

/** Names that GeoNames gives in Irish, where maps and visitors use the English one. */
const ENGLISH_NAMES: Readonly<Record<string, string>> = {
  'An Ros': 'Rush',
  Bearna: 'Barna',
  'Cluain Meala': 'Clonmel',
  Gaillimh: 'Galway',
  'Loch Garman': 'Wexford',
};

/** Length of a degree of latitude. */
const KILOMETRES_PER_DEGREE = 111.2;

/** A city and how far away it is. */
export interface NearbyCity {
  name: string;
  kilometres: number;
}

/** Finds the city of GeoNames nearest to a place in one of the countries. */
export function createNearestCity(
  countries: readonly string[],
): (country: string, latitude: number, longitude: number) => NearbyCity {
  const byCountry = citiesByCountry(countries);
  return (country, latitude, longitude) => {
    const shrink = Math.cos((latitude * Math.PI) / 180);
    const distance = (city: City): number =>
      Math.hypot(city.latitude - latitude, (city.longitude - longitude) * shrink) * KILOMETRES_PER_DEGREE;
    let name = '';
    let kilometres = Number.POSITIVE_INFINITY;
    for (const city of byCountry.get(country) ?? []) {
      const far = distance(city);
      if (far < kilometres) [name, kilometres] = [city.name, far];
    }
    return { name: ENGLISH_NAMES[name] ?? name, kilometres };
  };
}
