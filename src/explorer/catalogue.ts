/** The catalogue, asked through its public API alone. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createClient } from '../client/index.ts';
import type { Countries } from '../contract/downloads.ts';
import type { ExplorerSettings } from '../contract/explorer.ts';
import { COUNTRIES_KEY } from '../contract/files.ts';
import type { Page, Property } from '../contract/property.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { createStore, type Store } from './store.ts';
import type { View } from './view.ts';

/** A place on the earth, in degrees. */
export type Position = { readonly latitude: number; readonly longitude: number };

/** What the explorer does with a catalogue. */
export type Catalogue = {
  readonly settings: ExplorerSettings;
  /** Folder of the page, with a slash at its end: everything is asked below it. */
  readonly base: string;
  readonly list: (view: View, signal: AbortSignal) => Promise<Page>;
  readonly property: (id: string, signal: AbortSignal) => Promise<Property>;
  readonly countries: (signal: AbortSignal) => Promise<Countries>;
  /** Where a property is: from its details, asked for once. */
  readonly position: (id: string, signal: AbortSignal) => Promise<Position>;
  /** The API key of the list, kept as long as the tab is open; empty for none. */
  readonly apiKey: Store<string>;
  readonly requests: RequestLog;
  /** Answers of before, to be shown at once when somebody comes back. */
  readonly kept: Map<string, unknown>;
};

const KEY_NAME = 'property-catalogue-api-key';

/** Makes the catalogue whose files are below `base`. */
export function createCatalogue(settings: ExplorerSettings, base: string): Catalogue {
  const requests = createRequestLog();
  const apiKey = keptKey(base);
  const details = createClient({ baseUrl: base, fetch: requests.recorder('property') });
  const places = createClient({ baseUrl: base, fetch: requests.recorder('map') });
  const askForCountries = requests.recorder('countries');
  const positions = new Map<string, Position>();
  return {
    settings,
    base,
    apiKey,
    requests,
    kept: new Map(),
    list: ({ country, city, page, size }, signal) => {
      const key = apiKey.get();
      const client = createClient({
        baseUrl: base,
        fetch: requests.recorder('list'),
        ...(key ? { apiKey: key } : {}),
      });
      const filter = { country: country || undefined, city: city || undefined };
      return client.listProperties({ ...filter, page, size }, { signal });
    },
    property: (id, signal) => details.getProperty(id, { signal }),
    countries: async (signal) => {
      const response = await askForCountries(new URL(COUNTRIES_KEY, base).href, { signal });
      if (!response.ok) throw new Error(`${COUNTRIES_KEY} answered ${response.status}.`);
      return response.json();
    },
    position: async (id, signal) => {
      const known = positions.get(id);
      if (known) return known;
      const { latitude, longitude } = await places.getProperty(id, { signal });
      const position = { latitude: Number(latitude), longitude: Number(longitude) };
      positions.set(id, position);
      return position;
    },
  };
}

/** A key that outlives a reload, but not the tab. */
function keptKey(base: string): Store<string> {
  const name = `${KEY_NAME} ${base}`;
  const store = createStore(sessionStorage.getItem(name) ?? '');
  return {
    ...store,
    set: (key) => {
      if (key) sessionStorage.setItem(name, key);
      else sessionStorage.removeItem(name);
      store.set(key);
    },
  };
}

/** The catalogue, for everything below the page. */
export const CatalogueContext = createContext<Catalogue | undefined>(undefined);

/** The catalogue. */
export function useCatalogue(): Catalogue {
  return useContext(CatalogueContext)!;
}
