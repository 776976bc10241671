/**
 * Patterns of the keys that a release may have. Text from a bucket names keys: only those that fit are read as part of a
 * release, kept or removed.
 */
import {
  CITY_LISTS_FOLDER,
  COUNTRIES_KEY,
  DATA_PACKAGE_KEY,
  DCAT_KEY,
  DOCS_FOLDER,
  DOWNLOAD_KEYS,
  EXPLORER_KEY,
  INDEX_KEY,
  NOT_FOUND_KEY,
  OPENAPI_JSON_KEY,
  OPENAPI_YAML_KEY,
  PLAIN_LIST_KEY,
  POINTS_FOLDER,
} from './document-keys.ts';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  EXPLORER_FOLDER,
  ID_PATTERN,
  MEDIA_FOLDER,
  PAGES_FOLDER,
  PARTS_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
  ROOTS_FOLDER,
  SEQUENCE_FOLDER,
} from './keys.ts';
import { PROBLEMS_PAGE } from './problem.ts';

/** Folders, with the pattern of the names in each; without anchors. */
type Names = readonly (readonly [folder: string, names: string])[];

const DIGEST = '[0-9a-f]{32}';

/** Objects that all releases and previews share, since their names change with their content. */
const SHARED_NAMES: Names = [
  [MEDIA_FOLDER, `${DIGEST}\\.(?:jpg|webp|avif)`],
  [CHUNKS_FOLDER, `${DIGEST}\\.bin`],
  [CITIES_FOLDER, `${DIGEST}\\.json`],
  [SEQUENCE_FOLDER, `${DIGEST}\\.bin`],
  [ROOTS_FOLDER, `${DIGEST}\\.json`],
  [PARTS_FOLDER, `${DIGEST}\\.(?:ndjson|ndjson\\.gz|geojson|csv|json)`],
  [EXPLORER_FOLDER, '[a-z]+-[\\w-]{8}\\.(?:js|css|json|txt|png|jpg|webp|avif)'],
];

const DERIVED_NAMES: Names = [
  [PROPERTIES_FOLDER, `${/* @__PURE__ */ ID_PATTERN.replaceAll('A-F', '')}\\.json`],
  [PAGES_FOLDER, '(?:[A-Z]{2}|-)/(?:(?:[0-9a-f]{2})+|-)/(?:total|[1-9][0-9]{0,2}-[1-9][0-9]{0,9}\\.json)'],
  [CITY_LISTS_FOLDER, '[A-Z]{2}\\.json'],
  [POINTS_FOLDER, '[A-Z]{2}\\.json'],
];

const PROBLEM_NAMES: Names = [[PROBLEMS_FOLDER, '[a-z.-]+\\.json']];
const DOCS_NAMES: Names = [
  [DOCS_FOLDER, '(?:index\\.html|page\\.(?:js|css)|swagger-ui\\.(?:js|css|(?:js\\.)?[A-Z]+\\.txt))'],
];

export const RELEASE_NAMES: Names = /* @__PURE__ */ DERIVED_NAMES.concat(SHARED_NAMES, PROBLEM_NAMES);

// Marked pure, so that bundles for the edge leave out what they do not use.
const FIXED: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ [
    INDEX_KEY,
    OPENAPI_JSON_KEY,
    OPENAPI_YAML_KEY,
    EXPLORER_KEY,
    NOT_FOUND_KEY,
    PROBLEMS_PAGE,
    COUNTRIES_KEY,
    CURRENT_KEY,
    DATA_PACKAGE_KEY,
    DCAT_KEY,
    PLAIN_LIST_KEY,
  ].concat(DOWNLOAD_KEYS),
);

const SHARED = /* @__PURE__ */ wholeKey(SHARED_NAMES);
const DERIVED = /* @__PURE__ */ wholeKey(DERIVED_NAMES);
const IN_FOLDERS = /* @__PURE__ */ wholeKey(/* @__PURE__ */ RELEASE_NAMES.concat(DOCS_NAMES));

/** Tells whether all releases and previews share the object with this key, since its name is that of its content. */
export function isSharedKey(key: string): boolean {
  return SHARED.test(key);
}

/**
 * Tells whether a key is that of a detail, a list, or a country's file. Only releases have such objects, though
 * possibly a release that is no longer known.
 */
export function isDerivedKey(key: string): boolean {
  return DERIVED.test(key);
}

export function isReleaseKey(key: string): boolean {
  return FIXED.has(key) || IN_FOLDERS.test(key);
}

function wholeKey(names: Names): RegExp {
  return new RegExp(`^(?:${names.map(([folder, name]) => `${folder}/(?:${name})`).join('|')})$`);
}
