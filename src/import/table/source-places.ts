import { firstThree } from '../../text/shorten.ts';

/** A count of places with the first few of them, since a large table may have millions. Plain data, for threads. */
export type SourcePlaces = { count: number; readonly first: (string | number)[] };

export const createSourcePlaces = (): SourcePlaces => ({ count: 0, first: [] });

/** Enough for `firstThree` to see that there are more. */
const KEPT = 4;

export function addSourcePlace(places: SourcePlaces, place: string | number): void {
  places.count++;
  if (places.first.length < KEPT) places.first.push(place);
}

export function addSourcePlaces(places: SourcePlaces, { count, first }: SourcePlaces): void {
  places.count += count;
  places.first.push(...first.slice(0, KEPT - places.first.length));
}

export const sourcePlacesText = ({ first }: SourcePlaces): string => firstThree(first);
