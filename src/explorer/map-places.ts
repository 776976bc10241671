import type { Located } from '../client/search.ts';

export type MapPoint = Pick<Located, 'id' | 'title' | 'city' | 'country' | 'latitude' | 'longitude'>;

export type MapTown = { readonly name: string; readonly latitude: number; readonly longitude: number };

/** The towns with the most properties come first. */
export function mapTownsOf(places: readonly MapPoint[]): MapTown[] {
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

export function sortByTitle<Of extends MapPoint>(places: readonly Of[], language: string | undefined): Of[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  return places.toSorted((one, other) => compare(one.title, other.title));
}
