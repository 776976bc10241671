/** A folder like an installed and compiled clone of this repository, without its content. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './temporary.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export function createClone(more: readonly string[] = []): string {
  const folder = temporaryFolder();
  for (const name of ['lib', 'node_modules', 'package.json', ...more])
    symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, 'content'));
  return folder;
}
