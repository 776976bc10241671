import { bucketFromEnvironment, createLiveReleaseCommand, optionalBucketArgument } from './bucket-options.ts';
import { actionWithExitCode } from './command.ts';
import { publishOptions, runPublish } from './publish-run.ts';
import { withExistingBucket } from './with-bucket.ts';

export const rollbackCommand = () =>
  createLiveReleaseCommand('rollback', {
    does: 'make an earlier release live again',
    examples: ['rollback s3://stays', 'rollback s3://stays 4f9c02'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(optionalBucketArgument())
    .argument(
      '[release]',
      'name of the release, or its first six digits or more, as "catalogue releases" lists it; the one before when absent',
    )
    .action(
      actionWithExitCode(async (first, second, options) => {
        const { rollBack } = await import('../publish/rollback.ts');
        // CATALOGUE_BUCKET names the bucket if the only argument is a release.
        const isRelease = second === undefined && /^[0-9a-f]{6,}$/i.test(first);
        const address = isRelease ? bucketFromEnvironment() : first;
        const release = isRelease ? first : second;
        const { format, dryRun: isDryRun } = options;
        return runPublish(address, { format, isDryRun, verb: 'Restored' }, (machine, listener) =>
          withExistingBucket(address, options, async (bucket) =>
            rollBack(bucket, release, { ...(await publishOptions(options, machine)), listener }),
          ),
        );
      }),
    );
