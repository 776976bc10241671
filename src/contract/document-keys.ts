/**
 * Keys of the files beside the API that consumers call by name (`index.json` links them). Keys as in `keys.ts`.
 */
import { DATA_FOLDER, PARTS_FOLDER } from './keys.ts';

/** What the catalogue offers, as links. */
export const INDEX_KEY = 'index.json';
/** The OpenAPI document, as JSON. */
export const OPENAPI_JSON_KEY = 'openapi.json';
/** The same document, as YAML. */
export const OPENAPI_YAML_KEY = 'openapi.yaml';
/** Folder of the page that shows the OpenAPI document. */
export const DOCS_FOLDER = 'docs';
/** The explorer: the page that lets people look at the catalogue. */
export const EXPLORER_KEY = 'index.html';

/** Name of the downloads, without an extension: what every file with the whole catalogue begins with. */
export const DOWNLOAD_NAME = 'properties';
/** Every property, one a line, in the order of the sequence (newline-delimited JSON). */
export const NDJSON_KEY = `${DOWNLOAD_NAME}.ndjson`;
/** The same, compressed (RFC 1952). */
export const NDJSON_GZIP_KEY = `${NDJSON_KEY}.gz`;
/** Every property as a point (RFC 7946). */
export const GEOJSON_KEY = `${DOWNLOAD_NAME}.geojson`;
/** Every property, one a row, for spreadsheets (RFC 4180). */
export const CSV_KEY = `${DOWNLOAD_NAME}.csv`;
/** The downloads: files with every property. Those of a large catalogue are offered in parts, under other keys. */
export const DOWNLOAD_KEYS = [NDJSON_KEY, NDJSON_GZIP_KEY, GEOJSON_KEY, CSV_KEY] as const;
/** Describes the downloads (Data Package v2). */
export const DATA_PACKAGE_KEY = 'datapackage.json';

/** A file with every property. */
export type DownloadName = (typeof DOWNLOAD_KEYS)[number];

/**
 * Key of a part of a download, by the digest of its bytes.
 *
 * @example partKey('properties.ndjson.gz', '0f3c…') // '_catalogue/parts/0f3c….ndjson.gz'
 */
export function partKey(download: DownloadName, digest: string): string {
  return `${PARTS_FOLDER}/${digest}${download.slice(DOWNLOAD_NAME.length)}`;
}
/** Countries with the numbers of their properties and cities. */
export const COUNTRIES_KEY = `${DATA_FOLDER}/countries.json`;

/** Folder of the city lists, one of each country. */
export const CITY_LISTS_FOLDER = `${DATA_FOLDER}/countries`;

/**
 * Key of the city list of a country.
 *
 * @example
 * cityListKey('IE') // '_catalogue/countries/IE.json'
 */
export function cityListKey(country: string): string {
  return `${CITY_LISTS_FOLDER}/${country}.json`;
}

/** Folder of the points files: where the properties of each country are (`points.ts`). */
export const POINTS_FOLDER = `${DATA_FOLDER}/points`;

/**
 * Key of the points file of a country.
 *
 * @example
 * pointsKey('IE') // '_catalogue/points/IE.json'
 */
export function pointsKey(country: string): string {
  return `${POINTS_FOLDER}/${country}.json`;
}

/** Folder of what changed from release to release. */
export const CHANGES_FOLDER = 'changes';
/** Names the months that have changes. */
export const CHANGES_INDEX_KEY = `${CHANGES_FOLDER}/index.json`;
/** The latest changes, as an Atom feed (RFC 4287). */
export const CHANGES_FEED_KEY = `${CHANGES_FOLDER}/feed.xml`;

/**
 * Key of the changes of a month, given as `yyyy-mm`.
 *
 * @example
 * changesKey('2027-04') // 'changes/2027-04.ndjson'
 */
export function changesKey(month: string): string {
  return `${CHANGES_FOLDER}/${month}.ndjson`;
}
