/** Version and repository from the package's `package.json`. */
import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.ts';

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as {
  version: string;
  repository: { url: string };
};

/** Version of this package (semantic versioning). */
export const version: string = manifest.version;

/** URL of the repository: `https://`, without `.git`. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, '');
