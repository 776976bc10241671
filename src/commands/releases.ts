import { existsSync } from 'node:fs';
import { UsageError } from '../errors.ts';
import { bucketCommand, usualTargetArgument, withBucket } from './bucket.ts';
import { exits } from './command.ts';
import { terminal } from './terminal.ts';

export const releasesCommand = () =>
  bucketCommand('releases', {
    does: 'list the releases that a bucket keeps',
    examples: ['releases s3://stays'],
    guide: ['releases', 'going-back'],
  })
    .addArgument(usualTargetArgument())
    .action(
      exits(async (target, options) => {
        const { describeReleases } = await import('../publish/archive/list.ts');
        const { reportReleases } = await import('../report/publish.ts');
        await withBucket(target, options, async (bucket) => {
          const folder = /^dir:(.*)$/s.exec(bucket.name)?.[1];
          if (folder !== undefined && !existsSync(folder))
            throw new UsageError('no-such-file', `There is no folder at ${folder}. Check its path.`);
          reportReleases(bucket.name, await describeReleases(bucket), options.format, terminal());
        });
        return 0;
      }),
    );
