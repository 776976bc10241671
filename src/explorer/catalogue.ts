import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { createClient } from '../client/index.ts';
import { createSearch, type Search } from '../client/search.ts';
import type { DetailValues } from '../contract/detail-values.ts';
import { COUNTRIES_KEY, cityListKey } from '../contract/document-keys.ts';
import type { CityList, Countries } from '../contract/document-schemas.ts';
import type { ExplorerSettings } from '../contract/explorer.ts';
import type { Page, Property } from '../contract/property.ts';
import { createRequestLog, type RequestLog, type RequestPurpose } from './request-log.ts';
import { createPageFetch, createPropertyFetch } from './static-host-fetch.ts';
import { createValueStore, type ValueStore } from './value-store.ts';
import type { View } from './view.ts';

export type ShownProperty = Property & DetailValues;

export type Catalogue = {
  readonly settings: ExplorerSettings;
  /** URL of the folder of the explorer's page, with a trailing slash. All requests go below it. */
  readonly pageFolderUrl: string;
  readonly list: (view: View, signal: AbortSignal) => Promise<Page>;
  readonly property: (id: string, signal: AbortSignal) => Promise<ShownProperty>;
  readonly countries: (signal: AbortSignal) => Promise<Countries>;
  readonly cities: (country: string) => Promise<CityList>;
  readonly search: Search;
  /** `<country> <city>` whose properties the reader agreed to load although there are many. */
  readonly agreedScope: ValueStore<string>;
  /** Used for lists, countries, cities and search. Stored as long as the tab is open. Empty for no key. */
  readonly apiKey: ValueStore<string>;
  readonly requests: RequestLog;
  /** Earlier results by request, shown at once when the reader goes back. */
  readonly cache: Map<string, unknown>;
};

const KEY_NAME = 'property-catalogue-api-key';

export function createCatalogue(settings: ExplorerSettings, pageFolderUrl: string): Catalogue {
  const requests = createRequestLog();
  const apiKey = keptKey(pageFolderUrl);
  const details = createClient({
    baseUrl: pageFolderUrl,
    fetch: settings.isStatic
      ? createPropertyFetch(requests.recorder('property'), pageFolderUrl)
      : requests.recorder('property'),
  });
  const cityLists = new Map<string, Promise<CityList>>();
  const searches = new Map<string, Search>();
  const searchWith = (key: string) => {
    const client = {
      baseUrl: pageFolderUrl,
      fetch: requests.recorder('search'),
      ...(key ? { apiKey: key } : {}),
    };
    const search = searches.get(key) ?? createSearch(createClient(client));
    searches.set(key, search);
    return search;
  };
  const document = async <Body>(
    purpose: RequestPurpose,
    key: string,
    signal?: AbortSignal,
  ): Promise<Body> => {
    const apiKeyHeader = apiKey.get() ? { 'X-API-KEY': apiKey.get() } : {};
    const url = new URL(key, pageFolderUrl).href;
    const init = { headers: apiKeyHeader, ...(signal ? { signal } : {}) };
    const response = await requests.recorder(purpose)(url, init);
    if (!response.ok) throw new Error(`${key} answered ${response.status}.`);
    return response.json() as Promise<Body>;
  };
  return {
    settings,
    pageFolderUrl,
    apiKey,
    requests,
    cache: new Map(),
    list: (view, signal) => {
      const { country, city, page, size } = view;
      const key = apiKey.get();
      const send = requests.recorder('list');
      const client = createClient({
        baseUrl: pageFolderUrl,
        fetch: settings.isStatic ? createPageFetch(send, pageFolderUrl, view) : send,
        ...(key ? { apiKey: key } : {}),
      });
      const filter = { country: country || undefined, city: city || undefined };
      return client.listProperties({ ...filter, page, size }, { signal });
    },
    property: (id, signal) => details.getProperty(id, { signal }),
    countries: (signal) => document<Countries>('countries', COUNTRIES_KEY, signal),
    cities: (country) => {
      const known = cityLists.get(country);
      if (known) return known;
      // Never aborted: suggestions and a search may share the request.
      const asked = document<CityList>('cities', cityListKey(country));
      cityLists.set(country, asked);
      asked.catch(() => cityLists.delete(country));
      return asked;
    },
    search: (query, options) => searchWith(apiKey.get())(query, options),
    agreedScope: createValueStore(''),
  };
}

function keptKey(pageFolderUrl: string): ValueStore<string> {
  const name = `${KEY_NAME} ${pageFolderUrl}`;
  const store = createValueStore(sessionStorage.getItem(name) ?? '');
  return {
    ...store,
    set: (key) => {
      if (key) sessionStorage.setItem(name, key);
      else sessionStorage.removeItem(name);
      store.set(key);
    },
  };
}

export const CatalogueContext = createContext<Catalogue | undefined>(undefined);

export function useCatalogue(): Catalogue {
  return useContext(CatalogueContext)!;
}
