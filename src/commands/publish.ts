import { Option } from '@commander-js/extra-typings';
import { previewKeyPrefix } from '../contract/preview.ts';
import { UsageError } from '../errors/errors.ts';
import { documentationUrl } from '../package/documentation.ts';
import type { DistSource } from '../publish/dist-source.ts';
import type { PublishListener } from '../publish/progress.ts';
import type { Machine } from '../storage/machine.ts';
import { printable } from '../text/printable.ts';
import {
  lockOptions,
  openCacheInvalidators,
  optionalBucketArgument,
  publishOptions,
  releaseCommand,
  runPublish,
  runWithLockRelease,
  withBucket,
  withPublishedBucket,
} from './bucket.ts';
import { existingOutOption, parsePositive, withExitCode } from './command.ts';
import { terminal } from './terminal.ts';

/** Options that cannot be combined with `--preview`. */
const OPTIONS_OF_LIVE_RELEASE = ['verify', 'purge', 'allowOlder', 'allowShrink', 'maxShrink', 'keptDays'];

export const publishCommand = () =>
  releaseCommand('publish', {
    does: 'upload dist/public to a bucket: only what changed, in a safe order',
    examples: [
      'publish s3://stays --dry-run',
      'publish s3://stays --cloudfront E2EXAMPLE --wait',
      'publish dir:/srv/stays',
      'publish s3://stays --preview pr-12',
    ],
    guide: ['publishing'],
  })
    .addArgument(optionalBucketArgument())
    .addOption(existingOutOption())
    .option('--verify', 'compare with a listing of the bucket, and repair what differs', false)
    .option('--purge', 'purge everything from the caches, even if nothing has to be published', false)
    .optionsGroup('Guards:')
    .option('--allow-older', 'replace a release of a later commit', false)
    .optionsGroup('Previews:')
    .addOption(
      new Option('--preview <name>', 'publish beside the live release, at _previews/<name>/').conflicts(
        OPTIONS_OF_LIVE_RELEASE,
      ),
    )
    .option('--expires <days>', 'days for which a preview is served', parsePositive, 14)
    .addOption(endPreviewOption())
    .action(
      withExitCode(async (address, options) => {
        if (options.purge) assertCaches(options);
        if (options.endPreview !== undefined) return endOnePreview(address, options.endPreview, options);
        const { openDist } = await import('../publish/dist-source.ts');
        const { publishRelease } = await import('../publish/publish.ts');
        const { unpurgedText } = await import('../publish/purge/purge.ts');
        const source = await openDist(options.out);
        if (options.preview !== undefined)
          return publishOnePreview(address, options.preview, source, options);
        const { publishesToBucket } = await import('../start/pipeline.ts');
        const { isPublicUrl } = await import('../contract/public-url.ts');
        const { others, baseUrl, host: chosen } = source;
        if (address === '' && chosen && !publishesToBucket(chosen)) {
          throw new UsageError(
            'no-target',
            `The host ${chosen} takes no bucket: its steps are in ${documentationUrl(`hosting/${chosen}`)}.`,
          );
        }
        const { format, dryRun: isDryRun, verify, purge, allowOlder } = options;
        return runPublish(address, { format, isDryRun, verb: 'Published' }, async (host, listener) => {
          if (others.length > 0) {
            const text = `Not published, since they are not the catalogue's: ${others.join(', ')}.`;
            listener({ kind: 'note', text });
          }
          if (!isPublicUrl(baseUrl)) {
            const text = `The catalogue says that it is at ${baseUrl}, which guests cannot reach: set base_url in catalogue.yaml, and build again.`;
            listener({ kind: 'note', text });
          }
          return withBucket(address, options, async (bucket) => {
            const known = await publishOptions(options, host, baseUrl);
            const more = { verify, purge, allowOlder, listener };
            const result = await publishRelease(bucket, source, { ...known, ...more });
            const text = isDryRun ? undefined : unpurgedText(source, known.invalidators, result);
            if (text) listener({ kind: 'note', text });
            return result;
          });
        });
      }),
    );

function endPreviewOption() {
  const does = 'publish nothing, and end a preview; prune removes its objects';
  return new Option('--end-preview <name>', does).conflicts([
    ...OPTIONS_OF_LIVE_RELEASE,
    'preview',
    'expires',
  ]);
}

function assertCaches(
  options: { readonly [Name in 'cloudfront' | 'keyValueStore' | 'cloudflare']?: string },
) {
  if (options.cloudfront || options.keyValueStore || options.cloudflare) return;
  throw new UsageError(
    'no-cache',
    '--purge needs to know what to purge: name it with --cloudfront, --key-value-store or --cloudflare.',
  );
}

type PreviewOptions = Parameters<typeof openCacheInvalidators>[0] & {
  readonly expires: number;
  readonly concurrency?: number;
};

async function publishOnePreview(
  address: string,
  name: string,
  source: DistSource,
  options: PreviewOptions,
): Promise<number> {
  const { publishPreview } = await import('../publish/preview.ts');
  const { reportPreview } = await import('../report/publish.ts');
  const { expires: days, concurrency, format, dryRun } = options;
  const sink = terminal();
  const listener: PublishListener = (event) => {
    if (event.kind === 'note') sink.err(`${printable(event.text)}\n`);
  };
  const invalidators = await openCacheInvalidators(options, source.baseUrl);
  const run = async (host: Machine) => {
    const lock = lockOptions(options, host);
    const result = await withBucket(address, options, (bucket) =>
      publishPreview(bucket, name, source, { days, concurrency, lock, listener, invalidators }),
    );
    const url = `${source.baseUrl}/${previewKeyPrefix(name)}`;
    reportPreview({ ...result, address: url }, format, dryRun, sink);
  };
  const left = () =>
    `The live release is as before; preview ${printable(name)} is as it was, and a part of the new one is there already.`;
  return runWithLockRelease(address, run, left);
}

async function endOnePreview(address: string, name: string, options: PreviewOptions): Promise<number> {
  const { endPreview } = await import('../publish/preview.ts');
  const { reportEndedPreview } = await import('../report/publish.ts');
  const caches = (baseUrl?: string) => openCacheInvalidators(options, baseUrl);
  const { format, dryRun } = options;
  const run = async (host: Machine) => {
    await withPublishedBucket(address, options, (bucket) =>
      endPreview(bucket, name, lockOptions(options, host), caches),
    );
    reportEndedPreview(name, format, dryRun, terminal());
  };
  return runWithLockRelease(address, run, () => `Preview ${printable(name)} may have ended.`);
}
