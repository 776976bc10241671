import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mediaKey, PAGES_FOLDER, propertyKey, totalKey } from '../../contract/object-keys.ts';
import { BUILT_FOLDERS, isBuiltKey } from '../../contract/object-kinds.ts';
import { pageCount } from '../../contract/pagination.ts';
import { filesBelow, removeEmptyFolder } from '../../files/files-and-folders.ts';
import { gonePageKeys } from '../../release/compare-lists.ts';
import type { Scope } from '../../release/sequence.ts';
import type { CatalogueComparison } from '../compare-catalogue.ts';
import { totalsByFolder } from '../release-size.ts';

export type ReleaseFiles = {
  /** Empty in the packed layout, where details are not files. */
  readonly sequence: readonly { readonly id: string }[];
  readonly pageScopes: readonly Scope[];
  readonly sizes: readonly number[];
  readonly media: readonly string[];
  readonly files: Iterable<string>;
};

type PageFiles = Pick<ReleaseFiles, 'pageScopes' | 'sizes'> & { readonly comparison: CatalogueComparison };

/** Pages, totals and details of the last release that this one lacks. */
export function* goneKeys({ comparison, pageScopes, sizes }: PageFiles): Generator<string> {
  // In the packed layout, neither lists nor details are files.
  if (pageScopes.length === 0) return;
  for (const id of comparison.details().gone) yield propertyKey(id);
  for (const { folder, before } of comparison.gone) {
    yield* gonePageKeys(folder, sizes, before, 0);
    yield totalKey(folder);
  }
  for (const { folder, before, scope } of comparison.changed)
    yield* gonePageKeys(folder, sizes, before, scope.total);
}

/**
 * Finds existing files that the release does not have. Looks only at keys that only builds use; the journal finds other
 * leftovers.
 */
export function* strayKeys(publicFolder: string, release: ReleaseFiles): Generator<string> {
  const { sequence, pageScopes, sizes, media } = release;
  const keys = new Set(release.files);
  for (const { id } of sequence) keys.add(propertyKey(id));
  for (const name of media) keys.add(mediaKey(name));
  const totals = totalsByFolder(pageScopes);
  const isPage = (key: string) => {
    const total = totals.get(dirname(key));
    const [, size, number] = /\/(\d+)-(\d+)\.json$/.exec(key) ?? [];
    if (total === undefined || size === undefined) return total !== undefined;
    return sizes.includes(Number(size)) && Number(number) <= pageCount(total, Number(size));
  };
  for (const folder of BUILT_FOLDERS)
    for (const key of filesBelow(publicFolder, folder))
      if (isBuiltKey(key) && !keys.has(key) && !(folder === PAGES_FOLDER && isPage(key))) yield key;
}

/**
 * Also removes links, and folders that become empty. Returns the number of `keys`, whether or not their files existed.
 * @param recursive a key may also name a folder with content
 */
export function removeFiles(base: string, keys: Iterable<string>, recursive = false): number {
  const folders = new Set<string>();
  let removed = 0;
  for (const key of keys) {
    rmSync(join(base, key), { force: true, recursive });
    folders.add(dirname(key));
    removed++;
  }
  for (const folder of folders)
    for (let path = folder; path !== '.'; path = dirname(path))
      if (!removeEmptyFolder(join(base, path))) break;
  return removed;
}
