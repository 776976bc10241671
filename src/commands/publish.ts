import { previewFolder } from '../contract/preview.ts';
import { printable } from '../printable.ts';
import type { DistSource } from '../publish/dist-source.ts';
import type { PublishListener } from '../publish/progress.ts';
import { publishOptions, releaseCommand, usualTargetArgument, withBucket } from './bucket.ts';
import { builtOption, exits, positive } from './command.ts';
import { terminal } from './terminal.ts';

export const publishCommand = () =>
  releaseCommand('publish', {
    does: 'bring dist/public to a bucket: only what changed, in a safe order',
    examples: [
      'publish s3://stays --dry-run',
      'publish s3://stays --cloudfront E2EXAMPLE --wait',
      'publish dir:/srv/stays',
      'publish s3://stays --preview pr-12',
    ],
    guide: ['publishing'],
  })
    .addArgument(usualTargetArgument())
    .addOption(builtOption())
    .option('--verify', 'compare with a listing of the bucket, and repair what differs', false)
    .option('--allow-older', 'replace a release of a later commit', false)
    .option('--preview <name>', 'publish beside the live release, at _previews/<name>/')
    .option('--expires <days>', 'days for which a preview is served', positive, 14)
    .option('--end-preview <name>', 'publish nothing, and end a preview; prune removes its objects')
    .action(
      exits(async (target, options) => {
        if (options.endPreview !== undefined) return end(target, options.endPreview, options);
        const { openDist } = await import('../publish/dist-source.ts');
        const { publishRelease } = await import('../publish/publish.ts');
        const { withPublishReport } = await import('../report/publish.ts');
        const source = await openDist(options.out);
        if (options.preview !== undefined) return preview(target, options.preview, source, options);
        const { isPublicAddress } = await import('../contract/base-address.ts');
        const { others, baseUrl } = source;
        const { format, dryRun: isDryRun, verify, allowOlder } = options;
        await withPublishReport({ format, isDryRun, verb: 'Published' }, terminal(), (listener) => {
          if (others.length > 0) {
            const text = `Not published, since they are not the catalogue's: ${others.join(', ')}.`;
            listener({ kind: 'note', text });
          }
          if (!isPublicAddress(baseUrl)) {
            const text = `The catalogue says that it is at ${baseUrl}, which guests cannot reach: set base_url in catalogue.yaml, and build again.`;
            listener({ kind: 'note', text });
          }
          return withBucket(target, options, async (bucket) => {
            const known = {
              ...(await publishOptions(options, baseUrl)),
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

type PreviewOptions = Parameters<typeof withBucket>[1] & {
  readonly [Name in 'lock' | 'forceUnlock' | 'dryRun']: boolean;
} & { readonly expires: number; readonly concurrency?: number; readonly format: 'pretty' | 'json' };

async function preview(
  target: string,
  name: string,
  source: DistSource,
  options: PreviewOptions,
): Promise<number> {
  const { publishPreview } = await import('../publish/preview.ts');
  const { reportPreview } = await import('../report/publish.ts');
  const { expires: days, concurrency, lock: isExclusive, forceUnlock: force, format, dryRun } = options;
  const sink = terminal();
  const listener: PublishListener = (event) => {
    if (event.kind === 'note') sink.err(`${printable(event.text)}\n`);
  };
  const result = await withBucket(target, options, (bucket) =>
    publishPreview(bucket, name, source, { days, concurrency, lock: { force, isExclusive }, listener }),
  );
  const address = `${source.baseUrl}/${previewFolder(name)}`;
  reportPreview({ ...result, address }, format, dryRun, sink);
  return 0;
}

async function end(
  target: string,
  name: string,
  { lock: isExclusive, forceUnlock: force, ...options }: PreviewOptions,
): Promise<number> {
  const { endPreview } = await import('../publish/preview.ts');
  await withBucket(target, options, (bucket) => endPreview(bucket, name, { force, isExclusive }));
  terminal().err(`Preview ${printable(name)} has ended.\n`);
  return 0;
}
