import { existsSync } from 'node:fs';
import { basename, extname, join, posix } from 'node:path';
import { readYamlQuickly } from '../source/simple-yaml.ts';
import { readYamlExactly } from '../source/yaml-document.ts';
import { slugOf } from './slug.ts';

/** Paths relative to the content folder; undefined for an unreadable file. @param path path of the property's file */
export function photoPathsIn(path: string, text: string): string[] | undefined {
  const value = readYamlQuickly(text) ?? readYamlExactly(text, path).value;
  if (value === undefined) return undefined;
  const { photo } = Object(value) as { photo?: unknown };
  return (Array.isArray(photo) ? photo : []).flatMap((entry: unknown) => {
    const { file } = Object(entry) as { file?: unknown };
    if (typeof file !== 'string' || file.trim() === '') return [];
    const found = posix.normalize(posix.join(posix.dirname(path), file.trim()));
    return found.startsWith('../') ? [] : [found];
  });
}

export function photoPathFor(content: string, property: string, upload: string, extension: string): string {
  const folder = posix.join('photos', property.replace(/\.ya?ml$/i, '').replace(/^properties\//, ''));
  return freePhotoPath(folder, upload, extension, (path) => existsSync(join(content, path)));
}

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
