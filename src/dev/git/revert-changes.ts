import type { FieldTable } from '../../contract/fields.ts';
import { declaredTerms } from '../../contract/terms.ts';
import { setFields } from '../../editing/set-fields.ts';
import { digestOf } from '../../release/digest.ts';
import type { RequestHandler, RestorableFile } from '../api/edit-context.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import {
  createContentFile,
  MAX_PHOTO_BYTES,
  readContentFile,
  removeContentFile,
  replaceContentFile,
} from '../content/content-files.ts';
import { readFieldValues } from '../content/read-field-values.ts';
import { rememberForUndo } from '../content/undoable.ts';
import { changedFiles } from './changed-files.ts';
import { gitRefusal } from './git-refusals.ts';
import { findFileInRevisions } from './lost-photos.ts';
import { readUnfinishedOperation, revertProblem } from './unfinished-merge.ts';

/**
 * Reverts a file, or only its `fields`, to the last commit.
 * @throws RefusedRequest `changed-meanwhile`, `not-found`, `not-editable`, `name-taken`, `too-large`, `not-written`,
 * `git-failed`
 */
export const revertChanges: RequestHandler<'revert'> = async (context, { path, version, fields }) => {
  const { session, undoable } = context;
  const { content } = session;
  const kind = (await changedFiles(content)).get(path);
  if (kind === undefined)
    throw new RefusedRequest('changed-meanwhile', `${path} is as in the last record: nothing to take back.`);
  const now = kind === 'removed' ? undefined : readContentFile(content, path, MAX_PHOTO_BYTES);
  if ((now?.version ?? '') !== version)
    throw new RefusedRequest(
      'changed-meanwhile',
      `${path} changed meanwhile. Look at it as it is now, and take it back again.`,
    );
  const loss = revertProblem(await readUnfinishedOperation(content), path, now?.bytes);
  if (loss !== undefined) throw new RefusedRequest('not-editable', loss);
  const before = kind === 'added' ? undefined : await findFileInRevisions(content, path, ['HEAD']);
  if (kind !== 'added' && !before) throw gitRefusal(`The last record has no ${path}.`);
  let reverted: RestorableFile['reverted'];
  if (!now) createContentFile(content, path, before!);
  else if (!before) {
    removeContentFile(content, path, version);
    rememberForUndo(context, path, [{ path, bytes: now.bytes }]);
  } else {
    const { fields: table } = declaredTerms(session.configuration());
    const after = fields ? withFields(now.bytes, before, fields, table) : before;
    replaceContentFile(content, path, version, after);
    const known = undoable.get(path)?.[0];
    // If the file has not changed since an earlier revert, Undo takes back both reverts.
    const last = known?.reverted?.version === version ? known : undefined;
    const all = fields ? [...(last?.reverted?.fields ?? []), ...fields] : null;
    reverted = { fields: all, version: digestOf(after) };
    rememberForUndo(context, path, [{ path, bytes: last?.bytes ?? now.bytes, reverted }]);
  }
  session.notify(path);
  return { fields: reverted?.fields ?? null };
};

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
