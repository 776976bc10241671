import { posix } from 'node:path';
import { photoPathFor } from '../../editing/photo-path.ts';
import { findPhotoUses } from '../../editing/photo-uses.ts';
import type { PhotoResponse } from '../../editor/api.ts';
import { isHeicReadable } from '../../media/heic.ts';
import type { MediaProblem } from '../../media/photo-problem.ts';
import { type PreparedUpload, prepareUpload } from '../../media/prepare-upload.ts';
import { DIAGNOSTIC_CODES } from '../../source/diagnostic-codes.ts';
import type { EditContext } from '../api/edit-context.ts';
import { RefusedRequest } from '../api/refused-request.ts';
import { bytesOfSide } from '../git/whole-file-choice.ts';
import { createContentFile, MAX_PHOTO_BYTES, readContentFile, removeContentFile } from './content-files.ts';
import { readPropertyFile } from './read-and-save-property.ts';

export const acceptedPhotoTypes = (): readonly string[] =>
  ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff', ...(isHeicReadable() ? ['heic', 'heif'] : [])].map(
    (format) => `image/${format}`,
  );

/** Maximum width, in pixels, of a photo that the editor shows. */
const SHOWN_WIDTH = 640;

/** @param name original file name. @throws RefusedRequest `bad-photo`, `not-found`, `too-large`, `not-written` */
export async function addPhoto(
  context: EditContext,
  path: string,
  name: string,
  bytes: Buffer,
): Promise<PhotoResponse> {
  const { session, uploads } = context;
  await readPropertyFile(context, path);
  const photo = await convertPhoto(context, name, bytes);
  const file = photoPathFor(session.content, path, name, photo.extension);
  createContentFile(session.content, file, photo.bytes);
  uploads.add(file);
  return {
    path: file,
    file: posix.relative(posix.dirname(path), file),
    width: photo.width,
    height: photo.height,
    bytes: photo.bytes.length,
  };
}

/** Returns a photo as {@link addPhoto} stores it. @throws RefusedRequest `bad-photo` */
export async function convertPhoto(
  { session }: EditContext,
  name: string,
  bytes: Buffer,
): Promise<PreparedUpload> {
  return usable(await prepareUpload(bytes, session.configuration().photo), name);
}

/**
 * Shows the version of the photo on one side of a merge conflict. Shows the file on disk if `side` is neither `yours`
 * nor `theirs`, or if that side does not have the photo.
 */
export async function photoPreview(
  { session: { content } }: EditContext,
  path: string,
  side: string | null,
): Promise<PreparedUpload> {
  const { bytes: present } = readContentFile(content, path, MAX_PHOTO_BYTES);
  const isSide = side === 'yours' || side === 'theirs';
  const bytes = isSide ? await bytesOfSide(content, path, side).catch(() => present) : present;
  return usable(await prepareUpload(bytes, { max_width: SHOWN_WIDTH }), posix.basename(path));
}

export function removeUnusedPhotos({ session, uploads }: EditContext): void {
  if (uploads.size === 0) return;
  const { content } = session;
  const isUsed = findPhotoUses(content);
  for (const path of uploads) {
    if (isUsed(path)) continue;
    try {
      removeContentFile(content, path, readContentFile(content, path, MAX_PHOTO_BYTES).version);
    } catch {}
  }
}

function usable(photo: PreparedUpload | MediaProblem, name: string): PreparedUpload {
  if (!('code' in photo)) return photo;
  const { message, help } = DIAGNOSTIC_CODES[photo.code];
  const args = { path: name, ...photo.args };
  throw new RefusedRequest('bad-photo', `${message(args)} ${help(args)}`.trim());
}
