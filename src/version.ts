/** What this package says of itself in its `package.json`. */
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.ts';

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as {
  version: string;
  repository: { url: string };
};

/** The version of this package, as semantic versioning writes it. */
export const version: string = manifest.version;

/** Address of the repository of this package, for people: `https://`, without `.git`. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, '');
