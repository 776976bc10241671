/** The places of a filter, asked for when they are needed. */
import { useMemo, useState } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import type { PointTable } from '../contract/points.ts';
import { useCatalogue } from './catalogue.ts';
import { useLoaded } from './loaded.ts';
import { type MapPoint, needOf, placesOf } from './places.ts';
import { useStore } from './store.ts';
import type { View } from './view.ts';

/** Properties whose points are loaded without a question, about 1.5 MB of them. */
const LOADED_UNASKED = 50_000;

/** The places of a filter. */
export type FoundPlaces = {
  /** Undefined until they are there. */
  readonly places: readonly MapPoint[] | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Number of properties that would have to be loaded, when these are too many to do so without a question. */
  readonly tooMany: number | undefined;
  /** Loads them nevertheless. */
  readonly load: () => void;
  readonly retry: () => void;
};

/** Asks for the places of a country and a city once they are wanted. */
export function usePlaces(view: View, countries: Countries | undefined, isWanted: boolean): FoundPlaces {
  const catalogue = useCatalogue();
  const apiKey = useStore(catalogue.apiKey);
  const { country, city } = view;
  const need = useMemo(() => countries && needOf({ country, city }, countries), [countries, country, city]);
  const codes = need?.countries.join(' ') ?? '';
  const [agreed, setAgreed] = useState<string>();
  const tooMany = need && need.properties > LOADED_UNASKED && agreed !== codes ? need.properties : undefined;
  const key = isWanted && need && tooMany === undefined ? `points ${codes} ${apiKey}` : undefined;
  const loaded = useLoaded<readonly PointTable[]>(
    key,
    (signal) => Promise.all((need?.countries ?? []).map((code) => catalogue.points(code, signal))),
    catalogue.kept,
  );
  const tables = key === undefined ? undefined : loaded.value;
  const places = useMemo(() => tables && placesOf(tables, city), [tables, city]);
  return {
    places,
    isLoading: isWanted && tooMany === undefined && places === undefined && loaded.error === undefined,
    error: loaded.error,
    tooMany,
    load: () => setAgreed(codes),
    retry: loaded.retry,
  };
}
