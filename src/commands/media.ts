/** `catalogue media`. */

import { makeImages } from '../build/images/make-images.ts';
import type { CacheLocation } from '../build/images/shared-cache.ts';
import { findShard } from '../media/shard.ts';
import { reportMedia } from '../report/media.ts';
import { createProgress } from '../report/progress.ts';
import type { Format } from '../report/report.ts';
import { exitCodeOf } from './exit-code.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type MediaArguments = CacheLocation & {
  content: string;
  out: string;
  shard?: string;
  checkCache: boolean;
  jobs?: number;
  format: Format;
};

/** Makes images and reports. Returns the exit code. */
export async function runMedia({ format, shard: text, ...options }: MediaArguments): Promise<number> {
  const shard = findShard(text, process.env);
  const sink = terminal();
  const progress = createProgress(sink.err, sink.live && format === 'pretty');
  try {
    const result = await makeImages({
      ...options,
      shard,
      ...(format === 'json' || format === 'sarif' ? {} : { listener: progress.listener }),
    });
    progress.end();
    reportMedia(result, format, options.content, sink);
    return exitCodeOf(result.diagnostics);
  } finally {
    progress.end();
  }
}
