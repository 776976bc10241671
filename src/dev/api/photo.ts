/** Takes photos in, and shows photos of the content folder. */
import { posix } from 'node:path';
import { photoPathFor } from '../../editing/new-photo.ts';
import type { PhotoAnswer } from '../../editor/api.ts';
import { type TakenPhoto, takePhoto } from '../../media/intake.ts';
import type { MediaProblem } from '../../media/problem.ts';
import { CODES } from '../../source/codes.ts';
import { createContentFile, readContentFile } from './content-folder.ts';
import type { Desk } from './desk.ts';
import { UPLOAD_BOUNDS } from './photo-bounds.ts';
import { readProperty } from './property.ts';
import { Refused } from './refused.ts';

/** Widest photo that the page shows, in pixels. */
const SHOWN_WIDTH = 640;

/**
 * Puts a photo into the folder of a property's photos: shrunk, upright, without metadata.
 *
 * @param path of the property's file.
 * @param name of the photo's file where it comes from.
 * @throws Refused `bad-photo`, `not-found`, `not-written`.
 */
export async function addPhoto(desk: Desk, path: string, name: string, bytes: Buffer): Promise<PhotoAnswer> {
  const { session, uploads } = desk;
  await readProperty(desk, path);
  const photo = sound(await takePhoto(bytes, session.configuration().photo), name);
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

/** A photo of the content folder, small. @throws Refused `bad-photo`, `not-found`. */
export async function showPhoto({ session }: Desk, path: string): Promise<TakenPhoto> {
  const { bytes } = readContentFile(session.content, path, UPLOAD_BOUNDS.bytes);
  return sound(await takePhoto(bytes, { max_width: SHOWN_WIDTH }), posix.basename(path));
}

function sound(photo: TakenPhoto | MediaProblem, name: string): TakenPhoto {
  if (!('code' in photo)) return photo;
  const { message, help } = CODES[photo.code];
  const args = { path: name, ...photo.args };
  throw new Refused('bad-photo', `${message(args)} ${help(args)}`.trim());
}
