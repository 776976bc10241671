/** `catalogue prune`. */

import { pruneReleases } from '../publish/archive/prune.ts';
import { reportPrune } from '../report/publish.ts';
import { withDryRun } from '../storage/dry-run.ts';
import { openTarget } from '../storage/open.ts';
import type { TargetArguments } from './publish.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type PruneArguments = TargetArguments & { keep: number; grace: number };

/** Prunes and reports. Returns the exit code. */
export async function runPrune(target: string, args: PruneArguments): Promise<number> {
  const { keep, grace, dryRun, format } = args;
  const { bucket, close } = await openTarget(target, args);
  try {
    const lock = { force: args.forceUnlock, isExclusive: args.lock };
    const result = await pruneReleases(dryRun ? withDryRun(bucket) : bucket, { keep, grace, lock });
    reportPrune(result, format, dryRun, terminal());
    return 0;
  } finally {
    close();
  }
}
