import { useEffect, useState } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import { CityField } from './city-field.tsx';
import { linkTo, useNavigation } from './navigation.ts';
import { START, type View } from './view.ts';

/** The search: a country, a city, or both. */
export function SearchForm({ view, countries }: { view: View; countries: Countries | undefined }) {
  const navigation = useNavigation();
  const [text, setText] = useState(view.city);
  useEffect(() => setText(view.city), [view.city]);
  const search = (country: string, city: string) =>
    navigation.go({ ...START, size: view.size, country, city }, 'stay');
  const isKnown = !view.country || countries?.countries.some(({ code }) => code === view.country);
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(view.country, text.trim().normalize('NFC'));
        }}
      >
        <div class="field">
          <label for="country">Country</label>
          <select
            id="country"
            value={view.country}
            onChange={(event) => search(event.currentTarget.value, '')}
          >
            <option value="">
              All countries{countries && ` (${countries.properties.toLocaleString('en')})`}
            </option>
            {!isKnown && <option value={view.country}>{view.country}</option>}
            {countries?.countries.map(({ code, name, properties }) => (
              <option key={code} value={code}>
                {name} ({properties.toLocaleString('en')})
              </option>
            ))}
          </select>
        </div>
        <CityField
          countries={countries}
          country={view.country}
          text={text}
          setText={setText}
          choose={({ country, city }) => {
            setText(city);
            search(country, city);
          }}
        />
        <button type="submit" class="button primary">
          Search
        </button>
        {(view.country || view.city) && (
          <a class="clear" {...linkTo(navigation, { ...START, size: view.size })}>
            Clear
          </a>
        )}
      </form>
    </search>
  );
}
