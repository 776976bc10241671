import { bucketArgument, publishOptions, releaseCommand, runPublish, withPublishedBucket } from './bucket.ts';
import { withExitCode } from './command.ts';

export const rollbackCommand = () =>
  releaseCommand('rollback', {
    does: 'make an earlier release live again',
    examples: ['rollback s3://stays', 'rollback s3://stays 4f9c02'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(bucketArgument())
    .argument(
      '[release]',
      'name of the release, or its first six digits or more, as "catalogue releases" lists it; the one before when absent',
    )
    .action(
      withExitCode(async (address, release, options) => {
        const { rollBack } = await import('../publish/rollback.ts');
        const { format, dryRun: isDryRun } = options;
        return runPublish(address, { format, isDryRun, verb: 'Restored' }, (host, listener) =>
          withPublishedBucket(address, options, async (bucket) =>
            rollBack(bucket, release, { ...(await publishOptions(options, host)), listener }),
          ),
        );
      }),
    );
