import { bucketCommand, optionalBucketArgument, withPublishedBucket } from './bucket.ts';
import { withExitCode } from './command.ts';
import { terminal } from './terminal.ts';

export const releasesCommand = () =>
  bucketCommand('releases', {
    does: 'list the releases that a bucket keeps',
    examples: ['releases s3://stays'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(optionalBucketArgument())
    .action(
      withExitCode(async (address, options) => {
        const { describeReleases } = await import('../publish/releases.ts');
        const { reportReleases } = await import('../report/publish.ts');
        await withPublishedBucket(address, options, async (bucket) => {
          reportReleases(bucket.name, await describeReleases(bucket), options.format, terminal());
        });
        return 0;
      }),
    );
