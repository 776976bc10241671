/** Indexes the content folder before an import. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join, posix, resolve } from 'node:path';
import { scan } from '../build/inputs/scan.ts';
import { guessId } from '../source/property-file.ts';
import { readQuickly } from '../source/simple-yaml.ts';
import { readExactly } from '../source/yaml-document.ts';

/** Properties and photos in a content folder. All paths are relative to it. */
export type Present = {
  /** Paths of properties, by id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Paths of all YAML files. */
  readonly files: ReadonlySet<string>;
  /** Paths of the YAML files that name a photo, by the photo's path. */
  readonly photoUsers: ReadonlyMap<string, readonly string[]>;
};

/**
 * Indexes a content folder, which is created if needed.
 *
 * @throws the error of the file system.
 */
export function findPresent(content: string): Present {
  mkdirSync(content, { recursive: true });
  const { files } = scan(resolve(content));
  const paths = new Map<string, string>();
  const photoUsers = new Map<string, string[]>();
  for (const path of files) {
    const text = readFileSync(join(content, path), 'utf8');
    const id = guessId(text);
    if (id !== undefined) paths.set(id, path);
    for (const photo of photosOf(text, path)) photoUsers.set(photo, [...(photoUsers.get(photo) ?? []), path]);
  }
  return { paths, files: new Set(files), photoUsers };
}

/** Lists the photo files that a property file names, even if it has other errors. */
function photosOf(text: string, path: string): string[] {
  if (!text.includes('file')) return [];
  const { photo } = Object(readQuickly(text) ?? readExactly(text, '').value) as { photo?: unknown };
  return (Array.isArray(photo) ? photo : []).flatMap((entry: unknown) => {
    const { file } = Object(entry) as { file?: unknown };
    return typeof file === 'string' ? [posix.normalize(posix.join(posix.dirname(path), file.trim()))] : [];
  });
}
