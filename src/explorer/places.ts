import type { CityList, Countries, Point, Points } from '../contract/downloads.ts';
import { fold } from '../contract/order.ts';
import type { Need } from './country-files.ts';
import type { View } from './view.ts';

export type MapPoint = Readonly<Point> & {
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string;
};

/**
 * Determines the points files that a filter needs.
 *
 * @param lists city lists of all countries, for a city without a country; undefined when unknown: then every country
 *   may have the city.
 */
export function needOf(
  { country, city }: Pick<View, 'country' | 'city'>,
  { countries }: Countries,
  lists: readonly CityList[] | undefined,
): Need {
  const having =
    city && !country && lists
      ? lists.filter(({ cities }) => cities.some(({ name }) => name === city)).map((list) => list.country)
      : undefined;
  const needed = countries.filter(({ code }) =>
    country ? code === country : (having?.includes(code) ?? true),
  );
  return {
    countries: needed.map(({ code }) => code),
    entries: needed.reduce((sum, { properties }) => sum + properties, 0),
  };
}

/** Returns the places in these files, in the order of the list. `city`: exact name; empty for all. */
export function placesOf(files: readonly Points[], city: string): MapPoint[] {
  return files.flatMap(({ country, points }) =>
    points.filter((point) => !city || point.city === city).map((point) => ({ ...point, country })),
  );
}

export type MapTown = { readonly name: string; readonly latitude: number; readonly longitude: number };

/** Returns the towns of places, those with the most properties first. */
export function townsOf(places: readonly MapPoint[]): MapTown[] {
  const groups = new Map<string, MapPoint[]>();
  for (const place of places) {
    const key = `${place.country} ${place.city}`;
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  const mean = (of: readonly MapPoint[], key: 'latitude' | 'longitude') =>
    of.reduce((sum, place) => sum + place[key], 0) / of.length;
  return [...groups.values()]
    .filter(([first]) => first?.city)
    .toSorted((one, other) => other.length - one.length)
    .map((of) => ({ name: of[0]!.city, latitude: mean(of, 'latitude'), longitude: mean(of, 'longitude') }));
}

export function byName(places: readonly MapPoint[], language: string | undefined): MapPoint[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return places.toSorted((one, other) => compare(one.title, other.title));
}

export type NameSearch = (text: string) => MapPoint[];

/**
 * Makes a search by name. It finds names that contain every word of a text, ignoring case and accents: first those that
 * start with the text, then those with a word that starts with it, then the others.
 */
export function createNameSearch(places: readonly MapPoint[]): NameSearch {
  let names: string[] | undefined;
  return (text) => {
    const wanted = fold(text).split(/\s+/).filter(Boolean);
    const [first] = wanted;
    if (first === undefined) return [...places];
    names ??= places.map(({ title }) => fold(title));
    const ranks: MapPoint[][] = [[], [], []];
    for (const [index, name] of names.entries()) {
      if (!wanted.every((word) => name.includes(word))) continue;
      const rank = name.startsWith(wanted.join(' ')) ? 0 : ` ${name}`.includes(` ${first}`) ? 1 : 2;
      ranks[rank]!.push(places[index]!);
    }
    return ranks.flat();
  };
}
