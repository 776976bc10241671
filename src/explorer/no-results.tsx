import type { Countries } from '../contract/downloads.ts';
import { fold } from '../contract/order.ts';
import { suggestCities } from './city-search.ts';
import { linkTo, useNavigation } from './navigation.ts';
import { START, type View } from './view.ts';

type NoResultsProps = {
  readonly view: View;
  readonly total: number;
  readonly pages: number;
  readonly countries: Countries | undefined;
};

/** Says why there is nothing, and where there is something. */
export function NoResults({ view, total, pages, countries }: NoResultsProps) {
  const navigation = useNavigation();
  if (total > 0) {
    return (
      <div class="notice">
        <h2>Page {view.page} does not exist</h2>
        <p>
          The last one is <a {...linkTo(navigation, { ...view, page: pages })}>page {pages}</a>.
        </p>
      </div>
    );
  }
  const similar = view.city && countries ? similarCities(view, countries) : [];
  return (
    <div class="notice">
      <h2>Nothing found</h2>
      {view.name && (
        <p>
          No name here has “{view.name}” in it.{' '}
          {(view.country || view.city) && (
            <a {...linkTo(navigation, { ...START, size: view.size, name: view.name })}>Search everywhere</a>
          )}
        </p>
      )}
      {view.city && !view.name && <p>No property here has the city “{view.city}”.</p>}
      {similar.length > 0 && (
        <>
          <p>Perhaps one of these:</p>
          <ul class="links">
            {similar.map(({ city, country, place, properties }) => (
              <li key={`${country} ${city}`}>
                <a {...linkTo(navigation, { ...START, size: view.size, country, city })}>
                  {city}, {place} ({properties.toLocaleString('en')})
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a {...linkTo(navigation, { ...START, size: view.size })}>Show all properties</a>
      </p>
    </div>
  );
}

/** Cities that hold what was typed, in any country, or else start as it does. */
function similarCities({ city }: View, countries: Countries) {
  const found = suggestCities(countries, '', city, 6);
  return found.length > 0 ? found : suggestCities(countries, '', fold(city).slice(0, 3), 6);
}
