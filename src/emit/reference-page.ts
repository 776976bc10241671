/** The page in `docs/` that shows the OpenAPI document and tries it: prepared with the package, copied by a build. */
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOCS_FOLDER } from '../contract/files.ts';
import { PACKAGE_ROOT } from '../package-root.ts';
import { EnvironmentError } from '../report/failure.ts';

/** Where `scripts/bundle-docs.ts` puts the files. */
const PREPARED = fileURLToPath(new URL('lib/docs/', PACKAGE_ROOT));

/**
 * Digests of the files of the page, by key.
 *
 * @throws EnvironmentError when the package was not compiled.
 */
export function referencePage(): Map<string, string> {
  const list = join(PREPARED, 'files.json');
  if (!existsSync(list)) {
    throw new EnvironmentError(
      'incomplete-package',
      `${list} is missing, with the files of the API reference page. Install the package anew, or run "npm run compile".`,
    );
  }
  const digests = JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>;
  return new Map(Object.entries(digests).map(([name, digest]) => [`${DOCS_FOLDER}/${name}`, digest]));
}

/** Copies one file of the page below `dist/public`. */
export function copyReferenceFile(root: string, key: string): void {
  const path = join(root, key);
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(join(PREPARED, key.slice(DOCS_FOLDER.length + 1)), path);
}
