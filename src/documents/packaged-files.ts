/** Files that ship with the package (`lib/docs`, `lib/explorer`) and are published unchanged. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DOCS_FOLDER } from '../contract/document-keys.ts';
import type { EXPLORER_FOLDER } from '../contract/object-keys.ts';
import { EnvironmentError } from '../errors/errors.ts';
import { PACKAGE_ROOT } from '../package/package-root.ts';

export type PackagedFolder = typeof DOCS_FOLDER | typeof EXPLORER_FOLDER;

/** `scripts/bundled-assets.ts` writes to this folder. */
const PREPARED_FOLDER = fileURLToPath(new URL('lib/', PACKAGE_ROOT));

/** Returns digests by key. @throws EnvironmentError if the package was not compiled */
export function packagedFileDigests(folder: PackagedFolder): Map<string, string> {
  const list = join(PREPARED_FOLDER, folder, 'files.json');
  if (!existsSync(list)) {
    throw new EnvironmentError(
      'incomplete-package',
      `${list} is missing, with files that every catalogue has. Install the package again, or run "npm run compile".`,
    );
  }
  const digests = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
  return new Map(Object.entries(digests).map(([name, digest]) => [`${folder}/${name}`, digest]));
}

export function readPackagedFile(key: string): Buffer {
  return readFileSync(join(PREPARED_FOLDER, key));
}
