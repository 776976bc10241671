/** `catalogue check`. */
import { check } from '../build/check.ts';
import { createProgress } from '../report/progress.ts';
import { type Format, reportCheck } from '../report/report.ts';
import { wantedBy } from './content-path.ts';
import { exitCodeOf } from './exit-code.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type CheckArguments = { content: string; jobs?: number; fix: boolean; format: Format };

/** Checks all, after repairs where they are wanted, and reports on the given files or folders. Returns the exit code. */
export async function runCheck(
  paths: string[],
  { format, fix, ...options }: CheckArguments,
): Promise<number> {
  const isWanted = wantedBy(paths, options.content);
  const sink = terminal();
  const repaired = fix ? await repair(options.content, isWanted) : undefined;
  const progress = createProgress(sink.err, sink.live && format === 'pretty');
  try {
    const result = await check({
      ...options,
      ...(paths.length > 0 && { isWanted }),
      ...(format === 'json' || format === 'sarif' ? {} : { listener: progress.listener }),
    });
    progress.end();
    reportCheck({ ...result, ...(repaired && { repaired }) }, format, options.content, sink);
    return exitCodeOf(result.diagnostics);
  } finally {
    progress.end();
  }
}

async function repair(content: string, isWanted: (file: string) => boolean) {
  const { repairContent } = await import('../editing/repair-content.ts');
  return repairContent({ content, isWanted });
}
