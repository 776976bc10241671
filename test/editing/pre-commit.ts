/** The pre-commit framework, when it is installed. */
import { existsSync } from 'node:fs';
import { missingPrograms } from '../support/programs.ts';

/** Path of the program; undefined when this machine has none. */
export function findPreCommit(): string | undefined {
  return ['/usr/bin/pre-commit', '/usr/local/bin/pre-commit'].find((path) => existsSync(path));
}

// The importing tests need it.
if (!findPreCommit()) await missingPrograms([{ program: '/usr/bin/pre-commit', package: 'pre-commit' }]);
