import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scan } from '../build/inputs/scan.ts';
import { photosNamed } from '../editing/photo-path.ts';
import { readBoundedText } from '../files/folder.ts';
import { guessId } from '../source/property-file.ts';
import { MAX_FILE_BYTES } from '../source/source-text.ts';

/** Properties and photos in a content folder. All paths are relative to it. */
export type Present = {
  readonly paths: ReadonlyMap<string, string>;
  readonly files: ReadonlySet<string>;
  /** Paths of the YAML files that name a photo, by the photo's path. */
  readonly photoUsers: ReadonlyMap<string, readonly string[]>;
  /** The topmost folder that was created for it; undefined when it was there. */
  readonly made?: string | undefined;
};

export function findPresent(content: string): Present {
  const made = mkdirSync(content, { recursive: true });
  const { files } = scan(resolve(content));
  const paths = new Map<string, string>();
  const photoUsers = new Map<string, string[]>();
  for (const path of files) {
    const text = readBoundedText(join(content, path), MAX_FILE_BYTES);
    const id = guessId(text);
    if (id !== undefined) paths.set(id, path);
    for (const photo of (text.includes('file') && photosNamed(path, text)) || [])
      photoUsers.set(photo, [...(photoUsers.get(photo) ?? []), path]);
  }
  return { paths, files: new Set(files), photoUsers, made };
}
