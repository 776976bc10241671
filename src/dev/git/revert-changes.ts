import type { FieldTable } from '../../contract/fields.ts';
import { declaredTerms } from '../../contract/terms.ts';
import { setFields } from '../../editing/set-fields.ts';
import type { TakeBackResponse } from '../../editor/changes.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { digestOf } from '../../release/digest.ts';
import { UPLOAD_LIMITS } from '../content/photo.ts';
import {
  createContentFile,
  readContentFile,
  removeContentFile,
  replaceContentFile,
} from '../content-folder.ts';
import type { EditContext, RestorableFile } from '../edit-context.ts';
import { readFieldValues } from '../field-values.ts';
import { RefusedRequest } from '../refused-request.ts';
import { changedFiles, GitFailure, gitBytes, pathInRepository } from './git.ts';
import { lossByReverting, openMerge } from './git-state.ts';

/**
 * Reverts a file, or only its `fields`, to the last commit.
 * @throws RefusedRequest `changed-meanwhile`, `not-found`, `not-editable`, `not-written`, `git-failed`
 */
export async function revertChanges(
  { session, removed }: EditContext,
  { path, version, fields }: RequestBody<'take-back'>,
): Promise<TakeBackResponse> {
  const { content } = session;
  let revertedFields: TakeBackResponse['fields'] = null;
  const kind = (await changedFiles(content))?.get(path);
  const now =
    kind === 'removed' || kind === undefined
      ? undefined
      : readContentFile(content, path, UPLOAD_LIMITS.bytes);
  if (kind === undefined)
    throw new RefusedRequest('changed-meanwhile', `${path} is as in the last record: nothing to take back.`);
  if ((now?.version ?? '') !== version)
    throw new RefusedRequest(
      'changed-meanwhile',
      `${path} changed meanwhile. Look at it as it is now, and take it back again.`,
    );
  const loss = lossByReverting(await openMerge(content), path, now?.bytes);
  if (loss !== undefined) throw new RefusedRequest('not-editable', loss);
  if (kind === 'added') {
    // Undo can restore it, like any removed file.
    removeContentFile(content, path, version);
    removed.set(path, [{ path, bytes: now!.bytes }]);
  } else {
    const before = await recorded(content, path);
    if (!now) createContentFile(content, path, before);
    else {
      const { fields: table } = declaredTerms(session.configuration());
      const after = fields ? withFields(now.bytes, before, fields, table) : before;
      replaceContentFile(content, path, version, after);
      const known = removed.get(path)?.[0];
      // If the file has not changed since an earlier revert, Undo takes back both reverts.
      const last: Omit<RestorableFile, 'path'> =
        known?.reverted?.version === version ? known : { bytes: now.bytes };
      revertedFields = fields ? [...(last.reverted?.fields ?? []), ...fields] : null;
      removed.set(path, [
        { path, bytes: last.bytes, reverted: { fields: revertedFields, version: digestOf(after) } },
      ]);
    }
  }
  session.notify(path);
  return { fields: revertedFields };
}

async function recorded(content: string, path: string): Promise<Buffer> {
  try {
    return await gitBytes(content, [
      'cat-file',
      '--filters',
      `HEAD:${await pathInRepository(content)}${path}`,
    ]);
  } catch (error) {
    if (error instanceof GitFailure)
      throw new RefusedRequest('git-failed', `The last record has no ${path}.`);
    throw error;
  }
}

function withFields(now: Buffer, before: Buffer, fields: readonly string[], table: FieldTable): string {
  const values = readFieldValues(before.toString('utf8'));
  const text = now.toString('utf8');
  const set = setFields(text, Object.fromEntries(fields.map((name) => [name, values[name] ?? null])), table);
  if ('refused' in set) throw new RefusedRequest('not-editable', set.message);
  if (set.text === text)
    throw new RefusedRequest(
      'not-editable',
      'This cannot be taken back by itself: take back the whole property.',
    );
  return set.text;
}
