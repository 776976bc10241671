/** Versions of files that Git has: in commits, and in the stages of a conflict. */
import { GitFailure, git, gitBytes } from './git.ts';

/** @throws GitFailure */
export function readBlob(folder: string, id: string): Promise<Buffer> {
  return gitBytes(folder, ['cat-file', 'blob', id]);
}

/**
 * Undefined if the commit or the file does not exist.
 * @param commit a commit, or a stage of a conflict, such as `:1`
 * @param path relative to the folder
 */
export async function committedFile(
  folder: string,
  commit: string,
  path: string,
): Promise<Buffer | undefined> {
  try {
    return await gitBytes(folder, ['show', `${commit}:./${path}`]);
  } catch (error) {
    if (error instanceof GitFailure) return undefined;
    throw error;
  }
}

/** As {@link committedFile}, with one Git process for all files. @throws GitFailure */
export async function committedFiles(
  folder: string,
  commit: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Buffer | undefined>> {
  // One name a line: before Git 2.38, there is no other separator.
  const named = paths.filter((path) => !path.includes('\n'));
  const blobs = await readBlobs(
    folder,
    named.map((path) => `${commit}:./${path}`),
  );
  const files = new Map(named.map((path, place) => [path, blobs[place]]));
  for (const path of paths) if (!files.has(path)) files.set(path, await committedFile(folder, commit, path));
  return files;
}

/**
 * Returns a file for each name, in order; undefined if the object is missing or not a file.
 * @param names names of objects, such as ids or `HEAD:./a.yaml`, without newlines
 */
export async function readBlobs(
  folder: string,
  names: readonly string[],
): Promise<readonly (Buffer | undefined)[]> {
  if (names.length === 0) return [];
  const output = await gitBytes(folder, ['cat-file', '--batch'], { input: `${names.join('\n')}\n` });
  let offset = 0;
  return names.map(() => {
    const end = output.indexOf('\n', offset);
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.toString('utf8', offset, end)) ?? [];
    const start = end + 1;
    if (size === undefined) {
      offset = start;
      return undefined;
    }
    offset = start + Number(size) + 1;
    return type === 'blob' ? output.subarray(start, start + Number(size)) : undefined;
  });
}

/**
 * Converts line endings and the like as a checkout does. @throws GitFailure if there is no such object
 * @param path path of the file, which decides the conversions; needed only if `object` is an id
 */
export function checkedOutFile(folder: string, object: string, path?: string): Promise<Buffer> {
  const ofPath = path === undefined ? [] : [`--path=${path}`];
  return gitBytes(folder, ['cat-file', '--filters', ...ofPath, object]);
}

/** Versions of an unmerged file, by stage: 1 is the common version, 2 yours, 3 theirs. */
export type ConflictStages = ReadonlyMap<number, { readonly mode: string; readonly id: string }>;

/** Keys are paths from the top of the repository. @param entries as `git ls-files --unmerged -z` prints them */
export function parseConflictStages(entries: readonly string[]): ReadonlyMap<string, ConflictStages> {
  const files = new Map<string, Map<number, { mode: string; id: string }>>();
  for (const entry of entries) {
    const [, mode = '', id = '', stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.*)$/s.exec(entry) ?? [];
    if (path !== undefined) files.set(path, (files.get(path) ?? new Map()).set(Number(stage), { mode, id }));
  }
  return files;
}

/**
 * Returns the id that Git would give to `input` as the content of this file, after the conversions that
 * `.gitattributes` asks for. Stores nothing.
 */
export async function blobId(folder: string, path: string, input: Buffer): Promise<string> {
  return (await git(folder, ['hash-object', '--stdin', `--path=${path}`], { input })).trim();
}
