import { useRef } from 'preact/hooks';
import { type SearchQuery, type SearchResult, SearchSizeError } from '../client/search.ts';
import { useCatalogue } from './catalogue.ts';
import { searchQueryOf } from './filters.ts';
import { useLoaded } from './use-loaded.ts';
import { useStore } from './value-store.ts';
import type { View } from './view.ts';

export type SearchState = {
  /** While another search in the same country and city runs, this is the previous result. */
  readonly result: SearchResult | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Size of a search that the reader must agree to first. */
  readonly tooMany: SearchSizeError | undefined;
  readonly load: () => void;
  readonly retry: () => void;
};

/**
 * Searches once `isWanted` is true, and again whenever the view changes.
 * @param paging which page of results to return; by default none, only the total and the counts by value
 */
export function useSearch(
  view: View,
  isWanted: boolean,
  paging: Pick<SearchQuery, 'page' | 'size'> = { size: 0 },
): SearchState {
  const catalogue = useCatalogue();
  const { settings, search, agreedScope, cache } = catalogue;
  const apiKey = useStore(catalogue.apiKey);
  const scope = `${view.country} ${view.city}`;
  const isAgreed = useStore(agreedScope) === scope;
  const query = { ...searchQueryOf(view, settings.fields), ...paging };
  const key = isWanted
    ? `search ${JSON.stringify({ ...query, size: String(query.size) })} ${isAgreed} ${apiKey}`
    : undefined;
  const most = isAgreed ? { most: Number.POSITIVE_INFINITY } : {};
  const { value, error, isLoading, retry } = useLoaded(key, () => search(query, most), cache);
  const kind = `${scope} ${paging.size}`;
  const last = useRef<{ readonly kind: string; readonly result: SearchResult } | undefined>(undefined);
  if (value) last.current = { kind, result: value };
  const tooMany = error instanceof SearchSizeError ? error : undefined;
  return {
    result: value ?? (isLoading && last.current?.kind === kind ? last.current.result : undefined),
    isLoading,
    error: tooMany ? undefined : error,
    tooMany,
    load: () => agreedScope.set(scope),
    retry,
  };
}
