import type { Machine } from '../storage/machine.ts';
import { printable } from '../text/printable.ts';
import { createBucketWriteCommand, optionalBucketArgument } from './bucket-options.ts';
import { actionWithExitCode, createIntegerParser } from './command.ts';
import { lockOptions, openCachePurgers, runWithStoppableMachine } from './publish-run.ts';
import { terminal } from './terminal.ts';
import { withExistingBucket } from './with-bucket.ts';

export const pruneCommand = () =>
  createBucketWriteCommand('prune', {
    does: 'remove what a bucket keeps of releases that were replaced long ago',
    examples: ['prune s3://stays --dry-run', 'prune s3://stays --keep 30 --grace 14'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(optionalBucketArgument())
    .option(
      '--keep <number>',
      'earlier releases to keep in the record (default: 10, or 0 with --grace 0)',
      createIntegerParser(0),
    )
    .option('--grace <days>', 'days for which a replaced release can be restored', createIntegerParser(0), 7)
    .option('--force', 'also remove releases that readers were promised for longer', false)
    .action(
      actionWithExitCode(async (address, options) => {
        const { pruneReleases } = await import('../publish/prune.ts');
        const { noteTo } = await import('../report/sink.ts');
        const { reportPrune } = await import('../report/prune.ts');
        const { keep, grace, force, dryRun, format } = options;
        const sink = terminal();
        const run = async (machine: Machine) => {
          const caches = (baseUrl: string) => openCachePurgers(options, machine, baseUrl);
          const lock = { ...lockOptions(options, machine), note: noteTo(sink) };
          const result = await withExistingBucket(address, options, (bucket) =>
            pruneReleases(bucket, { keep, grace, force, lock, caches }),
          );
          reportPrune(result, format, dryRun, sink);
        };
        const state = `Readers of ${printable(address)} get what they did before; a part of what was to be removed may be gone.`;
        return runWithStoppableMachine(run, () => state);
      }),
    );
