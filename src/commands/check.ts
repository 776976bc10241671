/** `catalogue check`. */
import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { check } from '../pipeline/check.ts';
import { UsageError } from '../report/failure.ts';
import { createProgress } from '../report/progress.ts';
import { type Format, reportCheck } from '../report/report.ts';
import { exitCodeOf } from './exit-code.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type CheckArguments = { content: string; jobs?: number; format: Format };

/** Checks all, and reports on the given files or folders. Returns the exit code. */
export async function runCheck(paths: string[], { format, ...options }: CheckArguments): Promise<number> {
  const wanted = paths.map((path) => wantedPath(path, options.content));
  const sink = terminal();
  const progress = createProgress(sink.err, sink.live && format === 'pretty');
  try {
    const all = await check({ ...options, ...(format === 'json' ? {} : { listener: progress.listener }) });
    progress.end();
    const diagnostics = all.diagnostics.filter(
      ({ file }) =>
        wanted.length === 0 ||
        wanted.some((path) => path === '' || file === path || file.startsWith(`${path}/`)),
    );
    reportCheck({ ...all, diagnostics }, format, options.content, sink);
    return exitCodeOf(diagnostics);
  } finally {
    progress.end();
  }
}

/** A path of the command line, relative to the content folder. */
function wantedPath(path: string, content: string): string {
  const inside = relative(resolve(content), resolve(path)).split(sep).join('/');
  if (inside === '..' || inside.startsWith('../')) {
    throw new UsageError(
      'outside-content',
      `${path} is not in the content folder ${content}. Name that with --content.`,
    );
  }
  if (!existsSync(path)) throw new UsageError('no-such-file', `There is no ${path}. Check the path.`);
  return inside;
}
