#!/usr/bin/env node
/** The command line. Exit codes: 0 done, 1 the content has errors, 2 wrong usage, 3 the environment failed. */
import { CommanderError } from '@commander-js/extra-typings';
import { createProgram } from './commands/program.ts';
import { enableCompileCache } from './compile-cache.ts';
// Loaded at once: what failed may be that no more files can be opened.
import { describeFailure } from './errors.ts';

enableCompileCache();
// A reader that has seen enough, such as `head`, ends the output and not the work.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
try {
  await createProgram().parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // Help and version end with 0; all else that commander refuses is wrong usage.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    const { exitCode, message } = describeFailure(error);
    process.stderr.write(`${message}\n`);
    process.exitCode = exitCode;
  }
}
