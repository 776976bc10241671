import { readFileSync } from 'node:fs';
import { PACKAGE_ROOT } from './package-root.ts';

const manifest = JSON.parse(readFileSync(new URL('package.json', PACKAGE_ROOT), 'utf8')) as {
  version: string;
  repository: { url: string };
};

export const version: string = manifest.version;

export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, '');
