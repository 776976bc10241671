/** The pre-commit framework, where there is one. */
import { existsSync } from 'node:fs';
import { missingPrograms } from '../programs.ts';

/** Path of the program; undefined when this machine has none. */
export function findPreCommit(): string | undefined {
  return ['/usr/bin/pre-commit', '/usr/local/bin/pre-commit'].find((path) => existsSync(path));
}

// The tests that import this need it.
if (!findPreCommit()) await missingPrograms([{ program: '/usr/bin/pre-commit', package: 'pre-commit' }]);
