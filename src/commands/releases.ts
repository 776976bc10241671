import { createBucketCommand, optionalBucketArgument } from './bucket-options.ts';
import { settingExitCode } from './command.ts';
import { withPublishedBucket } from './open-command-bucket.ts';
import { terminal } from './terminal.ts';

export const releasesCommand = () =>
  createBucketCommand('releases', {
    does: 'list the releases that a bucket keeps',
    examples: ['releases s3://stays'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(optionalBucketArgument())
    .action(
      settingExitCode(async (address, options) => {
        const { describeReleases } = await import('../publish/releases.ts');
        const { reportReleases } = await import('../report/releases.ts');
        await withPublishedBucket(address, options, async (bucket) => {
          reportReleases(bucket.name, await describeReleases(bucket), options.format, terminal());
        });
        return 0;
      }),
    );
