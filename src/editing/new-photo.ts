/** Chooses paths for new photo files. */
import { existsSync } from 'node:fs';
import { basename, extname, join, posix } from 'node:path';
import { slugOf } from './slug.ts';

/**
 * Returns a free path for a photo, relative to the content folder: `photos/<country>/<property>/<name>`.
 *
 * @param property path of the property's file, such as `properties/ie/rose-cottage.yaml`.
 * @param upload original file name; any text.
 * @param extension of the new file, with the dot.
 * @param isTaken tells whether a path is reserved for another file. @default none is
 */
export function photoPathFor(
  content: string,
  property: string,
  upload: string,
  extension: string,
  isTaken: (path: string) => boolean = () => false,
): string {
  const folder = posix.join('photos', property.replace(/\.ya?ml$/i, '').replace(/^properties\//, ''));
  return freePhotoPath(folder, upload, extension, (path) => existsSync(join(content, path)) || isTaken(path));
}

/** Returns a free path in a folder, with a name in Latin letters. */
export function freePhotoPath(
  folder: string,
  upload: string,
  extension: string,
  isTaken: (path: string) => boolean,
): string {
  const last = upload.split(/[/\\]/).at(-1) ?? '';
  const name = slugOf(basename(last, extname(last)), 60) || 'photo';
  for (let number = 1; ; number++) {
    const path = `${folder}/${name}${number > 1 ? `-${number}` : ''}${extension}`;
    if (!isTaken(path)) return path;
  }
}
