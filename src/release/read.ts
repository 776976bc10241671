/** Reads the manifest and the root of releases. */
import { constants } from 'node:buffer';
import { hasPages } from '../contract/configuration.ts';
import { partKey } from '../contract/document-keys.ts';
import {
  chunkKey,
  citiesKey,
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  RELEASE_NAME,
  rootKey,
  scopeFolder,
} from '../contract/object-keys.ts';
import { isReleaseKey, isSharedKey } from '../contract/object-kinds.ts';
import { MAX_PAGE_SIZE, pageSizes } from '../contract/parameters.ts';
import { compareByCodePoint } from '../contract/sort-order.ts';
import type { CityEntry } from '../packed/format/city-table.ts';
import { parseRoot, type Root } from '../packed/format/root.ts';
import { memoizeLast } from '../values/memoize.ts';
import { digestOf } from './digest.ts';
import { type LeafSource, type Leaves, openLeaves } from './leaves.ts';
import { MANIFEST_VERSION, type Manifest, withTreeDocuments } from './manifest.ts';
import type { Release } from './release.ts';
import { scopesOfCities } from './sequence.ts';

const DIGEST = /^[0-9a-f]{32}$/;

/** Does not add the documents that only the root names. Undefined if damaged or of an unknown version. */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  return bytes.length > constants.MAX_STRING_LENGTH ? undefined : parsed(bytes.toString('utf8'));
}

/** Cached: a command reads the same manifest up to three times, and parsing one of a million takes 0.05 s. */
const parsed = memoizeLast((text): Manifest | undefined => {
  try {
    const manifest = JSON.parse(text) as Manifest;
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
});

/** `manifest` includes the documents that the root names. */
export type ManifestAndRoot = Pick<Release, 'manifest' | 'root'>;

export type ReadRootOptions = Pick<LeafSource, 'read' | 'isPartial'> & {
  /** Releases whose roots need not be read again. @default none */
  readonly known?: readonly (ManifestAndRoot | undefined)[] | undefined;
};

const NO_ROOT: Omit<Root, 'release'> = {
  rest: '',
  total: 0,
  countries: [],
  chunks: [],
  shards: [],
  details: [],
  facets: '',
};

/** If the root is missing or damaged: undefined, or an empty root with `isPartial`. */
export async function readRoot(
  manifest: Manifest,
  { read, known = [], isPartial }: ReadRootOptions,
): Promise<ManifestAndRoot | undefined> {
  const { release } = manifest;
  const same = known.find((one) => one?.root.release === release && one.root.rest)?.root;
  const bytes = same ? undefined : await read(rootKey(release));
  const found = bytes && digestOf(bytes) === release ? parseRoot(bytes, release) : same;
  const root = found ?? (isPartial ? { ...NO_ROOT, release } : undefined);
  return root && { manifest: withTreeDocuments(manifest, root), root };
}

export type ReadReleaseOptions = LeafSource & {
  /** Releases whose roots and leaves are reused. @default none */
  readonly known?: readonly (Release | undefined)[] | undefined;
  /** Computes the scopes even of a release without pages. @default false */
  readonly withScopes?: boolean | undefined;
};

/**
 * Undefined if the manifest, the root or a needed city table is missing, damaged or of another version. Other leaves
 * are read later.
 */
export async function readRelease(
  bytes: Buffer,
  { withScopes = false, ...options }: ReadReleaseOptions,
): Promise<Release | undefined> {
  const { known = [], isPartial = false } = options;
  const parsed = parseManifest(bytes);
  const rooted = parsed && (await readRoot(parsed, options));
  if (!rooted) return undefined;
  const { root } = rooted;
  const elsewhere = new Map<string, Leaves>();
  for (const one of known) {
    const { chunks = [], shards = [], details = [] } = one?.root ?? {};
    for (const { digest } of chunks) elsewhere.set(chunkKey(digest), one!.leaves);
    for (const { digest } of shards) elsewhere.set(citiesKey(digest), one!.leaves);
    for (const { digest } of details) elsewhere.set(partKey(digest), one!.leaves);
  }
  const leaves = openLeaves(options, elsewhere);
  if (!hasPages(parsed.api) && !withScopes) return assembleRelease(rooted, bytes, leaves);
  // As in a partial release, a damaged table is undefined here; but a store that fails throws.
  const { cities } = openLeaves({ ...options, isPartial: true }, elsewhere);
  const tables = await Promise.all(root.shards.map(({ digest }) => cities(digest)));
  const release = assembleRelease(
    rooted,
    bytes,
    leaves,
    tables.filter((table) => table !== undefined),
  );
  return release.scopes.size > 0 || isPartial ? release : undefined;
}

/** @param tables city tables; if one is missing, the release has no scopes. @default none */
export function assembleRelease(
  { manifest, root }: ManifestAndRoot,
  bytes: Buffer,
  leaves: Leaves,
  tables?: readonly ReadonlyMap<string, CityEntry>[],
): Release {
  return {
    name: manifest.release,
    bytes,
    manifest,
    root,
    leaves,
    scopes: tables ? scopesIn(root, tables) : new Map(),
    sizes: pageSizes(manifest.api),
    hasPages: hasPages(manifest.api),
    media: new Set(manifest.media),
  };
}

function scopesIn(
  { shards, total }: Root,
  tables: readonly ReadonlyMap<string, CityEntry>[],
): Release['scopes'] {
  const runs = tables.flatMap((table) =>
    [...table.values()].flatMap(({ city, folded, countries }) =>
      countries.map(({ country, count }) => ({
        key: `${country}\0${folded}\0${city}`,
        country,
        city,
        count,
      })),
    ),
  );
  const scopes = scopesOfCities(runs.sort((one, other) => compareByCodePoint(one.key, other.key)));
  if (tables.length < shards.length || scopes[0]!.total !== total) return new Map();
  return new Map(scopes.map((scope) => [scopeFolder(scope.country, scope.city), scope]));
}

function isManifest(value: Manifest): boolean {
  const { version, release, build, about, api, headers, documents, media } = value;
  return (
    version === MANIFEST_VERSION &&
    RELEASE_NAME.test(release) &&
    isBuild(build) &&
    (about === undefined || isAbout(about)) &&
    [api.base, api.url, api.media_url, api.cache_control.api].every(isText) &&
    [...Object.values(api.cache_control), ...Object.values(headers ?? {})].every(isText) &&
    (api.page_sizes === 'all' ||
      api.page_sizes.every((size) => Number.isInteger(size) && size > 0 && size <= MAX_PAGE_SIZE)) &&
    ['pages', 'packed'].includes(api.layout) &&
    (headers === undefined || typeof headers === 'object') &&
    Object.entries(documents).every(([key, digest]) => isDocumentKey(key) && DIGEST.test(digest)) &&
    media.every((name) => isSharedKey(mediaKey(name)))
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isBuild({ commit, time }: Manifest['build']): boolean {
  return (
    (commit === null || /^[0-9a-f]{40,64}$/.test(commit)) &&
    (time === null || (isText(time) && !Number.isNaN(new Date(time).getTime())))
  );
}

function isAbout({
  title,
  description = '',
  contact = {},
  logo = '',
}: NonNullable<Manifest['about']>): boolean {
  return [title, description, logo, ...Object.values(contact)].every(isText);
}

/** Otherwise a damaged manifest could make a publish replace or remove other objects than documents. */
function isDocumentKey(key: string): boolean {
  const isApart = [PROPERTIES_FOLDER, PAGES_FOLDER, MEDIA_FOLDER].some((folder) =>
    key.startsWith(`${folder}/`),
  );
  return isReleaseKey(key) && !isApart;
}
