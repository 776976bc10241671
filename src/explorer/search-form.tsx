import { useEffect, useState } from 'preact/hooks';
import type { Countries } from '../contract/downloads.ts';
import { useCatalogue } from './catalogue.ts';
import { meantCity, suggestCities } from './city-search.ts';
import { Combobox, type Suggestion } from './combobox.tsx';
import { linkTo, useNavigation } from './navigation.ts';
import type { NameSearch } from './places.ts';
import { START, type View } from './view.ts';

/** Most suggestions at once. */
const MOST = 12;

/** What the search needs. */
export type SearchFormProps = {
  readonly view: View;
  readonly countries: Countries | undefined;
  /** Finds names among the properties of the country and the city; undefined while that is not possible. */
  readonly findNames: NameSearch | undefined;
  /** Called when the reader is about to search by name. */
  readonly wantNames: () => void;
  /** Name of a country. */
  readonly nameOf: (country: string) => string;
};

/** The search: a country, a city, parts of a name, or all of them. */
export function SearchForm({ view, countries, findNames, wantNames, nameOf }: SearchFormProps) {
  const navigation = useNavigation();
  const { language } = useCatalogue().settings;
  const [city, setCity] = useState(view.city);
  const [name, setName] = useState(view.name);
  useEffect(() => setCity(view.city), [view.city]);
  useEffect(() => setName(view.name), [view.name]);
  const search = (change: Partial<View>) =>
    navigation.go(
      { ...START, size: view.size, country: view.country, city: view.city, name: view.name, ...change },
      'stay',
    );
  const submit = () => {
    const typed = city.trim().normalize('NFC');
    const meant =
      typed && typed !== view.city && countries ? meantCity(countries, view.country, typed) : undefined;
    setCity(meant?.city ?? typed);
    search({ country: meant?.country || view.country, city: meant?.city ?? typed, name: name.trim() });
  };
  const cities = (): Suggestion[] =>
    countries
      ? suggestCities(countries, view.country, city, MOST).map((one) => ({
          key: `${one.country} ${one.city}`,
          text: one.city,
          note: one.place,
          count: one.properties,
          choose: () => {
            setCity(one.city);
            search({ country: one.country || view.country, city: one.city });
          },
        }))
      : [];
  const names = (): Suggestion[] =>
    name.trim() && findNames
      ? findNames(name)
          .slice(0, MOST)
          .map((place) => ({
            key: place.id(),
            text: place.title,
            note: `${place.city}, ${nameOf(place.country)}`,
            choose: () => navigation.go({ ...view, property: place.id() }, 'heading'),
          }))
      : [];
  const isKnown = !view.country || countries?.countries.some(({ code }) => code === view.country);
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <div class="field">
          <label for="country">Country</label>
          <select
            id="country"
            value={view.country}
            onChange={(event) => search({ country: event.currentTarget.value, city: '' })}
          >
            <option value="">All countries</option>
            {!isKnown && <option value={view.country}>{nameOf(view.country)}</option>}
            {countries?.countries.map(({ code, name, properties }) => (
              <option key={code} value={code}>
                {name} ({properties.toLocaleString('en')})
              </option>
            ))}
          </select>
        </div>
        <Combobox
          label="City"
          listLabel="Cities"
          placeholder="All cities"
          text={city}
          setText={setCity}
          suggest={cities}
          lang={language}
        />
        <Combobox
          label="Name"
          listLabel="Properties"
          placeholder="Part of a name"
          text={name}
          setText={setName}
          suggest={names}
          onFocus={wantNames}
          lang={language}
        />
        <button type="submit" class="button primary">
          Search
        </button>
        {(view.country || view.city || view.name) && (
          <a class="clear" {...linkTo(navigation, { ...START, size: view.size })}>
            Clear
          </a>
        )}
      </form>
    </search>
  );
}
