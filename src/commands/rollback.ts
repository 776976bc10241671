import type { PublishListener } from '../publish/progress.ts';
import { bucketArgument, publishOptions, releaseCommand, untilStoppedIn, withPublished } from './bucket.ts';
import { withExitCode } from './command.ts';
import { terminal } from './terminal.ts';

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
        const { rollBack } = await import('../publish/archive/rollback.ts');
        const { withPublishReport } = await import('../report/publish.ts');
        const { format, dryRun: isDryRun } = options;
        return untilStoppedIn(address, (host, follow) =>
          withPublishReport({ format, isDryRun, verb: 'Restored' }, terminal(), (report) => {
            const listener: PublishListener = (event) => {
              follow(event);
              report(event);
            };
            return withPublished(address, options, async (bucket) =>
              rollBack(bucket, release, { ...(await publishOptions(options, host)), listener }),
            );
          }),
        );
      }),
    );
