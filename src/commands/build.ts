/** `catalogue build`. */
import { build } from '../build/build.ts';
import type { CacheLocation } from '../build/images/shared-cache.ts';
import { createProgress } from '../report/progress.ts';
import { type Format, reportBuild } from '../report/report.ts';
import { exitCodeOf } from './exit-code.ts';
import { untilStopped } from './stopping.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type BuildArguments = CacheLocation & {
  content: string;
  out: string;
  baseUrl?: string;
  keepGoing: boolean;
  force: boolean;
  checkOutput: boolean;
  jobs?: number;
  format: Format;
};

/** Builds and reports. Returns the exit code. */
export async function runBuild({ format, ...options }: BuildArguments): Promise<number> {
  const sink = terminal();
  return untilStopped(async (signal) => {
    const progress = createProgress(sink.err, sink.live && format === 'pretty');
    try {
      const result = await build({
        ...options,
        signal,
        ...(format === 'json' || format === 'sarif' ? {} : { listener: progress.listener }),
      });
      progress.end();
      reportBuild(result, format, options.content, sink);
      return exitCodeOf(result.diagnostics);
    } finally {
      progress.end();
    }
  }, sink.err);
}
