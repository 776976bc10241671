/** The version of this package. */
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.ts';

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as {
  version: string;
};

/** The version of this package, as semantic versioning writes it. */
export const version: string = manifest.version;
