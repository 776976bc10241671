/** Conflicts for which the user chooses a whole version: one side removed the file, or it is not text. */
import { isUtf8 } from 'node:buffer';
import type { WholeFileChoice } from '../../editor/changes.ts';
import { changedFields } from '../../editor/snapshots.ts';
import { digestOf } from '../../release/digest.ts';
import { isSourcePath } from '../../source/content-path.ts';
import {
  MAX_PHOTO_BYTES,
  readContentFile,
  readIfPresent,
  removeContentFile,
  replaceContentFile,
} from '../content-folder.ts';
import type { RequestHandler } from '../edit-context.ts';
import { readFieldValues } from '../field-values.ts';
import { RefusedRequest } from '../refused-request.ts';
import { GitFailure, git, gitBytes, gitList, pathInRepository, repositoryTop } from './git.ts';
import { gitRefused } from './git-refusals.ts';
import { bringBackPhotos } from './lost-photos.ts';

/** Ids of the versions of a file in the index, by stage: 1 is the common version, 2 yours, 3 theirs. */
export type Stages = ReadonlyMap<number, string>;

/** Keys are paths from the top of the repository. */
export async function unmergedFiles(content: string): Promise<ReadonlyMap<string, Stages>> {
  const files = new Map<string, Map<number, string>>();
  const lines = await gitList(await repositoryTop(content), ['ls-files', '--unmerged', '-z']);
  for (const line of lines) {
    const [, id, stage, path] = /^\d+ ([0-9a-f]+) ([123])\t(.*)$/s.exec(line) ?? [];
    if (path !== undefined) files.set(path, (files.get(path) ?? new Map()).set(Number(stage), id!));
  }
  return files;
}

/** Undefined if the file can be merged as text, or if the user has already removed it or put another version there. */
export async function wholeFileChoice(
  content: string,
  path: string,
  stages: Stages,
): Promise<WholeFileChoice | undefined> {
  const present = readIfPresent(content, path)?.bytes;
  const [base, yours, theirs] = await Promise.all([1, 2, 3].map((stage) => blob(content, stages.get(stage))));
  if (!present || !(yours || theirs)) return undefined;
  if (yours && theirs) {
    if (isSourcePath(path) || (isUtf8(yours) && isUtf8(theirs))) return undefined;
    const id = await git(content, ['hash-object', '--stdin', `--path=${path}`], {
      input: present,
    });
    if (![2, 3].some((stage) => stages.get(stage) === id.trim())) return undefined;
  }
  const values = (bytes: Buffer | undefined) =>
    bytes && isSourcePath(path) ? readFieldValues(bytes.toString('utf8')) : {};
  // If one side removed the file, the other side's fields are read from disk, where the user may have edited them.
  const side = (bytes: Buffer | undefined) =>
    bytes && changedFields(values(base), values(yours && theirs ? bytes : present));
  const { title } = values(present);
  return {
    path,
    title: (typeof title === 'string' && title) || path,
    version: digestOf(JSON.stringify([...stages, digestOf(present)])),
    yours: side(yours) ?? null,
    theirs: side(theirs) ?? null,
  };
}

async function blob(content: string, id: string | undefined): Promise<Buffer | undefined> {
  return id === undefined ? undefined : gitBytes(content, ['cat-file', 'blob', id]);
}

/** Converts line endings and the like as a checkout does. @throws GitFailure if the side has no such file */
export function bytesOfSide(content: string, path: string, side: 'yours' | 'theirs'): Promise<Buffer> {
  return gitBytes(content, ['cat-file', '--filters', `:${side === 'yours' ? 2 : 3}:./${path}`]);
}

/** @throws RefusedRequest `changed-meanwhile`, `git-failed`, `not-written` */
export const keepSide: RequestHandler<'keep-side'> = async ({ session }, { path, version, side }) => {
  const { content } = session;
  try {
    const stages = (await unmergedFiles(content)).get((await pathInRepository(content)) + path);
    const choice = stages && (await wholeFileChoice(content, path, stages));
    if (choice?.version !== version)
      throw new RefusedRequest('changed-meanwhile', `${path} changed meanwhile. Choose again.`);
    const present = readContentFile(content, path, MAX_PHOTO_BYTES);
    if (choice[side] === null) removeContentFile(content, path, present.version);
    else if (!choice.yours || !choice.theirs) await bringBackPhotos(content, path);
    else replaceContentFile(content, path, present.version, await bytesOfSide(content, path, side));
    session.notify(path);
    await git(content, ['add', '--all', '--', path]);
    return {};
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw gitRefused(`Git could not keep this version of ${path}. Try again.`);
  }
};
