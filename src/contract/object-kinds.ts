/**
 * The table of keys: where the objects of each kind are, and what their names look like. It determines headers, the
 * order of a publish, and what purges, previews, prunes and builds do with each object. Access depends only on the
 * start of a path (`access.ts`), so that a key in `_catalogue/` is guarded even if it has no row. Code that edge
 * bundles do not use is marked pure, so that bundlers drop it.
 */
import {
  CHANGES_FEED_KEY,
  CHANGES_FOLDER,
  CHANGES_INDEX_KEY,
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
  PROBLEMS_PAGE,
} from './document-keys.ts';
import {
  CHUNKS_FOLDER,
  CITIES_FOLDER,
  CURRENT_KEY,
  DOCUMENT_COPIES_FOLDER,
  EXPLORER_FOLDER,
  FACETS_FOLDER,
  ID_PATTERN,
  IMAGE_LISTS_FOLDER,
  KEPT_RELEASES_KEY,
  LOG_FOLDER,
  MEDIA_FOLDER,
  PAGES_FOLDER,
  PARTS_FOLDER,
  PREVIEWS_FOLDER,
  PROBLEMS_FOLDER,
  PROPERTIES_FOLDER,
  RELEASE_STATEMENTS_FOLDER,
  ROOTS_FOLDER,
} from './object-keys.ts';

type Row = {
  /**
   * Folders, each with an unanchored pattern of file names. `end`: suffix that distinguishes two kinds in one folder.
   */
  readonly names?: readonly (readonly [folder: string, names: string, end?: string])[];
  readonly keys?: readonly string[];
  /**
   * What decides how long an object exists. `content`: its key depends on its bytes, so releases share it until a prune
   * removes it. `release`: it is derived from the live release, so a publish may replace or remove it.
   */
  readonly by?: 'content' | 'release';
  /**
   * Phase of a publish. All objects of one phase are written before the next phase begins. Undefined for objects that a
   * publish writes outside of the phases.
   */
  readonly phase?: number;
  /**
   * Group of objects with equal headers. If the name ends with a dot, each file extension is a group of its own. Roots
   * contain these names, so if you rename a group, the next publish rewrites all of its objects.
   * @default by access and extension
   */
  readonly headerGroup?: string;
  /** The count in the report of a publish that includes objects of this kind. @default documents */
  readonly counted?: 'media' | 'details' | 'pages' | 'totals' | 'tree' | 'problems' | 'history';
  /**
   * True if only builds write files of this kind, so that a build removes any that the new release does not contain. A
   * file of another kind may have been added by the owner.
   */
  readonly isBuilt?: true;
};

const DIGEST = '[0-9a-f]{32}';
const SCOPE = '(?:[A-Z]{2}|-)/(?:(?:[0-9a-f]{2})+|-)';

/** The first row with a matching folder and `end` applies. Within a phase, a publish writes the kinds in row order. */
// biome-ignore format: one row a line
const table = () => ({
  // Roots are written first: a prune keeps what they name, even after an interrupted publish. Readers find a root only
  // through objects that are written later.
  root: { phase: 0, by: 'content', isBuilt: true, headerGroup: 'packed.', counted: 'tree', names: [[ROOTS_FOLDER, `${DIGEST}\\.json`]] },
  // A prune finds the images of a release by these lists.
  images: { phase: 1, by: 'content', isBuilt: true, headerGroup: 'packed.', counted: 'tree', names: [[IMAGE_LISTS_FOLDER, `${DIGEST}\\.json`]] },
  media: { phase: 2, by: 'content', isBuilt: true, headerGroup: 'media.', counted: 'media', names: [[MEDIA_FOLDER, `${DIGEST}\\.(?:jpg|webp|avif)`]] },
  asset: { phase: 2, by: 'content', headerGroup: 'explorer.', names: [[EXPLORER_FOLDER, '[a-z]+-[\\w-]{8}\\.(?:js|css|json|txt|png|jpg|webp|avif)']] },
  part: { phase: 2, by: 'content', isBuilt: true, headerGroup: `${PARTS_FOLDER}.`, names: [[PARTS_FOLDER, `${DIGEST}\\.ndjson`]] },
  list: { phase: 2, by: 'content', isBuilt: true, headerGroup: 'packed.', counted: 'tree', names: [[CHUNKS_FOLDER, `${DIGEST}\\.json`], [CITIES_FOLDER, `${DIGEST}\\.json`], [FACETS_FOLDER, `${DIGEST}\\.json`]] },
  copy: { phase: 2, by: 'content', isBuilt: true, headerGroup: 'originals', counted: 'tree', names: [[DOCUMENT_COPIES_FOLDER, DIGEST]] },
  detail: { phase: 3, by: 'release', isBuilt: true, headerGroup: 'properties', counted: 'details', names: [[PROPERTIES_FOLDER, `${ID_PATTERN.replaceAll('A-F', '')}\\.json`]] },
  page: { phase: 4, by: 'release', isBuilt: true, headerGroup: 'pages', counted: 'pages', names: [[PAGES_FOLDER, `${SCOPE}/[1-9][0-9]{0,2}-[1-9][0-9]{0,9}\\.json`, '.json']] },
  total: { phase: 4, by: 'release', isBuilt: true, headerGroup: 'totals', counted: 'totals', names: [[PAGES_FOLDER, `${SCOPE}/total`]] },
  problem: { phase: 5, headerGroup: 'problems', counted: 'problems', names: [[PROBLEMS_FOLDER, '[a-z.-]+\\.json']] },
  // Written before the list of countries, which links to these files.
  country: { phase: 5, by: 'release', names: [[CITY_LISTS_FOLDER, '[A-Z]{2}\\.json']] },
  document: { phase: 6, names: [[DOCS_FOLDER, '(?:index\\.html|page\\.(?:js|css)|swagger-ui\\.(?:js|css|(?:js\\.)?[A-Z]+\\.txt))']],
    keys: [OPENAPI_JSON_KEY, OPENAPI_YAML_KEY, EXPLORER_KEY, NOT_FOUND_KEY, PROBLEMS_PAGE, COUNTRIES_KEY, DATA_PACKAGE_KEY, DCAT_KEY, PLAIN_LIST_KEY, ...DOWNLOAD_KEYS] },
  index: { phase: 7, keys: [INDEX_KEY] },
  // Names the live release, so it is written after all objects of that release.
  current: { headerGroup: 'current', counted: 'tree', keys: [CURRENT_KEY] },
  history: { counted: 'history', keys: [CHANGES_INDEX_KEY, CHANGES_FEED_KEY], names: [[CHANGES_FOLDER, '\\d{4}-\\d\\d\\.ndjson']] },
  // The publisher's own objects, and previews. Readers see only previews, statements and the list of kept releases.
  control: { keys: [KEPT_RELEASES_KEY], names: [[LOG_FOLDER, '.+'], [RELEASE_STATEMENTS_FOLDER, '.+'], [PREVIEWS_FOLDER, '.+']] },
} as const satisfies Record<string, Row>);

