import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Located } from '../client/search.ts';
import { countryName } from '../contract/display-text.ts';
import type { Countries } from '../contract/document-schemas.ts';
import type { Page, Summary } from '../contract/property.ts';
import { countText } from '../text/amounts.ts';
import { ActiveFilters } from './active-filters.tsx';
import { ApiKeyField } from './api-key.tsx';
import { Button } from './button.tsx';
import { useCatalogue } from './catalogue.ts';
import { FailureNotice } from './failure-notice.tsx';
import { FilterButton } from './filter-dialog.tsx';
import { hasFilters } from './filters.ts';
import { ForDevelopers } from './for-developers.tsx';
import { ListIcon, PinIcon } from './icons.tsx';
import { sortByTitle } from './map-places.ts';
import { useMediaQuery } from './media-query.ts';
import { clientSideLinkProps, type NavigationEntry, useNavigation } from './navigation.ts';
import { NoResults } from './no-results.tsx';
import { OrderChoice } from './order-choice.tsx';
import { PageSizeChoice } from './page-size-choice.tsx';
import { Pager } from './pager.tsx';
import { cardId, PropertyCard } from './property-card.tsx';
import { ResultsMap } from './results-map.tsx';
import { useScrollAndFocus } from './scroll-and-focus.ts';
import { SearchForm } from './search-form.tsx';
import { type LoadableCities, useCities } from './use-cities.ts';
import { type LoadState, useLoaded } from './use-loaded.ts';
import { type SearchState, useSearch } from './use-search.ts';
import { useStore } from './value-store.ts';
import { formatViewQuery, type View } from './view.ts';

type ResultsPageProps = { readonly arrival: NavigationEntry; readonly countries: LoadState<Countries> };

export function ResultsPage({ arrival, countries }: ResultsPageProps) {
  const { view } = arrival;
  const catalogue = useCatalogue();
  const needsKey = catalogue.settings.apiKeys && !useStore(catalogue.apiKey);
  const [isMapChosen, setMapChosen] = useState(false);
  const isWide = useMediaQuery('(min-width: 60rem)');
  const nameOf = (code: string) =>
    countries.value?.countries.find((one) => one.code === code)?.name ?? countryName(code);

  const isMapWanted = isWide || isMapChosen;
  const isFound = isBySearch(view);
  /** Country whose cities are suggested: empty for all, undefined until the reader uses the city field. */
  const [citiesWantedIn, setCitiesWantedIn] = useState<string>();
  const areCitiesWanted = citiesWantedIn === view.country;
  const cities = useCities(view.country, countries.value, areCitiesWanted);
  const { found, places, ...results } = useResults(view, needsKey, isMapWanted);
  const { result } = found;
  const [active, setActive] = useState<string>();

  const { summaries, total, isLoading, error, retry } = results;
  const title = titleOf(view, total, nameOf, isFound && result?.meant !== undefined);
  const from = arrival.from?.property;
  const isReady = total !== undefined || error !== undefined || needsKey || found.tooMany !== undefined;
  useScrollAndFocus(arrival, isReady ? title : undefined, from && cardId(from));
  const isEmpty = total !== undefined && summaries.length === 0;
  const hasMap = isMapWanted && !needsKey && !isEmpty && error === undefined;
  // Without tiles, the map of a single town shows only markers, so it is narrow.
  const isTown = view.city !== '' && !catalogue.settings.tiles;
  const layout = hasMap ? ` with-map${isWide ? '' : ' map-alone'}${isTown ? ' town-map' : ''}` : '';
  const pages = Math.ceil((total ?? 0) / view.size);
  return (
    <div class={`results${layout}`}>
      <SearchForm
        view={view}
        countries={countries.value}
        cities={cities}
        wantCities={() => setCitiesWantedIn(view.country)}
        nameOf={nameOf}
      />
      {catalogue.settings.apiKeys && <ApiKeyField />}
      {areCitiesWanted && <TooManyCities {...cities} />}
      {isFound && <TooManyProperties {...found} />}
      <div class="results-head flow">
        <h1 tabIndex={-1}>{title}</h1>
        <p class="unseen" role="status">
          {isLoading
            ? 'Loading'
            : total !== undefined && `${title}, page ${view.page} of ${Math.max(pages, 1)}`}
        </p>
        {!needsKey && (!isEmpty || hasFilters(view)) && (
          <div class="choices beside">
            <FilterButton view={view} />
            {!isWide && summaries.length > 0 && <MapSwitch isMap={isMapChosen} setMap={setMapChosen} />}
            <OrderChoice view={view} />
            <PageSizeChoice view={view} />
          </div>
        )}
      </div>
      <ActiveFilters view={view} />
      {result?.meant && isFound && !isEmpty && <Meant view={view} meant={result.meant} />}
      {error !== undefined && <FailureNotice error={error} retry={retry} />}
      {isLoading && total === undefined && <CardsToCome />}
      {isEmpty && (
        <NoResults view={view} total={total} pages={pages} countries={countries.value} nameOf={nameOf} />
      )}
      {summaries.length > 0 && (
        <div class="list" hidden={hasMap && !isWide} aria-busy={isLoading}>
          <ul class="cards">
            {summaries.map((summary, index) => (
              <PropertyCard
                key={summary.id}
                summary={summary}
                view={view}
                number={index + 1}
                countryName={nameOf(summary.country)}
                isActive={summary.id === active}
                setActive={setActive}
              />
            ))}
          </ul>
        </div>
      )}
      {summaries.length > 0 && <Pager view={view} pages={pages} />}
      <ForDevelopers purpose={isFound ? 'search' : 'list'} />
      {hasMap && <ResultsMap {...{ view, found, places, summaries, active, setActive, nameOf }} />}
    </div>
  );
}

