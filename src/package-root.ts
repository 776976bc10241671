/** Where this package is: what it ships beside its code is found from there, however the code was bundled. */
import { existsSync } from 'node:fs';

/** The folder that holds this package's `package.json`, with a trailing slash. */
export const PACKAGE_ROOT: URL = rootFrom(new URL('.', import.meta.url));

function rootFrom(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  return parent.href === folder.href ? folder : rootFrom(parent);
}
