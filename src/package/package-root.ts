/** Finds the folder of the package, to read files that are shipped with the code. Bundled code finds it too. */
import { existsSync } from 'node:fs';

/** Folder of the package's `package.json`, with a trailing slash. */
export const PACKAGE_ROOT: URL = rootFrom(new URL('.', import.meta.url));

function rootFrom(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  return parent.href === folder.href ? folder : rootFrom(parent);
}
