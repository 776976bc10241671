/** Progress and exit codes of commands that read content. */
import type { Listener } from '../build/progress.ts';
import { type Format, hasErrors } from '../report/diagnostics.ts';
import { createProgress } from '../report/progress.ts';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Terminal } from './terminal.ts';

/** Runs a function, and shows its progress where the format allows that. */
export async function withProgress<Result>(
  { err, live }: Terminal,
  format: Format,
  run: (progress: { readonly listener?: Listener }) => Promise<Result>,
): Promise<Result> {
  const { listener, end } = createProgress(err, live && format === 'pretty');
  try {
    return await run(format === 'json' || format === 'sarif' ? {} : { listener });
  } finally {
    end();
  }
}

/** Returns the exit code. 0: no errors; 1: errors in the content; 2: errors in the configuration. */
export function exitCodeOf(diagnostics: readonly Diagnostic[]): 0 | 1 | 2 {
  if (!hasErrors(diagnostics)) return 0;
  return hasErrors(diagnostics.filter(({ file }) => file === CONFIGURATION_FILE)) ? 2 : 1;
}
