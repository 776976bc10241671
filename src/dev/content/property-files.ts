import { posix } from 'node:path';
import { planPhotoRemoval } from '../../editing/photo-removal.ts';
import { type PropertyText, planCopy, planNewFile, planRename } from '../../editing/planned-file.ts';
import type { Refusal } from '../../editing/refusal.ts';
import type { CheckResponse, PropertyResponse, RemoveResponse } from '../../editor/api.ts';
import type { RequestBody } from '../../editor/requests.ts';
import { digestOf } from '../../release/digest.ts';
import { isSourcePath } from '../../source/content-path.ts';
import {
  type ContentFile,
  createContentFile,
  MAX_PHOTO_BYTES,
  readContentFile,
  removeContentFile,
  replaceContentFile,
} from '../content-folder.ts';
import { type EditContext, reasonWithLink } from '../edit-context.ts';
import { RefusedRequest } from '../refused-request.ts';
import { checkText } from './check-text.ts';
import { conflictError, contentResponse, findPathById, propertyResponse, readProperty } from './property.ts';

/** @throws RefusedRequest `not-editable` */
export async function checkNewProperty(
  context: EditContext,
  { fields }: RequestBody<'new'>,
): Promise<CheckResponse> {
  const { path, text } = planned(context, planNewFile(context.session.content, fields), '');
  const checked = await checkText(context, path, Buffer.from(text));
  return { ...contentResponse(context, text, checked), lines: [] };
}

/** @throws RefusedRequest `changed-meanwhile` if the id is in use; `not-editable`, `not-written` */
export async function createProperty(
  context: EditContext,
  { fields }: RequestBody<'new'>,
): Promise<PropertyResponse> {
  const known = (await findPathById(context, fields.id)) ?? context.created.get(fields.id) ?? '';
  const refused = await conflictError(context, known);
  if (refused.details.conflict?.theirs) throw refused;
  const made = await write(context, planned(context, planNewFile(context.session.content, fields), ''));
  context.created.set(made.values.id, made.path);
  return made;
}

/** @throws RefusedRequest `changed-meanwhile`, `not-editable`, `not-found`, `not-written` */
export async function copyProperty(
  context: EditContext,
  { path, version, title }: RequestBody<'copy'>,
): Promise<PropertyResponse> {
  const source = textOf(path, await readVersion(context, path, version));
  return write(context, planned(context, planCopy(context.session.content, source, title), path));
}

/** @throws as {@link copyProperty} */
export async function renameProperty(
  context: EditContext,
  { path, version }: RequestBody<'rename'>,
): Promise<PropertyResponse> {
  const { session } = context;
  const source = textOf(path, await readVersion(context, path, version));
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
}

/** @throws RefusedRequest `changed-meanwhile`, `not-found`, `not-written` */
export async function removeProperty(
  context: EditContext,
  { path, version, isRehearsal = false }: RequestBody<'remove'>,
): Promise<RemoveResponse> {
  const { session, removed } = context;
  const { bytes } = await readVersion(context, path, version);
  const { photos, kept } = planPhotoRemoval(session.content, path);
  if (isRehearsal) return { photos, kept };
  const found = photos.flatMap((photo) => photoAt(session.content, photo) ?? []);
  removeContentFile(session.content, path, version);
  removed.set(path, [{ path, bytes }, ...found]);
  session.notify(path);
  for (const photo of found) removeContentFile(session.content, photo.path, photo.version);
  return { photos: found.map((photo) => photo.path), kept };
}

/**
 * Restores a file that this session removed or reverted.
 * @throws RefusedRequest `not-found`, `name-taken`, `changed-meanwhile`, `not-written`
 */
export async function restoreProperty(
  context: EditContext,
  { path }: RequestBody<'restore'>,
): Promise<object> {
  const { session, removed } = context;
  const [file, ...photos] = removed.get(path) ?? [];
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
  removed.delete(path);
  session.notify(path);
  return isSourcePath(path) ? propertyResponse(context, path) : {};
}

function createUnlessTaken(root: string, { path, bytes }: { path: string; bytes: Buffer }): boolean {
  try {
    createContentFile(root, path, bytes);
    return true;
  } catch (error) {
    if (error instanceof RefusedRequest && error.code === 'name-taken') return false;
    throw error;
  }
}

async function readVersion(context: EditContext, path: string, version: string): Promise<ContentFile> {
  const found = await readProperty(context, path);
  if (found.version !== version) throw await conflictError(context, path);
  return found;
}

function textOf(path: string, { bytes }: ContentFile): PropertyText {
  return { path, text: bytes.toString('utf8') };
}

function planned(context: EditContext, plan: PropertyText | Refusal, path: string): PropertyText {
  if (!('refused' in plan)) return { ...plan, path: posix.normalize(plan.path) };
  throw new RefusedRequest('not-editable', plan.message, {
    obstacle: reasonWithLink(context, path, plan.message, plan.line),
  });
}

async function write(context: EditContext, { path, text }: PropertyText): Promise<PropertyResponse> {
  createContentFile(context.session.content, path, text);
  context.session.notify(path);
  return propertyResponse(context, path);
}

function photoAt(root: string, path: string) {
  try {
    return { path, ...readContentFile(root, path, MAX_PHOTO_BYTES) };
  } catch {
    return undefined;
  }
}
