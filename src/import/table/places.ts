import { firstThree } from '../../text/shorten.ts';

/** A count of places with the first few of them, since a large table may have millions. Plain data, for threads. */
export type Places = { count: number; readonly first: (string | number)[] };

export const createPlaces = (): Places => ({ count: 0, first: [] });

/** Enough for `firstThree` to see that there are more. */
const KEPT = 4;

export function addPlace(places: Places, place: string | number): void {
  places.count++;
  if (places.first.length < KEPT) places.first.push(place);
}

export function addPlaces(places: Places, { count, first }: Places): void {
  places.count += count;
  places.first.push(...first.slice(0, KEPT - places.first.length));
}

export const placesText = ({ first }: Places): string => firstThree(first);
