import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import { findPropertyFiles } from '../source/find-property-files.ts';
import { photoPathsIn } from './photo-path.ts';
import { readSourceText } from './read-and-replace.ts';

export type PhotoRemoval = {
  readonly photos: readonly string[];
  readonly kept: readonly string[];
};

/** Keeps a photo that another file refers to, or whose name occurs in the settings or in an invalid YAML file. */
export function planPhotoRemoval(content: string, path: string): PhotoRemoval {
  const source = readSourceText(content, path);
  const own = 'code' in source ? [] : [...new Set(photoPathsIn(path, source.text))];
  if (own.length === 0) return { photos: [], kept: [] };
  const isUsed = findPhotoUses(content, path);
  return { photos: own.filter((photo) => !isUsed(photo)), kept: own.filter(isUsed) };
}

/**
 * Returns a function that tells whether a photo may be in use. If a file or folder cannot be read, every photo may be.
 * Photos that only the property file at the path `except` shows do not count as used.
 */
export function findPhotoUses(content: string, except?: string): (photo: string) => boolean {
  const used = new Set<string>();
  const mentions: string[] = [];
  const { files, diagnostics } = findPropertyFiles(content);
  if (diagnostics.some(({ code }) => code.startsWith('unreadable-'))) return () => true;
  const settings = existsSync(join(content, CONFIGURATION_FILE)) ? [CONFIGURATION_FILE] : [];
  for (const other of [...settings, ...files]) {
    if (other === except) continue;
    const source = readSourceText(content, other);
    if ('code' in source) return () => true;
    const photos = other === CONFIGURATION_FILE ? undefined : photoPathsIn(other, source.text);
    for (const photo of photos ?? []) used.add(folded(photo));
    if (!photos) mentions.push(folded(source.text));
  }
  return (photo) =>
    used.has(folded(photo)) || mentions.some((text) => text.includes(folded(posix.basename(photo))));
}

const folded = (text: string) => text.normalize('NFC').toLowerCase();
