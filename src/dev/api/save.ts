/** Saves edits of a file, and takes back what this session did to it. */
import type { PropertyAnswer, SaveRequest, UndoAnswer, UndoRequest } from '../../editor/api.ts';
import { digestOf } from '../../release/digest.ts';
import { createContentFile, removeContentFile, replaceContentFile } from './content-folder.ts';
import type { Desk } from './desk.ts';
import { conflictAt, editedText, propertyAnswer, readProperty } from './property.ts';
import { Refused } from './refused.ts';

/**
 * Writes the lines that edits change, and answers when what is served has them.
 *
 * @throws Refused `changed-meanwhile`, `not-editable`, `open-elsewhere`, `not-found`, `not-written`.
 */
export async function saveEdits(desk: Desk, { path, version, edits }: SaveRequest): Promise<PropertyAnswer> {
  const { session, journal } = desk;
  const { bytes, version: now } = await readProperty(desk, path);
  if (now !== version) throw await conflictAt(desk, path, version, edits);
  const after = Buffer.from(editedText(desk, path, bytes, edits));
  if (!after.equals(bytes)) {
    try {
      replaceContentFile(session.content, path, version, after);
    } catch (error) {
      throw isConflict(error) ? await conflictAt(desk, path, version, edits) : error;
    }
    journal.add(path, { after: digestOf(after), before: bytes, photos: [] });
    await session.refresh([path]);
  }
  return propertyAnswer(desk, path);
}

/** @throws Refused `nothing-to-undo`, `changed-meanwhile`, `name-taken`, `open-elsewhere`, `not-written`. */
export async function undoLast(desk: Desk, { path, version }: UndoRequest): Promise<UndoAnswer> {
  const { session, journal } = desk;
  const step = journal.last(path);
  if (!step)
    throw new Refused('nothing-to-undo', 'This session did nothing to this file that can be undone.');
  if (step.after !== version) throw await conflictAt(desk, path, version, []);
  if (step.before === undefined) removeContentFile(session.content, path, version);
  else if (step.after !== '') replaceContentFile(session.content, path, version, step.before);
  else {
    for (const photo of step.photos) createUnlessThere(session.content, photo);
    createContentFile(session.content, path, step.before);
  }
  journal.drop(path);
  await session.refresh([path, ...step.photos.map((photo) => photo.path)]);
  return { property: step.before === undefined ? null : await propertyAnswer(desk, path) };
}

function createUnlessThere(root: string, { path, bytes }: { path: string; bytes: Buffer }): void {
  try {
    createContentFile(root, path, bytes);
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'name-taken') throw error;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Refused && error.code === 'changed-meanwhile';
}
