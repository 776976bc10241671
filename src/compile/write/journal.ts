/**
 * A build records documents, objects of the tree and target configurations here, with their digests, before it writes
 * them. So even after a killed build, the next build removes only files that are recorded here, and keeps edited
 * configurations.
 */
import { appendFileSync, lstatSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../files/atomic-write.ts';
import { undefinedIfMissing } from '../../files/files-and-folders.ts';
import { digestOf } from '../../release/digest.ts';
import type { OutputFolder } from '../output-folder.ts';
import type { FileDigests } from '../state/written-files.ts';

type NotedFolder = 'public' | 'edge';

export type Journal = {
  readonly note: (folder: NotedFolder, key: string, digest: string) => void;
  readonly hasNoted: (folder: NotedFolder, key: string, digest: string) => boolean;
  /** Finds recorded files that still exist and are not in `kept`. Callers remove the unedited ones. */
  readonly stale: (
    folder: NotedFolder,
    kept: FileDigests,
  ) => { readonly unedited: string[]; readonly edited: string[] };
  /** Replaces the journal: from now on, it records only the files of `groups`. */
  readonly close: (groups: Readonly<Record<NotedFolder, FileDigests>>) => void;
};

/** Used as the digest of any folder, such as one that was copied because links are not permitted. */
export const FOLDER_DIGEST = digestOf('folder');

/** @param last the last build's files */
export function openJournal(
  output: OutputFolder,
  last: Readonly<Record<NotedFolder, FileDigests>> | undefined,
): Journal {
  const noted = new Map<string, Set<string>>();
  const add = (path: string, digest: string) => noted.set(path, (noted.get(path) ?? new Set()).add(digest));
  for (const line of (undefinedIfMissing(() => readFileSync(output.journal, 'utf8')) ?? '').split('\n')) {
    const [, digest, path] = /^([0-9a-f]{32}) (.+)$/.exec(line) ?? [];
    if (digest && path) add(path, digest);
  }
  for (const [path, digest] of last ? pathsOf(last) : []) add(path, digest);
  const hasNoted: Journal['hasNoted'] = (folder, key, digest) =>
    noted.get(`${folder}/${key}`)?.has(digest) === true;
  return {
    hasNoted,
    note(folder, key, digest) {
      if (hasNoted(folder, key, digest)) return;
      const path = `${folder}/${key}`;
      // A killed build may have left an incomplete line, so each record begins with a line break.
      appendFileSync(output.journal, `\n${digest} ${path}`);
      add(path, digest);
    },
    stale(folder, kept) {
      const unedited: string[] = [];
      const edited: string[] = [];
      for (const path of noted.keys()) {
        const key = path.slice(folder.length + 1);
        if (!path.startsWith(`${folder}/`) || kept[key] !== undefined) continue;
        const digest = digestAtPath(join(output[folder], key));
        if (digest !== undefined) (hasNoted(folder, key, digest) ? unedited : edited).push(key);
      }
      return { unedited, edited };
    },
    close(groups) {
      const lines = Array.from(pathsOf(groups), ([path, digest]) => `${digest} ${path}`);
      writeAtomically(output.journal, lines.join('\n'));
    },
  };
}

function* pathsOf(
  groups: Readonly<Record<NotedFolder, FileDigests>>,
): Generator<[path: string, digest: string]> {
  for (const folder of ['public', 'edge'] as const)
    for (const [key, digest] of Object.entries(groups[folder])) yield [`${folder}/${key}`, digest];
}

/** Digest of a file's bytes or a link's target path, or {@link FOLDER_DIGEST}. Undefined if the path does not exist. */
export function digestAtPath(path: string): string | undefined {
  const stats = undefinedIfMissing(() => lstatSync(path));
  if (!stats) return undefined;
  if (stats.isSymbolicLink()) return digestOf(readlinkSync(path));
  return stats.isDirectory() ? FOLDER_DIGEST : digestOf(readFileSync(path));
}
