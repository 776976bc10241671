import { posix } from 'node:path';
import { planPhotoRemoval } from '../../editing/photo-uses.ts';
import { type PropertyText, planCopy, planNewFile, planRename } from '../../editing/planned-file.ts';
import type { Refusal } from '../../editing/refusal.ts';
import type { CheckResponse, PropertyResponse } from '../../editor/api.ts';
import type { RequestBody } from '../../editor/request-schemas.ts';
import { digestOf } from '../../release/digest.ts';
import { isPropertyFilePath } from '../../source/content-path.ts';
import type { EditContext, RequestHandler } from '../api/edit-context.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import { checkPropertyText } from './check-text.ts';
import {
  createContentFile,
  MAX_PHOTO_BYTES,
  readContentFile,
  readIfPresent,
  removeContentFile,
  replaceContentFile,
} from './content-files.ts';
import {
  conflictError,
  findPathById,
  propertyResponse,
  readExpectedVersion,
  sharedResponseMembers,
} from './read-and-save-property.ts';
import { readOnlyReasonAt } from './read-only-reason.ts';
import { rememberForUndo } from './undoable.ts';

export async function checkNewProperty(
  context: EditContext,
  { fields }: RequestBody<'create'>,
): Promise<CheckResponse> {
  const { path, text } = planned(context, planNewFile(context.session.content, fields), '');
  const checked = await checkPropertyText(context, path, Buffer.from(text));
  return { ...sharedResponseMembers(context, text, checked), lines: [] };
}

/** @throws RefusedRequest `changed-meanwhile` if the id is in use; `name-taken`, `not-written` */
export const createProperty: RequestHandler<'create'> = async (context, { fields }) => {
  const known = (await findPathById(context, fields.id)) ?? context.created.get(fields.id);
  if (known !== undefined && readIfPresent(context.session.content, known))
    throw await conflictError(context, known);
  const made = await write(context, planned(context, planNewFile(context.session.content, fields), ''));
  context.created.set(made.values.id, made.path);
  return made;
};

/** @throws RefusedRequest `changed-meanwhile`, `name-taken`, `not-editable`, `not-found`, `too-large`, `not-written` */
export const copyProperty: RequestHandler<'copy'> = async (context, { path, version, title }) => {
  const source = await readText(context, path, version);
  return write(context, planned(context, planCopy(context.session.content, source, title), path));
};

/** @throws as {@link copyProperty} */
export const renameProperty: RequestHandler<'rename'> = async (context, { path, version }) => {
  const { session } = context;
  const source = await readText(context, path, version);
  const renamed = planned(context, planRename(session.content, source), path);
  if (renamed.path === path) return propertyResponse(context, path);
  createContentFile(session.content, renamed.path, renamed.text);
  try {
    removeContentFile(session.content, path, version);
  } catch (error) {
    removeContentFile(session.content, renamed.path, digestOf(renamed.text));
    throw error;
  }
  session.notify(path);
  session.notify(renamed.path);
  return propertyResponse(context, renamed.path);
};

/** @throws RefusedRequest `changed-meanwhile`, `not-found`, `too-large`, `not-written` */
export const removeProperty: RequestHandler<'remove'> = async (
  context,
  { path, version, isRehearsal = false },
) => {
  const { session } = context;
  const { bytes } = await readExpectedVersion(context, path, version);
  const { photos, kept } = planPhotoRemoval(session.content, path);
  if (isRehearsal) return { photos, kept };
  const found = photos.flatMap((photo) => {
    const file = readIfPresent(session.content, photo);
    return file ? { path: photo, ...file } : [];
  });
  removeContentFile(session.content, path, version);
  session.notify(path);
  const removed = found.filter((photo) => tryToRemove(session.content, photo));
  rememberForUndo(context, path, [{ path, bytes }, ...removed]);
  return { photos: removed.map((photo) => photo.path), kept };
};

/**
 * Restores a file that this session removed or reverted.
 * @throws RefusedRequest `not-found`, `name-taken`, `changed-meanwhile`, `too-large`, `not-written`
 */
export const restoreFile: RequestHandler<'restore'> = async (context, { path }) => {
  const { session, undoable } = context;
  const [file, ...photos] = undoable.get(path) ?? [];
  if (!file) throw new RefusedRequest('not-found', `This session did not remove ${path.slice(0, 200)}.`);
  if (
    file.reverted &&
    readContentFile(session.content, path, MAX_PHOTO_BYTES).version !== file.reverted.version
  )
    throw new RefusedRequest('changed-meanwhile', `${path} changed after that: Undo would lose the change.`);
  const made: string[] = [];
  try {
    // The property comes last: without some of its photos it would have errors.
    for (const photo of photos) if (createUnlessTaken(session.content, photo)) made.push(photo.path);
    if (file.reverted) replaceContentFile(session.content, path, file.reverted.version, file.bytes);
    else createContentFile(session.content, path, file.bytes);
  } catch (error) {
    for (const { path, bytes } of photos)
      if (made.includes(path)) removeContentFile(session.content, path, digestOf(bytes));
    throw error;
  }
  undoable.delete(path);
  session.notify(path);
  return isPropertyFilePath(path) ? propertyResponse(context, path) : {};
};

function createUnlessTaken(root: string, { path, bytes }: { path: string; bytes: Buffer }): boolean {
  try {
    createContentFile(root, path, bytes);
    return true;
  } catch (error) {
    if (error instanceof RefusedRequest && error.code === 'name-taken') return false;
    throw error;
  }
}

async function readText(context: EditContext, path: string, version: string): Promise<PropertyText> {
  return { path, text: String((await readExpectedVersion(context, path, version)).bytes) };
}

function planned(context: EditContext, plan: PropertyText | Refusal, path: string): PropertyText {
  if (!('refused' in plan)) return { ...plan, path: posix.normalize(plan.path) };
  throw new RefusedRequest('not-editable', plan.message, {
    obstacle: readOnlyReasonAt(context, path, plan.message, plan.line),
  });
}

async function write(context: EditContext, { path, text }: PropertyText): Promise<PropertyResponse> {
  createContentFile(context.session.content, path, text);
  context.session.notify(path);
  return propertyResponse(context, path);
}

/** A photo that cannot be removed stays: the property is gone already. */
function tryToRemove(root: string, { path, version }: { path: string; version: string }): boolean {
  try {
    removeContentFile(root, path, version);
    return true;
  } catch (error) {
    if (error instanceof RefusedRequest) return false;
    throw error;
  }
}
