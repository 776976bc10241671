/** The places of the properties that a filter leaves, from the points files of their countries. */
import type { CityList, Countries, Point, Points } from '../contract/downloads.ts';
import { fold } from '../contract/order.ts';
import type { Need } from './country-files.ts';
import type { View } from './view.ts';

/** A property as the points files know it. */
export type MapPoint = Readonly<Point> & {
  /** ISO 3166-1 alpha-2 code. */
  readonly country: string;
};

/**
 * The points files that a filter needs.
 *
 * @param lists the cities of all countries, for a city without a country; undefined when they are not known: then each
 *   country may have the city.
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

/** The places in these files, in the order of the list. `city`: its exact name; empty for all. */
export function placesOf(files: readonly Points[], city: string): MapPoint[] {
  return files.flatMap(({ country, points }) =>
    points.filter((point) => !city || point.city === city).map((point) => ({ ...point, country })),
  );
}

/** Finds places by parts of their names. */
export type NameSearch = (text: string) => MapPoint[];

/**
 * Makes a search by name. It finds the names that hold every word of a text, or a part of a word, whatever the case and
 * the accents: those that begin with the text first, then those with a word that begins with it, then the others.
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
