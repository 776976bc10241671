/** `catalogue prune`. */
import { withDryRun } from '../publish/dry-run.ts';
import { pruneReleases } from '../publish/prune.ts';
import { openTarget } from '../publish/target.ts';
import { reportPrune } from '../report/publish.ts';
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
