/**
 * Keys of the files below `dist/public` and of the objects in the bucket: paths with `/`, without a leading one. No key
 * is below `/api/v1/public`: a static host would treat `properties` there as a folder, and redirect to it with 301.
 */

/** Path of the API below the base URL (specification, "Versioning"). */
export const API_PATH = '/api/v1/public';
export const LIST_PATH = `${API_PATH}/properties`;

export type Layout = 'pages' | 'packed';

/** Folder of most objects that a build or a publish writes. */
export const DATA_FOLDER = '_catalogue';
export const MEDIA_FOLDER = 'media';
export const EXPLORER_FOLDER = 'explorer';
export const PROPERTIES_FOLDER = `${DATA_FOLDER}/properties`;
export const PAGES_FOLDER = `${DATA_FOLDER}/pages`;
export const PROBLEMS_FOLDER = `${DATA_FOLDER}/problems`;

export const CHUNKS_FOLDER = `${DATA_FOLDER}/chunks`;
/** The table of cities, split into several objects. Each is named by its digest. */
export const CITIES_FOLDER = `${DATA_FOLDER}/cities`;
/** One object for each chunk of the list, with the values that a search filters by. */
export const FACETS_FOLDER = `${DATA_FOLDER}/facets`;
export const RELEASE_STATEMENTS_FOLDER = `${DATA_FOLDER}/statements`;
export const ROOTS_FOLDER = `${DATA_FOLDER}/roots`;
export const PARTS_FOLDER = `${DATA_FOLDER}/parts`;
/** Lists of image names, each list named by its digest. */
export const IMAGE_LISTS_FOLDER = `${DATA_FOLDER}/images`;
/** A copy of each document, named by its digest, so that a rollback finds documents that were replaced. */
export const DOCUMENT_COPIES_FOLDER = `${DATA_FOLDER}/documents`;
/** Names the live release and the commit that it was built from. A publish writes it after the release's objects. */
export const CURRENT_KEY = `${DATA_FOLDER}/current.json`;

/** Lists the releases that a bucket keeps, and until when. */
export const KEPT_RELEASES_KEY = `${DATA_FOLDER}/releases.json`;

/** The log of a bucket: who publishes, and what was live when. Never served. */
export const LOG_FOLDER = `${DATA_FOLDER}/log`;

export const PREVIEWS_FOLDER = '_previews';

/** Files that are being written, with a subfolder for each lock holder. Exists only if the bucket is a local folder. */
export const INCOMING_FOLDER = '.catalogue-incoming';

export const NO_FILTER = '-';
/** Stands for a city that no catalogue can have. It is not hexadecimal, so no folder of a real city has this name. */
export const IMPOSSIBLE_CITY = '~';

/** Pattern of a property id in a path, in upper or lower case, without anchors. */
export const ID_PATTERN = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';

export const RELEASE_NAME: RegExp = /^[0-9a-f]{32}$/;

/**
 * Encodes a text as lower-case hexadecimal digits of its UTF-8 bytes. Injective, and safe in any file system.
 * @example
 * toHex('Cork') // '436f726b'
 */
export function toHex(text: string): string {
  // Much faster if `Buffer` exists: in njs, the replacement below takes longer than all other routing.
  if (typeof Buffer !== 'undefined') return Buffer.from(text).toString('hex');
  return encodeURIComponent(text).replace(/%(..)|[^%]/g, (character, byte) =>
    byte ? byte.toLowerCase() : character.charCodeAt(0).toString(16),
  );
}

/**
 * Folder of the list of properties in a country and city. An empty text means any.
 * @example
 * scopeFolder('IE', 'Cork') // '_catalogue/pages/IE/436f726b'
 * scopeFolder('', '') // '_catalogue/pages/-/-'
 */
export function scopeFolder(country: string, city: string): string {
  return `${PAGES_FOLDER}/${country || NO_FILTER}/${city ? toHex(city) : NO_FILTER}`;
}

/**
 * Reverses {@link scopeFolder}. Undefined if the city is {@link IMPOSSIBLE_CITY}.
 * @example
 * parseScopeFolder('_catalogue/pages/IE/436f726b') // { country: 'IE', city: 'Cork' }
 */
export function parseScopeFolder(folder: string): { country: string; city: string } | undefined {
  const [country = '', city = ''] = folder.slice(PAGES_FOLDER.length + 1).split('/');
  if (city === IMPOSSIBLE_CITY) return undefined;
  return {
    country: country === NO_FILTER ? '' : country,
    city: city === NO_FILTER ? '' : decodeURIComponent(city.replace(/../g, '%$&')),
  };
}

export function propertyKey(id: string): string {
  return `${PROPERTIES_FOLDER}/${id}.json`;
}

export function propertyIdOf(key: string): string {
  return key.slice(PROPERTIES_FOLDER.length + 1, -'.json'.length);
}

/**
 * @example
 * pageKey(scopeFolder('IE', ''), 25, 2) // '_catalogue/pages/IE/-/25-2.json'
 */
export function pageKey(folder: string, size: number, number: number): string {
  return `${folder}/${size}-${number}.json`;
}

/** The file contains the number of properties in decimal digits, without a line ending. */
export function totalKey(folder: string): string {
  return `${folder}/total`;
}

export function problemKey(name: string): string {
  return `${PROBLEMS_FOLDER}/${name}.json`;
}

export function mediaKey(name: string): string {
  return `${MEDIA_FOLDER}/${name}`;
}

export function chunkKey(digest: string): string {
  return `${CHUNKS_FOLDER}/${digest}.json`;
}

export function facetsKey(digest: string): string {
  return `${FACETS_FOLDER}/${digest}.json`;
}

export function citiesKey(digest: string): string {
  return `${CITIES_FOLDER}/${digest}.json`;
}

export function imageListKey(digest: string): string {
  return `${IMAGE_LISTS_FOLDER}/${digest}.json`;
}

export function documentCopyKey(digest: string): string {
  return `${DOCUMENT_COPIES_FOLDER}/${digest}`;
}

export function releaseStatementKey(digest: string): string {
  return `${RELEASE_STATEMENTS_FOLDER}/${digest}.ndjson`;
}

export function rootKey(release: string): string {
  return `${ROOTS_FOLDER}/${release}.json`;
}

/** Key to which a prune moves a root before it removes the objects that the root names. */
export function prunedRootKey(release: string): string {
  return `${ROOTS_FOLDER}/${release}.pruned`;
}
