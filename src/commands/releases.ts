import { createBucketCommand, optionalBucketArgument } from './bucket-options.ts';
import { actionWithExitCode } from './command.ts';
import { terminal } from './terminal.ts';
import { withExistingBucket } from './with-bucket.ts';

export const releasesCommand = () =>
  createBucketCommand('releases', {
    does: 'list the releases that a bucket keeps',
    examples: ['releases s3://stays'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(optionalBucketArgument())
    .action(
      actionWithExitCode(async (address, options) => {
        const { describeReleases } = await import('../publish/list-releases.ts');
        const { reportReleases } = await import('../report/releases.ts');
        await withExistingBucket(address, options, async (bucket) => {
          reportReleases(bucket.name, await describeReleases(bucket), options.format, terminal());
        });
        return 0;
      }),
    );
