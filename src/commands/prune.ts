import type { Machine } from '../storage/machine.ts';
import { printable } from '../text/printable.ts';
import {
  bucketWriteCommand,
  lockOptions,
  openCacheInvalidators,
  optionalBucketArgument,
  runWithLockRelease,
  withPublishedBucket,
} from './bucket.ts';
import { parseWholeNumber, withExitCode } from './command.ts';
import { terminal } from './terminal.ts';

export const pruneCommand = () =>
  bucketWriteCommand('prune', {
    does: 'remove what a bucket keeps of releases that were replaced long ago',
    examples: ['prune s3://stays --dry-run', 'prune s3://stays --keep 30 --grace 14'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(optionalBucketArgument())
    .option(
      '--keep <number>',
      'earlier releases to keep in the record (default: 10, or 0 with --grace 0)',
      parseWholeNumber,
    )
    .option('--grace <days>', 'days for which a replaced release can be restored', parseWholeNumber, 7)
    .option('--force', 'also remove releases that readers were promised for longer', false)
    .action(
      withExitCode(async (address, options) => {
        const { pruneReleases } = await import('../publish/prune.ts');
        const { reportPrune } = await import('../report/publish.ts');
        const { keep, grace, force, dryRun, format } = options;
        const sink = terminal();
        const note = (text: string) => sink.err(`Note: ${printable(text)}\n`);
        const caches = (baseUrl: string) => openCacheInvalidators(options, baseUrl);
        const run = async (host: Machine) => {
          const lock = { ...lockOptions(options, host), note };
          const result = await withPublishedBucket(address, options, (bucket) =>
            pruneReleases(bucket, { keep, grace, force, lock, caches }),
          );
          reportPrune(result, format, dryRun, sink);
        };
        const left = () =>
          `Readers of ${printable(address)} get what they did before; a part of what was to be removed may be gone.`;
        return runWithLockRelease(address, run, left);
      }),
    );
