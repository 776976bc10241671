import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CityList, Countries } from '../contract/document-schemas.ts';
import { Button } from './button.tsx';
import { useCatalogue } from './catalogue.ts';
import { type CitySuggestion, findCity, suggestCities, suggestionNote } from './city-search.ts';
import { Combobox, type ComboboxProps, type Suggestion } from './combobox.tsx';
import type { MapPoint } from './map-places.ts';
import { useNavigation, viewLinkProps } from './navigation.ts';
import type { LoadableCities } from './use-cities.ts';
import { useSearch } from './use-search.ts';
import { formatViewQuery, type View, withoutFilters } from './view.ts';

const MAX_SUGGESTIONS = 12;

type SearchFormProps = {
  readonly view: View;
  readonly countries: Countries | undefined;
  readonly cities: LoadableCities;
  /** Called when the reader starts to search by city. */
  readonly wantCities: () => void;
  readonly nameOf: (country: string) => string;
};

export function SearchForm(props: SearchFormProps) {
  const { view, countries, cities, wantCities, nameOf } = props;
  const navigation = useNavigation();
  const { city, setCity, name, setName, search, searchCity, submit } = useForm(view, cities);
  const [areNamesWanted, setNamesWanted] = useState(false);
  const { country } = view;
  const named = useSearch({ ...withoutFilters(view), country, city: view.city, name }, areNamesWanted, {
    size: MAX_SUGGESTIONS,
  });
  return (
    <search class="search">
      <form
        class="panel flow"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <CountryField
          country={view.country}
          countries={countries}
          nameOf={nameOf}
          choose={(country) => search({ country, city: '' })}
        />
        <TextField
          label="City"
          listLabel="Cities"
          placeholder="All cities"
          text={city}
          setText={setCity}
          suggest={() => citySuggestions(cities.lists ?? [], city, nameOf, searchCity)}
          onOpen={wantCities}
        />
        <TextField
          label="Name"
          listLabel="Properties"
          placeholder="Part of a name"
          text={name}
          setText={setName}
          suggest={() =>
            nameSuggestions(name.trim() ? (named.result?.data ?? []) : [], nameOf, (place) =>
              navigation.go({ ...view, property: place.id }, 'heading'),
            )
          }
          onOpen={() => setNamesWanted(true)}
        />
        <Button type="submit" look="primary">
          Search
        </Button>
        {formatViewQuery({ ...view, page: 1, order: 'town' }) !== formatViewQuery(withoutFilters(view)) && (
          <a class="clear" {...viewLinkProps(navigation, withoutFilters(view))}>
            Clear
          </a>
        )}
      </form>
    </search>
  );
}

function useForm(view: View, cities: LoadableCities) {
  const navigation = useNavigation();
  const [city, setCity] = useState(view.city);
  const [name, setName] = useState(view.name);
  // Layout effects, so that they run before the reader types again.
  useLayoutEffect(() => setCity(view.city), [view.city]);
  useLayoutEffect(() => setName(view.name), [view.name]);
  /** Increases with each search and each new view, so that an older search that waits for cities is dropped. */
  const latest = useRef(0);
  useLayoutEffect(() => () => void latest.current++, [view]);
  const search = (change: Partial<View>) => {
    navigation.go({ ...view, page: 1, ...change }, 'stay');
  };
  const searchCity = (found: Pick<View, 'country' | 'city'>, more: Partial<View> = {}) => {
    setCity(found.city);
    search({ country: found.country || view.country, city: found.city, ...more });
  };
  const submit = async () => {
    const own = ++latest.current;
    const typed = city.trim().normalize('NFC');
    const isNew = typed !== '' && typed !== view.city;
    const lists = isNew ? (cities.lists ?? (await cities.loadNow())) : undefined;
    if (own !== latest.current) return;
    const meant = lists && findCity(lists, typed);
    searchCity({ country: meant?.country ?? '', city: meant?.city ?? typed }, { name: name.trim() });
  };
  return { city, setCity, name, setName, search, searchCity, submit };
}

function TextField(props: ComboboxProps) {
  return <Combobox {...props} lang={useCatalogue().settings.language} />;
}

function citySuggestions(
  lists: readonly CityList[],
  text: string,
  nameOf: SearchFormProps['nameOf'],
  choose: (city: CitySuggestion) => void,
): Suggestion[] {
  return suggestCities(lists, text, MAX_SUGGESTIONS).map((one) => ({
    key: `${one.country} ${one.city}`,
    text: one.city,
    note: suggestionNote(one, nameOf),
    count: one.properties,
    choose: () => choose(one),
  }));
}

function nameSuggestions(
  places: readonly MapPoint[],
  nameOf: SearchFormProps['nameOf'],
  choose: (place: MapPoint) => void,
): Suggestion[] {
  return places.map((place) => ({
    key: place.id,
    text: place.title,
    note: `${place.city}, ${nameOf(place.country)}`,
    choose: () => choose(place),
  }));
}

function CountryField({
  country,
  countries,
  nameOf,
  choose,
}: Pick<SearchFormProps, 'countries' | 'nameOf'> & {
  readonly country: string;
  readonly choose: (country: string) => void;
}) {
  const isKnown = !country || countries?.countries.some(({ code }) => code === country);
  return (
    <div class="field">
      <label for="country">Country</label>
      <select id="country" value={country} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">All countries</option>
        {!isKnown && <option value={country}>{nameOf(country)}</option>}
        {countries?.countries.map(({ code, name, properties }) => (
          <option key={code} value={code}>
            {name} ({properties.toLocaleString('en')})
          </option>
        ))}
      </select>
    </div>
  );
}
