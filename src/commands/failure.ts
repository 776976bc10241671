import { describeFailure, toFailure } from '../errors/errors.ts';
import { printJson } from '../report/sink.ts';
import { terminal } from './terminal.ts';

/**
 * Prints the error and returns the exit code. Looks for `--format json` in `process.argv`, since parsing the options
 * may be what failed.
 */
export function reportFailure(error: unknown, more = ''): 2 | 3 {
  const { exitCode, message } = describeFailure(error);
  const sink = terminal();
  if (/\0--format[\0=]json\0/.test(`\0${process.argv.join('\0')}\0`)) {
    const { code, message: said } = toFailure(error);
    printJson({ error: { code, message: said } }, sink);
  }
  sink.err(`${message}\n${more}`);
  return exitCode;
}
