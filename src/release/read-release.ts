import { hasPages } from '../contract/configuration.ts';
import { partKey } from '../contract/document-keys.ts';
import { chunkKey, citiesKey, imageListKey, rootKey, scopeFolder } from '../contract/object-keys.ts';
import { pageSizes } from '../contract/parameters.ts';
import { compareByCodePoint } from '../contract/sort-order.ts';
import type { CityEntry } from '../tree/format/city-table.ts';
import { parseRoot, type Root } from '../tree/format/root.ts';
import { digestOf } from './digest.ts';
import { type LeafSource, type Leaves, openLeaves } from './leaves.ts';
import type { Release } from './release.ts';
import { type Current, digestsByKey, parseRootContents, type RootContents } from './root-contents.ts';
import { scopesOfCities } from './sequence.ts';

export type ReadReleaseOptions = LeafSource & {
  /** Releases whose roots and leaves are reused. @default none */
  readonly known?: readonly (Release | undefined)[] | undefined;
  /** Computes the scopes even of a release without pages. @default false */
  readonly withScopes?: boolean | undefined;
};

/** A root with both of its halves: `root` locates lists and details, `contents` has the rest. */
export type ParsedRoot = { readonly bytes: Buffer; readonly root: Root; readonly contents: RootContents };

/** Undefined if damaged, or if `release` is not the digest of the bytes. */
export function parseWholeRoot(bytes: Buffer, release: string): ParsedRoot | undefined {
  if (digestOf(bytes) !== release) return undefined;
  const root = parseRoot(bytes, release);
  const contents = root && parseRootContents(bytes);
  return contents && { bytes, root, contents };
}

/**
 * Undefined if the root is missing or damaged. Without `isPartial`, also undefined if a list of images or a needed city
 * table is missing or damaged; only scopes need city tables. Other leaves are read later.
 */
export async function readRelease(
  { release: name, build }: Omit<Current, 'before'>,
  { withScopes = false, ...options }: ReadReleaseOptions,
): Promise<Release | undefined> {
  const { known = [], isPartial = false, read } = options;
  const same = known.find((one) => one?.name === name);
  const bytes = same?.rootBytes ?? (await read(rootKey(name)));
  const parsed = bytes && parseWholeRoot(bytes, name);
  if (!parsed) return undefined;
  const { root, contents } = parsed;
  const elsewhere = new Map<string, Leaves>();
  for (const one of known) {
    if (!one) continue;
    const { chunks, cityShards, details } = one.root;
    for (const { digest } of chunks) elsewhere.set(chunkKey(digest), one.leaves);
    for (const { digest } of cityShards) elsewhere.set(citiesKey(digest), one.leaves);
    for (const { digest } of details) elsewhere.set(partKey(digest), one.leaves);
    for (const digest of one.images) elsewhere.set(imageListKey(digest), one.leaves);
  }
  const leaves = openLeaves(options, elsewhere);
  // A damaged city table or list of images gives undefined, as in a partial release; a failing store still throws.
  const first = openLeaves({ ...options, isPartial: true }, elsewhere);
  const lists = await Promise.all(contents.images.map((digest) => first.images(digest)));
  const needsScopes = hasPages(contents.settings) || withScopes;
  const tables = needsScopes
    ? await Promise.all(root.cityShards.map(({ digest }) => first.cities(digest)))
    : undefined;
  const media = lists.filter((list) => list !== undefined);
  const release = assembleRelease(
    parsed,
    build,
    leaves,
    media.flat(),
    tables?.filter((table) => table !== undefined),
  );
  const isWhole = media.length === lists.length && (!needsScopes || release.scopes.size > 0);
  return isWhole || isPartial ? release : undefined;
}

/** @param tables city tables; if one is missing, the release has no scopes. @default none */
export function assembleRelease(
  { bytes: rootBytes, root, contents }: ParsedRoot,
  build: Release['build'],
  leaves: Leaves,
  media: readonly string[],
  tables?: readonly ReadonlyMap<string, CityEntry>[],
): Release {
  const { settings, headers, images } = contents;
  const name = root.release;
  return {
    name,
    rootBytes,
    build,
    settings,
    headers,
    documents: digestsByKey(contents, root),
    images,
    root,
    leaves,
    scopes: tables ? scopesIn(root, tables) : new Map(),
    sizes: pageSizes(settings),
    hasPages: hasPages(settings),
    media: new Set(media),
  };
}

function scopesIn(
  { cityShards, total }: Root,
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
  if (tables.length < cityShards.length || scopes[0]!.total !== total) return new Map();
  return new Map(scopes.map((scope) => [scopeFolder(scope.country, scope.city), scope]));
}
