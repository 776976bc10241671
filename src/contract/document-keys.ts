/** Keys (see `object-keys.ts`) of the files that consumers request by name. `index.json` links to most of them. */
import { DATA_FOLDER, PARTS_FOLDER } from './object-keys.ts';

export const INDEX_KEY = 'index.json';
export const OPENAPI_JSON_KEY = 'openapi.json';
export const OPENAPI_YAML_KEY = 'openapi.yaml';
export const DOCS_FOLDER = 'docs';
export const EXPLORER_KEY = 'index.html';
/** Page for a path that has no file. Static hosts look for this name. */
export const NOT_FOUND_KEY = '404.html';
/** Page that explains each error of the API and how to fix it. */
export const PROBLEMS_PAGE = 'problems.html';

export const DOWNLOAD_BASENAME = 'properties';
/** Every property as one line of JSON, in the order of lists. */
export const NDJSON_KEY = `${DOWNLOAD_BASENAME}.ndjson`;
export const GEOJSON_KEY = `${DOWNLOAD_BASENAME}.geojson`;
export const CSV_KEY = `${DOWNLOAD_BASENAME}.csv`;
/**
 * Files with all properties. A large catalogue offers many small files in {@link PARTS_FOLDER} instead, unless `bulk`
 * is `whole`.
 */
export const DOWNLOAD_KEYS = [NDJSON_KEY, GEOJSON_KEY, CSV_KEY] as const;
/**
 * Page with links to the first properties, for readers without JavaScript. Its name begins with
 * {@link DOWNLOAD_BASENAME}, so that the access rule of the downloads covers it.
 */
export const PLAIN_LIST_KEY = `${DOWNLOAD_BASENAME}.html`;
export const DATA_PACKAGE_KEY = 'datapackage.json';
/** Description of the catalogue for open data portals (DCAT 3). */
export const DCAT_KEY = 'dcat.jsonld';

export type DownloadName = (typeof DOWNLOAD_KEYS)[number];

export function partKey(digest: string): string {
  return `${PARTS_FOLDER}/${digest}.ndjson`;
}

export const COUNTRIES_KEY = `${DATA_FOLDER}/countries.json`;

export const CITY_LISTS_FOLDER = `${DATA_FOLDER}/countries`;

export function cityListKey(country: string): string {
  return `${CITY_LISTS_FOLDER}/${country}.json`;
}

export const CHANGES_FOLDER = 'changes';
export const CHANGES_INDEX_KEY = `${CHANGES_FOLDER}/index.json`;
/** The latest changes as an Atom feed (RFC 4287). */
export const CHANGES_FEED_KEY = `${CHANGES_FOLDER}/feed.xml`;

export function changesKey(month: string): string {
  return `${CHANGES_FOLDER}/${month}.ndjson`;
}
