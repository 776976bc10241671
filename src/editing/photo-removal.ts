import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import { findSourceFiles } from '../source/find-files.ts';
import { photoPathsIn } from './photo-path.ts';

export type PhotoRemoval = {
  readonly photos: readonly string[];
  readonly kept: readonly string[];
};

/** Keeps a photo that another file refers to, or whose name occurs in the settings or in an unreadable file. */
export function planPhotoRemoval(content: string, path: string): PhotoRemoval {
  const own = [...new Set(photoPathsIn(path, textAt(content, path) ?? ''))];
  if (own.length === 0) return { photos: [], kept: [] };
  const isUsed = findPhotoUses(content, path);
  return { photos: own.filter((photo) => !isUsed(photo)), kept: own.filter(isUsed) };
}

/**
 * The returned function is true for a photo that may be in use.
 * @param except path of a property file whose photos do not count as used
 */
export function findPhotoUses(content: string, except?: string): (photo: string) => boolean {
  const used = new Set<string>();
  const mentions = [textAt(content, CONFIGURATION_FILE) ?? ''];
  for (const other of findSourceFiles(content).files) {
    if (other === except) continue;
    const text = textAt(content, other);
    const photos = text === undefined ? undefined : photoPathsIn(other, text);
    for (const photo of photos ?? []) used.add(folded(photo));
    if (!photos && text !== undefined) mentions.push(text);
  }
  return (photo) =>
    used.has(folded(photo)) || mentions.some((text) => folded(text).includes(folded(posix.basename(photo))));
}

const folded = (text: string) => text.normalize('NFC').toLowerCase();

function textAt(content: string, path: string): string | undefined {
  try {
    return readFileSync(join(content, path), 'utf8').replace(/^\ufeff/, '');
  } catch {
    return undefined;
  }
}