export type ObjectKind = keyof ReturnType<typeof table>;
export type ReleaseObjectKind = Exclude<ObjectKind, 'current' | 'history' | 'control'>;

export const OBJECT_KINDS: Readonly<Record<ObjectKind, Row>> = /* @__PURE__ */ table();
const ROWS = /* @__PURE__ */ Object.entries(OBJECT_KINDS) as [ObjectKind, Row][];

export const UPLOAD_PHASES: readonly (readonly ReleaseObjectKind[])[] = /* @__PURE__ */ [
  0, 1, 2, 3, 4, 5, 6, 7,
].map((number) =>
  ROWS.filter(([, { phase }]) => phase === number).map(([kind]) => kind as ReleaseObjectKind),
);

const KIND_AT: ReadonlyMap<string, ObjectKind> = /* @__PURE__ */ new Map(
  /* @__PURE__ */ ROWS.flatMap(([kind, { keys = [] }]) => keys.map((key) => [key, kind] as const)),
);
const KINDS_BELOW = /* @__PURE__ */ ROWS.flatMap(([kind, { names = [] }]) =>
  names.map(([folder, , end = '']) => ({ kind, start: `${folder}/`, end })),
);

/**
 * Decides by the whole key, or by its folder and `end`: the file name need not match the pattern of the kind. Returns
 * `document` for a key that the table does not cover.
 */
export function objectKindOf(key: string): ObjectKind {
  const isBelow = ({ start, end }: (typeof KINDS_BELOW)[number]) =>
    key.startsWith(start) && key.endsWith(end);
  return KIND_AT.get(key) ?? KINDS_BELOW.find(isBelow)?.kind ?? 'document';
}

/** True for objects that several releases can share. They stay in the bucket until a prune. */
export function isSharedObject({ kind }: { readonly kind: ObjectKind }): boolean {
  return OBJECT_KINDS[kind].by === 'content';
}

export function isTreeKey(key: string): boolean {
  return OBJECT_KINDS[objectKindOf(key)].counted === 'tree';
}

const SHARED = /* @__PURE__ */ wholeKey(({ by }) => by === 'content');
const DERIVED = /* @__PURE__ */ wholeKey(({ by }) => by === 'release');
const OF_RELEASE = /* @__PURE__ */ wholeKey(({ phase }) => phase !== undefined);
const BUILT = /* @__PURE__ */ wholeKey(({ isBuilt }) => isBuilt === true);
const HISTORY = /* @__PURE__ */ wholeKey((row) => row === OBJECT_KINDS.history);

export function isSharedKey(key: string): boolean {
  return SHARED.test(key);
}

export function isDerivedKey(key: string): boolean {
  return DERIVED.test(key);
}

export function isReleaseKey(key: string): boolean {
  return OF_RELEASE.test(key);
}

export function isHistoryKey(key: string): boolean {
  return HISTORY.test(key);
}

/** True for a file that a build removes if the new release does not contain it. */
export function isBuiltKey(key: string): boolean {
  return BUILT.test(key);
}

export const BUILT_FOLDERS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ ROWS.flatMap(([, { isBuilt, names = [] }]) =>
    isBuilt ? names.map(([folder]) => folder) : [],
  ),
);

function wholeKey(isOne: (row: Row) => boolean): RegExp {
  const patterns = Object.values(OBJECT_KINDS)
    .filter(isOne)
    .flatMap(({ keys = [], names = [] }) => [
      ...keys.map((key) => key.replaceAll('.', '\\.')),
      ...names.map(([folder, name]) => `${folder}/(?:${name})`),
    ]);
  return new RegExp(`^(?:${patterns.join('|')})$`);
}
