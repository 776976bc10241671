/**
 * Where things are below `dist/public`, as keys: paths with `/`, without a leading one. The same keys name the
 * objects in the bucket. Data lives outside the path of the API, since a static host answers a directory with 301.
 */

/** Path of the API below the base URL (specification, "Versioning"). */
export const API_PATH = '/api/v1/public';
/** Path of the list operation below the base URL. */
export const LIST_PATH = `${API_PATH}/properties`;

/** Folder of everything the compiler owns, except media and documents. */
export const DATA_FOLDER = '_catalogue';
/** Folder of photos and thumbnails. */
export const MEDIA_FOLDER = 'media';
/** Key of the manifest of the release. */
export const MANIFEST_KEY = `${DATA_FOLDER}/manifest.json`;
/** Folder of one JSON file per property. */
export const PROPERTIES_FOLDER = `${DATA_FOLDER}/properties`;
/** Folder of one folder per scope. */
export const PAGES_FOLDER = `${DATA_FOLDER}/pages`;
/** Folder of the problem documents. */
export const PROBLEMS_FOLDER = `${DATA_FOLDER}/problems`;

/** Stands for "no filter" in the folder of a scope. */
export const ANY = '-';
/** Folder of a city that cannot exist, since it is no hexadecimal text: its pages and its total are never found. */
export const NO_CITY = '~';

/** Pattern of a property id in a path, whole, any case; without anchors. */
export const ID_PATTERN = '[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}';

/** Lower-case hexadecimal digits of the UTF-8 bytes of a text. Injective, and safe in any file system. */
export function hexadecimal(text: string): string {
  // Much faster where it exists: njs takes longer for the rest of this function than for everything else.
  if (typeof Buffer !== 'undefined') return Buffer.from(text).toString('hex');
  return encodeURIComponent(text).replace(/%(..)|[^%]/g, (character, byte) =>
    byte ? byte.toLowerCase() : character.charCodeAt(0).toString(16),
  );
}

/** Key of the folder of a scope; an empty country or city is no filter. */
export function scopeFolder(country: string, city: string): string {
  return `${PAGES_FOLDER}/${country || ANY}/${city ? hexadecimal(city) : ANY}`;
}

/** Key of the detail of a property. `id` in lower case. */
export function propertyKey(id: string): string {
  return `${PROPERTIES_FOLDER}/${id}.json`;
}

/** Key of one page of a scope. */
export function pageKey(folder: string, size: number, number: number): string {
  return `${folder}/${size}-${number}.json`;
}

/** Key of the number of entries of a scope, decimal text without a line end. */
export function totalKey(folder: string): string {
  return `${folder}/total`;
}

/** Key of a problem document, by its name in `problem.ts`. */
export function problemKey(name: string): string {
  return `${PROBLEMS_FOLDER}/${name}.json`;
}

/** Key of a published photo or thumbnail. */
export function mediaKey(name: string): string {
  return `${MEDIA_FOLDER}/${name}`;
}
