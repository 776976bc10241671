/** Makes, copies, renames and removes property files. */
import { posix } from 'node:path';

import type { Refusal } from '../../editing/refusal.ts';
import { planRemoval } from '../../editing/removal.ts';
import { type PropertyText, planCopy, planNew, planRename } from '../../editing/whole-file.ts';
import type {
  CheckAnswer,
  CopyRequest,
  NewRequest,
  PropertyAnswer,
  RemoveAnswer,
  RemoveRequest,
  RenameRequest,
  RestoreRequest,
} from '../../editor/api.ts';
import { digestOf } from '../../release/digest.ts';
import { type ContentFile, createContentFile, readContentFile, removeContentFile } from './content-folder.ts';
import { type Desk, obstacleAt } from './desk.ts';
import { examine } from './examine.ts';
import { UPLOAD_BOUNDS } from './photo-bounds.ts';
import { conflictAt, described, propertyAnswer, readProperty } from './property.ts';
import { Refused } from './refused.ts';

/** What a new file would be; nothing is written. @throws Refused `not-editable`. */
export async function checkNew(desk: Desk, { fields }: NewRequest): Promise<CheckAnswer> {
  const { path, text } = planned(desk, planNew(desk.session.content, fields), '');
  const examined = await examine(desk.session, path, Buffer.from(text));
  return { ...described(desk, text, examined), lines: [] };
}

/** @throws Refused `not-editable`, `not-written`. */
export async function createProperty(desk: Desk, { fields }: NewRequest): Promise<PropertyAnswer> {
  return write(desk, planned(desk, planNew(desk.session.content, fields), ''));
}

/** @throws Refused `changed-meanwhile`, `not-editable`, `not-found`, `not-written`. */
export async function copyProperty(
  desk: Desk,
  { path, version, title }: CopyRequest,
): Promise<PropertyAnswer> {
  const source = textOf(path, await readVersion(desk, path, version));
  return write(desk, planned(desk, planCopy(desk.session.content, source, title), path));
}

/** @throws as {@link copyProperty}. */
export async function renameProperty(desk: Desk, { path, version }: RenameRequest): Promise<PropertyAnswer> {
  const { session } = desk;
  const source = textOf(path, await readVersion(desk, path, version));
  const renamed = planned(desk, planRename(session.content, source), path);
  if (renamed.path === path) return propertyAnswer(desk, path);
  createContentFile(session.content, renamed.path, renamed.text);
  try {
    removeContentFile(session.content, path, version);
  } catch (error) {
    removeContentFile(session.content, renamed.path, digestOf(renamed.text));
    throw error;
  }
  session.hear(path);
  session.hear(renamed.path);
  return propertyAnswer(desk, renamed.path);
}

/** @throws Refused `changed-meanwhile`, `not-found`, `not-written`. */
export async function removeProperty(
  desk: Desk,
  { path, version, isRehearsal = false }: RemoveRequest,
): Promise<RemoveAnswer> {
  const { session, removed } = desk;
  const { bytes } = await readVersion(desk, path, version);
  const { photos, kept } = planRemoval(session.content, path);
  if (isRehearsal) return { photos, kept };
  const found = photos.flatMap((photo) => photoAt(session.content, photo) ?? []);
  removeContentFile(session.content, path, version);
  for (const photo of found) removeContentFile(session.content, photo.path, photo.version);
  removed.set(path, [{ path, bytes }, ...found]);
  session.hear(path);
  return { photos: found.map((photo) => photo.path), kept };
}

/** Brings back a property that this session removed. @throws Refused `not-found`, `name-taken`, `not-written`. */
export async function restoreProperty(desk: Desk, { path }: RestoreRequest): Promise<PropertyAnswer> {
  const { session, removed } = desk;
  const [file, ...photos] = removed.get(path) ?? [];
  if (!file) throw new Refused('not-found', `This session did not remove ${path.slice(0, 200)}.`);
  createContentFile(session.content, path, file.bytes);
  for (const photo of photos) {
    try {
      createContentFile(session.content, photo.path, photo.bytes);
    } catch (error) {
      // A photo that came back by another way is left alone.
      if (!(error instanceof Refused) || error.code !== 'name-taken') throw error;
    }
  }
  removed.delete(path);
  session.hear(path);
  return propertyAnswer(desk, path);
}

async function readVersion(desk: Desk, path: string, version: string): Promise<ContentFile> {
  const found = await readProperty(desk, path);
  if (found.version !== version) throw await conflictAt(desk, path);
  return found;
}

function textOf(path: string, { bytes }: ContentFile): PropertyText {
  return { path, text: bytes.toString('utf8') };
}

/** @throws Refused `not-editable` for a plan that the engine refuses. */
function planned(desk: Desk, plan: PropertyText | Refusal, path: string): PropertyText {
  if (!('refused' in plan)) return { ...plan, path: posix.normalize(plan.path) };
  throw new Refused('not-editable', plan.message, {
    obstacle: obstacleAt(desk, path, plan.message, plan.line),
  });
}

async function write(desk: Desk, { path, text }: PropertyText): Promise<PropertyAnswer> {
  createContentFile(desk.session.content, path, text);
  desk.session.hear(path);
  return propertyAnswer(desk, path);
}

/** A photo with its bytes; undefined when it is gone. */
function photoAt(root: string, path: string) {
  try {
    return { path, ...readContentFile(root, path, UPLOAD_BOUNDS.bytes) };
  } catch {
    return undefined;
  }
}
