/** Files that are prepared with the package, in `lib/docs` and `lib/explorer`, which are published as they are. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DOCS_FOLDER } from '../contract/document-keys.ts';
import type { EXPLORER_FOLDER } from '../contract/keys.ts';
import { EnvironmentError } from '../errors.ts';
import { PACKAGE_ROOT } from '../package-root.ts';

/** Name of a folder of such files, in the package and below `dist/public`. */
export type PreparedFolder = typeof DOCS_FOLDER | typeof EXPLORER_FOLDER;

/** Where `scripts/prepared-files.ts` puts the files. */
const PREPARED = fileURLToPath(new URL('lib/', PACKAGE_ROOT));

/**
 * Digests of the files of a folder, by key.
 *
 * @throws EnvironmentError when the package was not compiled.
 */
export function preparedFiles(folder: PreparedFolder): Map<string, string> {
  const list = join(PREPARED, folder, 'files.json');
  if (!existsSync(list)) {
    throw new EnvironmentError(
      'incomplete-package',
      `${list} is missing, with files that every catalogue has. Install the package again, or run "npm run compile".`,
    );
  }
  const digests = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
  return new Map(Object.entries(digests).map(([name, digest]) => [`${folder}/${name}`, digest]));
}

/** The content of one of these files. */
export function readPreparedFile(key: string): Buffer {
  return readFileSync(join(PREPARED, key));
}
