/** Conflicts for which the user chooses a whole version: one side removed the file, or it is not text. */
import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { photoPathsIn } from '../../editing/photo-path.ts';
import type { WholeFileChoice } from '../../editor/changes.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { changedFields } from '../../editor/snapshots.ts';
import { digestOf } from '../../release/digest.ts';
import { isSourcePath } from '../../source/content-path.ts';
import {
  createContentFile,
  MAX_PHOTO_BYTES,
  readContentFile,
  removeContentFile,
  replaceContentFile,
} from '../content-folder.ts';
import type { EditContext } from '../edit-context.ts';
import { readFieldValues } from '../field-values.ts';
import { RefusedRequest } from '../refused-request.ts';
import { GitFailure, git, gitBytes, pathInRepository, repositoryTop } from './git.ts';

/** Ids of the versions of a file in the index, by stage: 1 is the common version, 2 yours, 3 theirs. */
export type Stages = ReadonlyMap<number, string>;

/** Keys are paths from the top of the repository. */
export async function unmergedFiles(content: string): Promise<ReadonlyMap<string, Stages>> {
  const files = new Map<string, Map<number, string>>();
  const output = await git(await repositoryTop(content), ['ls-files', '--unmerged', '-z']);
  for (const line of output.split('\0')) {
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
  const present = presentBytes(content, path);
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

function presentBytes(content: string, path: string): Buffer | undefined {
  try {
    return readContentFile(content, path, MAX_PHOTO_BYTES).bytes;
  } catch (error) {
    if (error instanceof RefusedRequest) return undefined;
    throw error;
  }
}

async function blob(content: string, id: string | undefined): Promise<Buffer | undefined> {
  return id === undefined ? undefined : gitBytes(content, ['cat-file', 'blob', id]);
}

/** Converts line endings and the like as a checkout does. @throws GitFailure if the side has no such file */
export function bytesOfSide(content: string, path: string, side: 'yours' | 'theirs'): Promise<Buffer> {
  return gitBytes(content, ['cat-file', '--filters', `:${side === 'yours' ? 2 : 3}:./${path}`]);
}

/** Commits that may still have a photo that an unfinished operation of Git, such as a merge, removed. */
const SIDES = ['HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REBASE_HEAD', 'REVERT_HEAD', 'stash'];

/**
 * Restores and stages photos that a property shows but that one side removed. Returns their paths.
 * @throws RefusedRequest `not-written`
 */
export async function bringBackPhotos(content: string, path: string): Promise<string[]> {
  const text = isSourcePath(path) ? presentBytes(content, path)?.toString('utf8') : undefined;
  const back: string[] = [];
  for (const photo of new Set(photoPathsIn(path, text?.replace(/^\ufeff/, '') ?? ''))) {
    if (existsSync(join(content, photo))) continue;
    for (const side of SIDES) {
      const bytes = await gitBytes(content, ['cat-file', '--filters', `${side}:./${photo}`]).catch(
        () => null,
      );
      if (!bytes) continue;
      createContentFile(content, photo, bytes);
      await git(content, ['add', '--', photo]);
      back.push(photo);
      break;
    }
  }
  return back;
}

/** @throws RefusedRequest `changed-meanwhile`, `git-failed`, `not-written` */
export async function keepSide(
  { session }: EditContext,
  { path, version, side }: RequestBody<'keep-side'>,
): Promise<object> {
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
    throw new RefusedRequest('git-failed', `Git could not keep this version of ${path}. Try again.`);
  }
}
