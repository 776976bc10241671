/** Exit codes of commands that read content. */
import type { Diagnostic } from '../source/diagnostic.ts';
import { CONFIGURATION_FILE } from '../source/find-files.ts';

/** 0: no errors; 1: the content has errors; 2: the configuration has. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): 0 | 1 | 2 {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return 0;
  return errors.some(({ file }) => file === CONFIGURATION_FILE) ? 2 : 1;
}
