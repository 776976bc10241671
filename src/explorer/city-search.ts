import type { CityList } from '../contract/document-schemas.ts';
import { foldText } from '../contract/sort-order.ts';

export type CitySuggestion = {
  readonly city: string;
  readonly country: string;
  readonly countries: number;
  readonly properties: number;
};

/**
 * Ignores case and accents. Names that start with the text come first. Within both groups, cities with more properties
 * come first.
 */
export function suggestCities(lists: readonly CityList[], text: string, limit: number): CitySuggestion[] {
  const wanted = foldText(text.trim());
  const found = new Map<string, CitySuggestion[]>();
  for (const { country, cities } of lists) {
    for (const { name: city, properties } of cities) {
      if (!foldText(city).includes(wanted)) continue;
      found.set(city, [...(found.get(city) ?? []), { city, country, countries: 1, properties }]);
    }
  }
  const suggestions = [...found.values()].flatMap((same) =>
    same.length > 1 ? [everywhere(same), ...same] : same,
  );
  const rank = ({ city }: CitySuggestion) => (foldText(city).startsWith(wanted) ? 0 : 1);
  return suggestions
    .sort((one, other) => rank(one) - rank(other) || other.properties - one.properties)
    .slice(0, limit);
}

function everywhere(same: readonly CitySuggestion[]): CitySuggestion {
  const properties = same.reduce((sum, one) => sum + one.properties, 0);
  return { city: same[0]!.city, country: '', countries: same.length, properties };
}

export function suggestionNote(
  { country, countries }: CitySuggestion,
  nameOf: (country: string) => string,
): string {
  return country ? nameOf(country) : `in ${countries} countries`;
}

/** Returns the city of this name, ignoring case and accents, or else the only city that contains the text. */
export function findCity(lists: readonly CityList[], text: string): CitySuggestion | undefined {
  const found = suggestCities(lists, text, Number.POSITIVE_INFINITY);
  const wanted = foldText(text.trim());
  const cities = new Set(found.map(({ city }) => city));
  const exact = found.find(({ city }) => city === text.trim().normalize('NFC'));
  return (
    exact ?? found.find(({ city }) => foldText(city) === wanted) ?? (cities.size === 1 ? found[0] : undefined)
  );
}
