import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import type { Page } from '../contract/property.ts';
import { countryName } from '../contract/words.ts';
import { plural } from '../text/words.ts';
import { ApiKeyField } from './api-key.tsx';
import { useArrival } from './arrival.ts';
import { Button } from './button.tsx';
import { Card, cardId, type ListedProperty } from './card.tsx';
import { useCatalogue } from './catalogue.ts';
import { FailureNotice } from './failure.tsx';
import { ListIcon, PinIcon } from './icons.tsx';
import { type LoadState, useLoaded } from './loaded.ts';
import { useMediaQuery } from './media-query.ts';
import type { Arrival } from './navigation.ts';
import { NoResults } from './no-results.tsx';
import { OrderChoice } from './order-choice.tsx';
import { PageSize } from './page-size.tsx';
import { Pager } from './pager.tsx';
import { byName, createNameSearch, type MapPoint } from './places.ts';
import { ForDevelopers } from './requests.tsx';
import { ResultsMap } from './results-map.tsx';
import { SearchForm } from './search-form.tsx';
import { useStore } from './store.ts';
import { type FoundCities, useCities } from './use-cities.ts';
import { type FoundPlaces, needsCities, usePlaces } from './use-places.ts';
import { type View, viewQuery } from './view.ts';

type ResultsPageProps = { readonly arrival: Arrival; readonly countries: LoadState<Countries> };

