#!/usr/bin/env node
/** The command line. Exit codes: 0 success, 1 errors in the content, 2 wrong usage, 3 failure of the environment. */
import { CommanderError } from '@commander-js/extra-typings';
import { createProgram } from './commands/program.ts';
import { wrapForStream } from './commands/terminal.ts';
// Static imports: after a failure such as too many open files, no more modules can be loaded.
import { describeFailure } from './errors/errors.ts';
import { enableCompileCache } from './process/compile-cache.ts';

enableCompileCache();
process.on('uncaughtException', (error) => {
  fail(error);
  process.exit();
});
// A closed pipe, such as that of `head`, must not stop the command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help')) {
    // Commander has printed help or the version already. Without a command, help is an error.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    fail(error);
  }
}

function fail(error: unknown): void {
  const { exitCode, message } = describeFailure(error);
  process.exitCode = exitCode;
  process.stderr.write(wrapForStream(`${message}\n`, process.stderr));
}
