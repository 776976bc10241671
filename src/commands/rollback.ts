/** `catalogue rollback`. */

import { rollBack } from '../publish/archive/rollback.ts';
import { createPublishReport, remembered, reportPublish } from '../report/publish.ts';
import { withDryRun } from '../storage/dry-run.ts';
import { openTarget } from '../storage/open.ts';
import { publishOptions, type ReleaseArguments } from './publish.ts';
import { terminal } from './terminal.ts';

/** Restores a release and reports. Returns the exit code. */
export async function runRollback(
  target: string,
  release: string | undefined,
  args: ReleaseArguments,
): Promise<number> {
  const { format, dryRun: isDryRun } = args;
  const sink = terminal();
  const report = createPublishReport(
    { ...sink, live: sink.live && format === 'pretty' },
    remembered(format, isDryRun),
  );
  const { bucket, close } = await openTarget(target, args);
  try {
    const options = { ...(await publishOptions(args)), listener: report.listener };
    const result = await rollBack(isDryRun ? withDryRun(bucket) : bucket, release, options);
    report.end();
    reportPublish(result, report, { format, isDryRun, verb: 'Restored' }, sink);
    return 0;
  } finally {
    report.end();
    close();
  }
}