export function ResultsPage({ arrival, countries }: ResultsPageProps) {
  const { view } = arrival;
  const catalogue = useCatalogue();
  const needsKey = catalogue.settings.apiKeys && !useStore(catalogue.apiKey);
  const [isMapChosen, setMapChosen] = useState(false);
  const isWide = useMediaQuery('(min-width: 60rem)');
  const nameOf = (code: string) =>
    countries.value?.countries.find((one) => one.code === code)?.name ?? countryName(code);

  const isMapWanted = isWide || isMapChosen;
  const { found, cities, wanted, want } = useFilterFiles(view, countries.value, isMapWanted);
  const findNames = useMemo(() => found.places && createNameSearch(found.places), [found.places]);
  const { language } = catalogue.settings;
  const places = useMemo(() => {
    const named = findNames?.(view.name) ?? NONE;
    return view.order === 'name' ? byName(named, language) : named;
  }, [findNames, view.name, view.order, language]);
  const results = useResults(view, needsKey, found, places);
  const [active, setActive] = useState<string>();

  const { summaries, total, isLoading, error, retry } = results;
  const title = titleOf(view, total, nameOf);
  const from = arrival.from?.property;
  const isReady = total !== undefined || error !== undefined || needsKey || found.tooMany !== undefined;
  useArrival(arrival, isReady ? title : undefined, from && cardId(from));
  const isEmpty = total !== undefined && summaries.length === 0;
  const hasMap = isMapWanted && !needsKey && !isEmpty && error === undefined;
  // Without tiles, the map of a town has little to show beside the marks.
  const isTown = view.city !== '' && !catalogue.settings.tiles;
  const layout = hasMap ? ` with-map${isWide ? '' : ' map-alone'}${isTown ? ' town-map' : ''}` : '';
  const pages = Math.ceil((total ?? 0) / view.size);
  return (
    <div class={`results${layout}`}>
      <SearchForm
        view={view}
        countries={countries.value}
        cities={cities}
        wantCities={want.cities}
        findNames={findNames}
        wantNames={want.names}
        nameOf={nameOf}
      />
      {catalogue.settings.apiKeys && <ApiKeyField />}
      {wanted.cities && <TooManyCities {...cities} />}
      {wanted.names && <TooManyNames {...found} />}
      <div class="results-head flow">
        <h1 tabIndex={-1}>{title}</h1>
        <p class="unseen" role="status">
          {isLoading
            ? 'Loading'
            : total !== undefined && `${title}, page ${view.page} of ${Math.max(pages, 1)}`}
        </p>
        {!needsKey && !isEmpty && (
          <div class="choices beside">
            {!isWide && summaries.length > 0 && <MapSwitch isMap={isMapChosen} setMap={setMapChosen} />}
            <OrderChoice view={view} />
            <PageSize view={view} />
          </div>
        )}
      </div>
      {error !== undefined && <FailureNotice error={error} retry={retry} />}
      {isLoading && total === undefined && <CardsToCome />}
      {isEmpty && (
        <NoResults view={view} total={total} pages={pages} countries={countries.value} nameOf={nameOf} />
      )}
      {summaries.length > 0 && (
        <div class="list" hidden={hasMap && !isWide} aria-busy={isLoading}>
          <ul class="cards">
            {summaries.map((summary, index) => (
              <Card
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
      <ForDevelopers purpose={isByPoints(view) ? 'points' : 'list'} />
      {hasMap && <ResultsMap {...{ view, found, places, summaries, active, setActive, nameOf }} />}
    </div>
  );
}

/** Whether a view is found in the points: the lists of the API have one order, and no search by name. */
const isByPoints = ({ name, order }: View) => name !== '' || order !== 'town';

function useFilterFiles(view: View, countries: Countries | undefined, isMapWanted: boolean) {
  const [areNamesWanted, setNamesWanted] = useState(false);
  /** Country whose cities the reader may choose from; empty for all. */
  const [citiesWantedIn, setCitiesWantedIn] = useState<string>();
  const wanted = { names: areNamesWanted || isByPoints(view), cities: citiesWantedIn === view.country };
  const arePlacesWanted = isMapWanted || wanted.names;
  const areListsWanted = wanted.cities || (arePlacesWanted && needsCities(view));
  const cities = useCities(view.country, countries, areListsWanted);
  const found = usePlaces(view, countries, cities, arePlacesWanted);
  const want = { names: () => setNamesWanted(true), cities: () => setCitiesWantedIn(view.country) };
  return { found, cities, wanted, want };
}

function MapSwitch({ isMap, setMap }: { isMap: boolean; setMap: (isMap: boolean) => void }) {
  return (
    <Button onClick={() => setMap(!isMap)}>
      {isMap ? <ListIcon /> : <PinIcon />}
      {isMap ? 'List' : 'Map'}
    </Button>
  );
}

const NONE: readonly MapPoint[] = [];

type Results = {
  readonly summaries: readonly ListedProperty[];
  readonly total: number | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
};

function useResults(
  view: View,
  needsKey: boolean,
  found: FoundPlaces,
  matches: readonly MapPoint[],
): Results {
  const catalogue = useCatalogue();
  const apiKey = useStore(catalogue.apiKey);
  const key =
    needsKey || isByPoints(view) ? undefined : `list ${viewQuery({ ...view, property: '' })} ${apiKey}`;
  const page = useLoaded<Page>(key, (signal) => catalogue.list(view, signal), catalogue.kept);
  if (!isByPoints(view)) {
    const { value, isLoading, error, retry } = page;
    return {
      summaries: value?.data ?? [],
      total: value?.meta.pagination.total_entries,
      isLoading,
      error,
      retry,
    };
  }
  const first = (view.page - 1) * view.size;
  const summaries = matches.slice(first, first + view.size);
  const { places, isLoading, error, retry } = found;
  return { summaries, total: places && matches.length, isLoading, error, retry };
}

function titleOf({ city, country, name }: View, total: number | undefined, nameOf: (code: string) => string) {
  const where = [city, country && nameOf(country)].filter(Boolean).join(', ');
  if (total === undefined) return where || 'Properties';
  const count = plural(total, 'property');
  return `${count}${name ? ` named “${name}”` : ''}${where ? ` in ${where}` : ''}`;
}

function TooManyNames({ tooMany, load }: Pick<FoundPlaces, 'tooMany' | 'load'>) {
  if (tooMany === undefined) return null;
  return (
    <TooMany load={load}>
      A search or an order by name loads the names of the country. All {tooMany.toLocaleString('en')}{' '}
      properties are many to load at once: choose a country, or load them all (about{' '}
      {Math.ceil((tooMany * 40) / 1e6)} MB).
    </TooMany>
  );
}

function TooManyCities({ tooMany, load }: Pick<FoundCities, 'tooMany' | 'load'>) {
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
