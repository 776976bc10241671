import { publishOptions, releaseCommand, usualTargetArgument, withBucket } from './bucket.ts';
import { builtOption, exits } from './command.ts';
import { terminal } from './terminal.ts';

export const publishCommand = () =>
  releaseCommand('publish', {
    does: 'bring dist/public to a bucket: only what changed, in a safe order',
    examples: [
      'publish s3://stays --dry-run',
      'publish s3://stays --cloudfront E2EXAMPLE --wait',
      'publish dir:/srv/stays',
    ],
    guide: ['publishing'],
  })
    .addArgument(usualTargetArgument())
    .addOption(builtOption())
    .option('--verify', 'compare with a listing of the bucket, and repair what differs', false)
    .option('--allow-older', 'replace a release of a later commit', false)
    .action(
      exits(async (target, options) => {
        const { openDist } = await import('../publish/dist-source.ts');
        const { publishRelease } = await import('../publish/publish.ts');
        const { withPublishReport } = await import('../report/publish.ts');
        const source = await openDist(options.out);
        const { format, dryRun: isDryRun, verify, allowOlder } = options;
        const { others } = source;
        await withPublishReport({ format, isDryRun, verb: 'Published' }, terminal(), (listener) => {
          if (others.length > 0) {
            const text = `Not published, since they are not the catalogue's: ${others.join(', ')}.`;
            listener({ kind: 'note', text });
          }
          return withBucket(target, options, async (bucket) => {
            const known = {
              ...(await publishOptions(options, source.baseUrl)),
              verify,
              allowOlder,
              listener,
            };
            return publishRelease(bucket, source, known);
          });
        });
        return 0;
      }),
    );
