import type { CityList, Countries } from '../contract/downloads.ts';
import { fold } from '../contract/order.ts';
import { placeOf, suggestCities } from './city-search.ts';
import { LOADED_UNASKED } from './country-files.ts';
import { linkTo, useNavigation } from './navigation.ts';
import { citiesNeeded, useCities } from './use-cities.ts';
import { startOf, type View } from './view.ts';

type NoResultsProps = {
  readonly view: View;
  readonly total: number;
  readonly pages: number;
  readonly countries: Countries | undefined;
  readonly nameOf: (country: string) => string;
};

export function NoResults({ view, total, pages, countries, nameOf }: NoResultsProps) {
  const navigation = useNavigation();
  const areFew = countries && citiesNeeded('', countries).entries <= LOADED_UNASKED;
  const { files } = useCities(areFew ? '' : view.country, countries, total === 0 && view.city !== '');
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
  const similar = files ? similarCities(view, files) : [];
  return (
    <div class="notice">
      <h2>Nothing found</h2>
      {view.name && (
        <p>
          No name here has “{view.name}” in it.{' '}
          {(view.country || view.city) && (
            <a {...linkTo(navigation, { ...startOf(view), name: view.name })}>Search everywhere</a>
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
                  <a {...linkTo(navigation, { ...startOf(view), country, city })}>
                    {city}, {placeOf(one, nameOf)} ({properties.toLocaleString('en')})
                  </a>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <p>
        <a {...linkTo(navigation, startOf(view))}>Show all properties</a>
      </p>
    </div>
  );
}

function similarCities({ city }: View, lists: readonly CityList[]) {
  const found = suggestCities(lists, city, 6);
  return found.length > 0 ? found : suggestCities(lists, fold(city).slice(0, 3), 6);
}
