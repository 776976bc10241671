/** Conflicts for which the user chooses a whole version: one side removed the file, or it is not text. */
import { isUtf8 } from 'node:buffer';
import type { WholeFileChoice } from '../../editor/changes.ts';
import { changedFields } from '../../editor/undo-history.ts';
import { digestOf } from '../../release/digest.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import type { RequestHandler } from '../api/edit-context.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import {
  MAX_PHOTO_BYTES,
  readContentFile,
  readIfPresent,
  removeContentFile,
  replaceContentFile,
} from '../content/content-files.ts';
import { titleIn, valuesIn } from '../content/read-field-values.ts';
import { GitFailure, git, gitList, pathInRepository, repositoryTop } from './git.ts';
import {
  blobId,
  type ConflictStages,
  checkedOutFile,
  parseConflictStages,
  readBlobs,
} from './git-objects.ts';
import { gitRefusal } from './git-refusals.ts';
import { restoreLostPhotos } from './lost-photos.ts';

/** Keys are paths from the top of the repository. */
export async function unmergedFiles(content: string): Promise<ReadonlyMap<string, ConflictStages>> {
  return parseConflictStages(await gitList(await repositoryTop(content), ['ls-files', '--unmerged', '-z']));
}

const isOfBoth = (stages: ConflictStages) => stages.has(2) && stages.has(3);

/**
 * Leaves out files that can be merged as text, and those that the user has already removed or replaced.
 * @param files unmerged files by path relative to the content folder
 */
export async function wholeFileChoices(
  content: string,
  files: ReadonlyMap<string, ConflictStages>,
): Promise<WholeFileChoice[]> {
  const asked = [...files].filter(
    ([path, stages]) => (stages.has(2) || stages.has(3)) && !(isOfBoth(stages) && isPropertyFilePath(path)),
  );
  const based = asked.filter(([path, stages]) => isPropertyFilePath(path) && stages.has(1));
  const blobs = await readBlobs(
    content,
    based.map(([, stages]) => stages.get(1)!.id),
  );
  const bases = new Map(based.map(([path], place) => [path, blobs[place]]));
  const choices: WholeFileChoice[] = [];
  for (const [path, stages] of asked) {
    const present = readIfPresent(content, path)?.bytes;
    if (!present || (isOfBoth(stages) && !(await isUnmarkedSide(content, path, stages, present)))) continue;
    const values = (bytes: Buffer | undefined) => (bytes && isPropertyFilePath(path) ? valuesIn(bytes) : {});
    // The fields of the remaining side are read from disk, where the user may have edited them.
    const changed = changedFields(values(bases.get(path)), values(present));
    choices.push({
      path,
      title: titleIn(values(present)) || path,
      version: digestOf(JSON.stringify([...stages, digestOf(present)])),
      yours: stages.has(2) ? changed : null,
      theirs: stages.has(3) ? changed : null,
    });
  }
  return choices;
}

/**
 * Whether the file on disk is still one of the two versions. Returns false if both are text: Git merges text by lines,
 * so the user need not choose a whole version.
 */
async function isUnmarkedSide(content: string, path: string, stages: ConflictStages, present: Buffer) {
  const ids = [stages.get(2)!.id, stages.get(3)!.id];
  if (!ids.includes(await blobId(content, path, present))) return false;
  return !(await readBlobs(content, ids)).every((bytes) => bytes && isUtf8(bytes));
}

/** Converts line endings and the like as a checkout does. @throws GitFailure if the side has no such file */
export function bytesOfSide(content: string, path: string, side: 'yours' | 'theirs'): Promise<Buffer> {
  return checkedOutFile(content, `:${side === 'yours' ? 2 : 3}:./${path}`);
}

/** @throws RefusedRequest `changed-meanwhile`, `git-failed`, `not-written` */
export const keepSide: RequestHandler<'keep-side'> = async ({ session }, { path, version, side }) => {
  const { content } = session;
  try {
    const stages = (await unmergedFiles(content)).get((await pathInRepository(content)) + path);
    const [choice] = stages ? await wholeFileChoices(content, new Map([[path, stages]])) : [];
    if (choice?.version !== version)
      throw new RefusedRequest('changed-meanwhile', `${path} changed meanwhile. Choose again.`);
    const present = readContentFile(content, path, MAX_PHOTO_BYTES);
    if (choice[side] === null) removeContentFile(content, path, present.version);
    else if (!choice.yours || !choice.theirs) await restoreLostPhotos(content, path);
    else replaceContentFile(content, path, present.version, await bytesOfSide(content, path, side));
    session.notify(path);
    await git(content, ['add', '--all', '--', path]);
    return {};
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    throw gitRefusal(`Git could not keep this version of ${path}. Try again.`);
  }
};
