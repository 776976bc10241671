/** Plans the removal of a property with the photos that only it uses. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import { findSourceFiles } from '../source/find-files.ts';
import { photosNamed } from './photo-path.ts';

/** A property's photos in the content folder, relative to it. */
export type Removal = {
  /** Photos that nothing else uses, to be removed with it. */
  readonly photos: readonly string[];
  /** Photos that may be used elsewhere, to be kept. */
  readonly kept: readonly string[];
};

/**
 * Plans the removal of a property. A photo is kept in any doubt: when another file names it, in any case or Unicode
 * form, or when its name occurs in an unreadable file or in the configuration.
 *
 * @param content absolute path of the content folder.
 * @param path path of the property's file, relative to the content folder.
 */
export function planRemoval(content: string, path: string): Removal {
  const own = [...new Set(photosNamed(path, textAt(content, path) ?? ''))];
  if (own.length === 0) return { photos: [], kept: [] };
  const isUsed = findUses(content, path);
  return { photos: own.filter((photo) => !isUsed(photo)), kept: own.filter(isUsed) };
}

/**
 * Returns a function that tells whether a photo may be used.
 *
 * @param except path of a property file that does not count.
 */
export function findUses(content: string, except?: string): (photo: string) => boolean {
  const used = new Set<string>();
  const mentions = [textAt(content, CONFIGURATION_FILE) ?? ''];
  for (const other of findSourceFiles(content).files) {
    if (other === except) continue;
    const text = textAt(content, other);
    const photos = text === undefined ? undefined : photosNamed(other, text);
    for (const photo of photos ?? []) used.add(folded(photo));
    if (!photos && text !== undefined) mentions.push(text);
  }
  return (photo) =>
    used.has(folded(photo)) || mentions.some((text) => folded(text).includes(folded(posix.basename(photo))));
}

/** Many file systems ignore case and Unicode form. */
const folded = (text: string) => text.normalize('NFC').toLowerCase();

function textAt(content: string, path: string): string | undefined {
  try {
    return readFileSync(join(content, path), 'utf8').replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}
