import { useState } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import type { Page } from '../contract/property.ts';
import { ApiKeyField } from './api-key.tsx';
import { useArrival } from './arrival.ts';
import { Card, cardId } from './card.tsx';
import { useCatalogue } from './catalogue.ts';
import { Failure } from './failure.tsx';
import { ListIcon, PinIcon } from './icons.tsx';
import { type Loaded, useLoaded } from './loaded.ts';
import { useMedia } from './media-query.ts';
import type { Arrival } from './navigation.ts';
import { NoResults } from './no-results.tsx';
import { PageSize } from './page-size.tsx';
import { Pager } from './pager.tsx';
import { RequestStrip } from './requests.tsx';
import { ResultsMap } from './results-map.tsx';
import { SearchForm } from './search-form.tsx';
import { useStore } from './store.ts';
import { viewQuery } from './view.ts';
import { counted, countryName } from './words.ts';

/** What the page of results needs. */
export type ResultsPageProps = { readonly arrival: Arrival; readonly countries: Loaded<Countries> };

/** The search, the list of what it found, and the map. */
export function ResultsPage({ arrival, countries }: ResultsPageProps) {
  const { view } = arrival;
  const catalogue = useCatalogue();
  const apiKey = useStore(catalogue.apiKey);
  const needsKey = catalogue.settings.apiKeys && !apiKey;
  const key = needsKey ? undefined : `list ${viewQuery(view)} ${apiKey}`;
  const page = useLoaded<Page>(key, (signal) => catalogue.list(view, signal), catalogue.kept);
  const [active, setActive] = useState<string>();
  const isWide = useMedia('(min-width: 60rem)');
  const [isMapChosen, setMapChosen] = useState(false);
  const nameOf = (code: string) =>
    countries.value?.countries.find((one) => one.code === code)?.name ?? countryName(code);

  const pagination = page.value?.meta.pagination;
  const total = pagination?.total_entries ?? 0;
  const pages = Math.ceil(total / view.size);
  const where = [view.city, view.country && nameOf(view.country)].filter(Boolean).join(', ');
  const title = pagination
    ? `${counted(total, 'property', 'properties')}${where ? ` in ${where}` : ''}`
    : where || 'Properties';
  const from = arrival.from?.property;
  useArrival(arrival, page.value || page.error || needsKey ? title : undefined, from && cardId(from));

  const summaries = page.value?.data ?? [];
  const hasMap = summaries.length > 0 && (isWide || isMapChosen);
  return (
    <div class={`results${hasMap ? ' with-map' : ''}${hasMap && !isWide ? ' map-alone' : ''}`}>
      <SearchForm view={view} countries={countries.value} />
      {catalogue.settings.apiKeys && <ApiKeyField />}
      <div class="results-head">
        <h1 tabIndex={-1}>{title}</h1>
        <p class="unseen" role="status">
          {page.isLoading ? 'Loading' : pagination && `${title}, page ${view.page} of ${Math.max(pages, 1)}`}
        </p>
        {!isWide && summaries.length > 0 && (
          <button type="button" class="button" onClick={() => setMapChosen(!isMapChosen)}>
            {isMapChosen ? <ListIcon /> : <PinIcon />}
            {isMapChosen ? 'List' : 'Map'}
          </button>
        )}
        <PageSize view={view} />
      </div>
      {!needsKey && <RequestStrip purpose="list" />}
      {page.error !== undefined && <Failure error={page.error} retry={page.retry} />}
      {page.isLoading && !page.value && <CardsToCome />}
      {pagination && summaries.length === 0 && (
        <NoResults view={view} total={total} pages={pages} countries={countries.value} />
      )}
      {hasMap && (
        <ResultsMap view={view} summaries={summaries} active={active} setActive={setActive} nameOf={nameOf} />
      )}
      {summaries.length > 0 && (
        <div class="list" hidden={hasMap && !isWide} aria-busy={page.isLoading}>
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
    </div>
  );
}

/** Stands where cards will be. */
function CardsToCome() {
  return (
    <ul class="cards to-come" aria-hidden="true">
      {Array.from({ length: 9 }, (_, index) => (
        <li key={index} class="card">
          <span class="picture" />
          <span class="line" />
          <span class="line short" />
        </li>
      ))}
    </ul>
  );
}
