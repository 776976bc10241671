import { Argument, Option } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.ts';
import {
  type CommandHelp,
  createCommand,
  createIntegerParser,
  endpointOption,
  optionWithVariable,
  prettyOrJsonOption,
  regionOption,
} from './command.ts';
import { bucketFromOldVariable } from './deprecated-names.ts';

const FORMS = 's3://bucket, s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or dir:/path';

/** Empty if unset. */
export const bucketFromEnvironment = () => process.env.CATALOGUE_BUCKET || bucketFromOldVariable();

export const optionalBucketArgument = () =>
  new Argument('[bucket]', `${FORMS}; CATALOGUE_BUCKET when absent`).default(
    bucketFromEnvironment(),
    'CATALOGUE_BUCKET',
  );

export const createBucketCommand = (name: string, help: CommandHelp) =>
  createCommand(name, help)
    .addOption(endpointOption())
    .addOption(regionOption())
    .addOption(prettyOrJsonOption());

export const createBucketWriteCommand = (name: string, help: CommandHelp) =>
  createBucketCommand(name, help)
    .option('--dry-run', 'show what would be done, and write nothing', false)
    .optionsGroup('Lock:')
    .option('--no-lock', 'keep no other publisher out: for a store without conditional writes')
    .option('--force-unlock', 'break the lock of another publisher', false)
    .optionsGroup('Caches:')
    .addOption(
      optionWithVariable(
        '--cloudfront <distribution>',
        'CLOUDFRONT_DISTRIBUTION',
        'CloudFront distribution to invalidate',
      ),
    )
    .addOption(optionWithVariable('--cloudflare <zone>', 'CLOUDFLARE_ZONE', 'Cloudflare zone to purge'))
    .option('--base-url <url>', 'URL in front of the API, for --cloudflare; that of the build when absent')
    .option(
      '--invalidation-limit <number>',
      'paths to purge; everything beyond that (CloudFront takes 15 at most)',
      createIntegerParser(1),
      15,
    )
    .option('--wait', 'wait until CloudFront has invalidated', false)
    .optionsGroup('Options:');

export const createLiveReleaseCommand = (name: string, help: CommandHelp) =>
  createBucketWriteCommand(name, help)
    .option(
      '--concurrency <number>',
      'requests in flight; they adapt to the store when absent',
      createIntegerParser(1),
    )
    .optionsGroup('Guards:')
    .option('--allow-shrink', 'allow any number of properties to be removed', false)
    .option(
      '--max-shrink <percent>',
      'percentage of the properties that may be removed at once',
      createIntegerParser(0, 100),
      10,
    )
    .optionsGroup('Caches:')
    .addOption(
      optionWithVariable(
        '--key-value-store <arn>',
        'CLOUDFRONT_KEY_VALUE_STORE',
        'key value store of the CloudFront Function, to update',
      ),
    )
    .addOption(new Option('--cache-tags').hideHelp())
    .on('option:cache-tags', refuseCacheTags)
    .optionsGroup('Signatures and kept releases:')
    .addOption(
      optionWithVariable(
        '--signing-key <file>',
        'CATALOGUE_SIGNING_KEY_FILE',
        'file of the keys that sign the release; CATALOGUE_SIGNING_KEY holds the keys themselves',
      ),
    )
    .option(
      '--kept-days <number>',
      'days for which readers are promised a replaced release',
      createIntegerParser(0),
      7,
    )
    .option('--signature-days <number>', 'days for which a signature is valid', createIntegerParser(1), 90)
    .optionsGroup('Options:');

type OptionsOf<Create extends (...args: never[]) => { opts(): unknown }> = ReturnType<
  ReturnType<Create>['opts']
>;

export type WriteOptions = OptionsOf<typeof createBucketWriteCommand>;
export type LiveReleaseOptions = OptionsOf<typeof createLiveReleaseCommand>;
export type BucketOptions = Pick<WriteOptions, 'endpoint' | 'region'> &
  Partial<Pick<LiveReleaseOptions, 'dryRun' | 'concurrency'>>;

function refuseCacheTags(): never {
  throw new UsageError(
    'option-removed',
    'Caches are not purged by tag any more. Leave out --cache-tags: what changed is purged by path, up to --invalidation-limit paths, else everything. If the distribution reads x-amz-meta-cache-tag (CacheTagConfig), remove that setting.',
  );
}
