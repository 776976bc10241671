import type { CityList, Countries } from '../contract/document-schemas.ts';
import { foldText } from '../contract/sort-order.ts';
import { countText } from '../text/amounts.ts';
import { useCatalogue } from './catalogue.ts';
import { suggestCities, suggestionNote } from './city-search.ts';
import { activeFilters, hasFilters, searchQueryOf } from './filters.ts';
import { useNavigation, viewLinkProps } from './navigation.ts';
import { countCitiesToLoad, MAX_CITIES_WITHOUT_ASKING, useCities } from './use-cities.ts';
import { useLoaded } from './use-loaded.ts';
import { formatViewQuery, type View, withoutFilters } from './view.ts';

type NoResultsProps = {
  readonly view: View;
  readonly total: number;
  readonly pages: number;
  readonly countries: Countries | undefined;
  readonly nameOf: (country: string) => string;
};

export function NoResults({ view, total, pages, countries, nameOf }: NoResultsProps) {
  const navigation = useNavigation();
  const areFew = countries && countCitiesToLoad('', countries) <= MAX_CITIES_WITHOUT_ASKING;
  const { lists } = useCities(areFew ? '' : view.country, countries, total === 0 && view.city !== '');
  const droppable = useDroppable(view);
  if (total > 0) {
    return (
      <div class="notice">
        <h2>Page {view.page} does not exist</h2>
        <p>
          The last one is <a {...viewLinkProps(navigation, { ...view, page: pages })}>page {pages}</a>.
        </p>
      </div>
    );
  }
  const similar = lists ? similarCities(view, lists) : [];
  return (
    <div class="notice">
      <h2>Nothing found</h2>
      {droppable.length > 0 && (
        <>
          <p>No property has all of that:</p>
          <ul class="links">
            {droppable.map(({ key, label, without, total: others }) => (
              <li key={key}>
                <a {...viewLinkProps(navigation, without)}>
                  Without {label}: {countText(others, 'property')}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      {view.name && droppable.length === 0 && (
        <p>
          No name here has “{view.name}” in it.{' '}
          {(view.country || view.city) && (
            <a {...viewLinkProps(navigation, { ...withoutFilters(view), name: view.name })}>
              Search everywhere
            </a>
          )}
        </p>
      )}
      {view.city && !view.name && <p>No property here has the city “{view.city}”.</p>}
      {similar.length > 0 && (
        <>
          <p>Perhaps one of these:</p>
          <ul class="links">
            {similar.map((one) => {
              const { city, country, properties } = one;
              return (
                <li key={`${country} ${city}`}>
                  <a {...viewLinkProps(navigation, { ...withoutFilters(view), country, city })}>
                    {city}, {suggestionNote(one, nameOf)} ({properties.toLocaleString('en')})
                  </a>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <p>
        <a {...viewLinkProps(navigation, withoutFilters(view))}>Show all properties</a>
      </p>
    </div>
  );
}

/**
 * Returns each filter whose removal is enough to get results. If there is none, returns an entry for the removal of all
 * filters, if that is enough.
 */
function useDroppable(view: View) {
  const { settings, search, cache } = useCatalogue();
  const { fields } = settings;
  const none = { ...view, facilities: [], filter: {}, page: 1 };
  const all = [...activeFilters(view, fields, true), { key: '', label: 'any filter', without: none }];
  const count = async () => {
    const results = await Promise.all(
      all.map(({ without }) => search({ ...searchQueryOf(without, fields), size: 0 })),
    );
    return results.map(({ total }) => total);
  };
  const { value } = useLoaded(
    hasFilters(view) ? `without ${formatViewQuery(view)}` : undefined,
    count,
    cache,
  );
  const found = all.map((one, index) => ({ ...one, total: value?.[index] ?? 0 }));
  const useful = found.filter(({ total }) => total > 0);
  return useful.length > 1 ? useful.slice(0, -1) : useful;
}

function similarCities({ city }: View, lists: readonly CityList[]) {
  const found = suggestCities(lists, city, 6);
  return found.length > 0 ? found : suggestCities(lists, foldText(city).slice(0, 3), 6);
}
