/**
 * Stamps (sizes and times) of the output tell a build whether somebody removed, replaced or changed a file. In a large
 * release, details, pages and images are stamped only by folder, since stamping 200,000 files takes longer than a whole
 * build without changes. The time of a folder changes when a file in it is removed or replaced, but not when a file is
 * overwritten.
 */
import { lstatSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MEDIA_FOLDER, PAGES_FOLDER, PROPERTIES_FOLDER, scopeFolder } from '../../contract/object-keys.ts';
import { filesBelow, undefinedIfMissing } from '../../files/files-and-folders.ts';
import type { Scope } from '../../release/sequence.ts';
import type { OutputFolder } from '../output-folder.ts';
import type { FileDigestsByGroup } from './written-files.ts';

export type OutputStamps = Readonly<Record<string, string>>;

/** Up to this number of files, each one is stamped, which takes 30 ms. */
const MAX_STAMPED_FILES = 10_000;

type Output = {
  readonly groups: FileDigestsByGroup;
  readonly pageScopes: readonly Scope[];
  readonly files: number;
};

export function readOutputStamps(folder: OutputFolder, { groups, pageScopes, files }: Output): OutputStamps {
  const scopes = pageScopes.map(({ country, city }) => scopeFolder(country, city));
  const inFolders =
    files <= MAX_STAMPED_FILES
      ? [PROPERTIES_FOLDER, MEDIA_FOLDER, PAGES_FOLDER].flatMap((key) => [...filesBelow(folder.public, key)])
      : [PROPERTIES_FOLDER, MEDIA_FOLDER, ...scopes];
  const keys = [...Object.keys(groups.files), ...inFolders];
  const edge = Object.keys(groups.edge).map((key) => {
    // Links are stamped by folder, since a target may have one link per city.
    return undefinedIfMissing(() => lstatSync(join(folder.edge, key)))?.isFile() ? key : dirname(key);
  });
  const paths = [
    ...keys.map((key) => `${basename(folder.public)}/${key}`),
    ...edge.map((key) => `${basename(folder.edge)}/${key}`),
  ];
  const stamps: Record<string, string> = {};
  for (const path of paths) {
    const stamp = stampAt(join(folder.root, path));
    if (stamp !== undefined) stamps[path] = stamp;
  }
  return stamps;
}

export function outputChangeFlags(
  folder: OutputFolder,
  stamps: OutputStamps,
): { readonly edge: boolean; readonly outsideEdge: boolean } {
  const changed = { edge: false, outsideEdge: false };
  for (const [path, stamp] of Object.entries(stamps)) {
    if (stampAt(join(folder.root, path)) === stamp) continue;
    changed[path.startsWith(`${basename(folder.edge)}/`) ? 'edge' : 'outsideEdge'] = true;
  }
  return changed;
}

function stampAt(path: string): string | undefined {
  const stats = undefinedIfMissing(() => lstatSync(path));
  return stats && stampOf(stats);
}

function stampOf(stats: Stats): string {
  return stats.isDirectory() ? String(stats.mtimeMs) : `${stats.size} ${stats.mtimeMs}`;
}
