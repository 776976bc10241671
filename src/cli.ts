#!/usr/bin/env node
/**
 * Exit codes: 0 success, 1 errors in content or a failed check, 2 wrong usage or settings, 3 a failed environment
 * (disk, network, another process), above 128 stopped by a signal or cancelled.
 */
import { CommanderError } from '@commander-js/extra-typings';
// Imported up front: after a failure such as too many open files, a dynamic import might fail too.
import { reportFailure } from './commands/failure.ts';
import { createProgram } from './commands/program.ts';
import { enableCompileCache } from './process/compile-cache.ts';

enableCompileCache();
process.on('uncaughtException', (error) => {
  process.exit(reportFailure(error));
});
// The command continues if the program that reads its output, such as `head`, ends first.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
    // Commander has already printed the help or the version. A call without a command counts as wrong usage.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.exitCode = reportFailure(error);
  }
}
