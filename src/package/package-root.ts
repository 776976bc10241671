/** Finds the folder of the package, which has the files shipped with the code, even if the code is bundled. */
import { existsSync } from 'node:fs';

/** Folder of the package's `package.json`, with a trailing slash. */
export const PACKAGE_ROOT: URL = rootFrom(new URL('.', import.meta.url));

function rootFrom(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  return parent.href === folder.href ? folder : rootFrom(parent);
}