/** The API's lists have one order and filter only by country and city: other views need the search. */
const isBySearch = (view: View) => view.name !== '' || view.order !== 'town' || hasFilters(view);

function MapSwitch({ isMap, setMap }: { isMap: boolean; setMap: (isMap: boolean) => void }) {
  return (
    <Button onClick={() => setMap(!isMap)}>
      {isMap ? <ListIcon /> : <PinIcon />}
      {isMap ? 'List' : 'Map'}
    </Button>
  );
}

const NONE: readonly Located[] = [];

type Results = {
  readonly found: SearchState;
  readonly places: readonly Located[];
  readonly summaries: readonly Summary[];
  readonly total: number | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
};

/** @param isMapWanted whether to load all results for the map, instead of only those of the page */
function useResults(view: View, needsKey: boolean, isMapWanted: boolean): Results {
  const catalogue = useCatalogue();
  const { language } = catalogue.settings;
  const apiKey = useStore(catalogue.apiKey);
  const isFound = isBySearch(view);
  const isByName = view.order === 'name';
  const areAll = isMapWanted || isByName;
  const part = areAll ? { size: Number.POSITIVE_INFINITY } : { page: view.page, size: view.size };
  const found = useSearch(view, (isMapWanted || isFound) && !needsKey, part);
  const { result, isLoading, error, retry } = found;
  const places = useMemo(() => {
    const all = result?.data ?? NONE;
    return isByName ? sortByTitle(all, language) : all;
  }, [result, isByName, language]);
  const key =
    needsKey || isFound ? undefined : `list ${formatViewQuery({ ...view, property: '' })} ${apiKey}`;
  const page = useLoaded<Page>(key, (signal) => catalogue.list(view, signal), catalogue.cache);
  if (isFound) {
    const first = areAll ? (view.page - 1) * view.size : 0;
    const summaries = places.slice(first, first + view.size);
    return { found, places, summaries, total: result?.total, isLoading, error, retry };
  }
  const { data = [], meta } = page.value ?? {};
  return { ...page, found, places, summaries: data, total: meta?.pagination.total_entries };
}

function Meant({ view, meant }: { view: View; meant: string }) {
  const navigation = useNavigation();
  const other = { ...view, name: meant, page: 1 };
  return (
    <p class="meant">
      No name has “{view.name}”. Did you mean{' '}
      <a {...clientSideLinkProps(formatViewQuery(other), () => navigation.go(other, 'stay'))}>{meant}</a>?
    </p>
  );
}

function titleOf(
  { city, country, name }: View,
  total: number | undefined,
  nameOf: (code: string) => string,
  hasTypos: boolean,
) {
  const where = [city, country && nameOf(country)].filter(Boolean).join(', ');
  if (total === undefined) return where || 'Properties';
  const count = countText(total, 'property');
  return `${count}${name ? ` ${hasTypos ? 'with a name like' : 'named'} “${name}”` : ''}${where ? ` in ${where}` : ''}`;
}

function TooManyProperties({ tooMany, load }: Pick<SearchState, 'tooMany' | 'load'>) {
  if (tooMany === undefined) return null;
  return (
    <TooMany load={load}>
      A search, a filter or an order by name loads all {tooMany.properties.toLocaleString('en')} properties,
      which are many to load at once: choose a country or a city, or load them all (about{' '}
      {Math.ceil(tooMany.bytes / 1e6)} MB).
    </TooMany>
  );
}

function TooManyCities({ tooMany, load }: Pick<LoadableCities, 'tooMany' | 'load'>) {
  if (tooMany === undefined) return null;
  return (
    <TooMany load={load}>
      All {tooMany.toLocaleString('en')} cities are many to load for suggestions: choose a country, write the
      exact name, or load them all (about {Math.ceil((tooMany * 10) / 1e6)} MB).
    </TooMany>
  );
}

function TooMany({ children, load }: { children: ComponentChildren; load: () => void }) {
  return (
    <div class="notice small" role="status">
      <p>{children}</p>
      <Button look="small" onClick={load}>
        Load all
      </Button>
    </div>
  );
}

function CardsToCome() {
  return (
    <ul class="cards to-come" aria-hidden="true">
      {Array.from({ length: 9 }, (_, index) => (
        <li key={index} class="card panel">
          <span class="picture" />
          <span class="line" />
          <span class="line short" />
        </li>
      ))}
    </ul>
  );
}
