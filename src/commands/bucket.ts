import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Argument, Option } from '@commander-js/extra-typings';
import { UsageError } from '../errors/errors.ts';
import type { PublishListener } from '../publish/progress.ts';
import type { PublishResult } from '../publish/publish.ts';
import type { Invalidator } from '../publish/purge/purge.ts';
import type { PublishReportOptions } from '../report/publish.ts';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { LockOptions } from '../storage/lock.ts';
import type { Machine } from '../storage/machine.ts';
import { printable } from '../text/printable.ts';
import {
  type CommandHelp,
  createCommand,
  endpointOption,
  optionWithVariable,
  parsePercentage,
  parsePositive,
  parseWholeNumber,
  plainFormatOption,
  regionOption,
  warnRenamedOption,
} from './command.ts';
import { runWithStopSignals } from './stop-signals.ts';
import { terminal } from './terminal.ts';

const FORMS = 's3://bucket, s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or dir:/path';

export const bucketArgument = () => new Argument('<bucket>', FORMS);

export function optionalBucketArgument() {
  const { CATALOGUE_BUCKET, CATALOGUE_TARGET } = process.env;
  return new Argument('[bucket]', `${FORMS}; CATALOGUE_BUCKET when absent`).default(
    CATALOGUE_BUCKET || CATALOGUE_TARGET || '',
    'CATALOGUE_BUCKET',
  );
}

export const bucketCommand = (name: string, help: CommandHelp) =>
  createCommand(name, help)
    .addOption(endpointOption())
    .addOption(regionOption())
    .addOption(plainFormatOption());

export const bucketWriteCommand = (name: string, help: CommandHelp) =>
  bucketCommand(name, help)
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
      parsePositive,
      15,
    )
    .option('--wait', 'wait until CloudFront has invalidated', false)
    .optionsGroup('Options:');

export const releaseCommand = (name: string, help: CommandHelp) =>
  bucketWriteCommand(name, help)
    .option(
      '--concurrency <number>',
      'requests in flight; they adapt to the store when absent',
      parsePositive,
    )
    .optionsGroup('Guards:')
    .option('--allow-shrink', 'allow any number of properties to be removed', false)
    .option(
      '--max-shrink <percent>',
      'percentage of the properties that may be removed at once',
      parsePercentage,
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
      parseWholeNumber,
      7,
    )
    .option('--signature-days <number>', 'days for which a signature is valid', parsePositive, 90)
    .optionsGroup('Options:');

function refuseCacheTags(): never {
  throw new UsageError(
    'option-removed',
    'Caches are not purged by tag any more. Leave out --cache-tags: what changed is purged by path, up to --invalidation-limit paths, else everything. If the distribution reads x-amz-meta-cache-tag (CacheTagConfig), remove that setting.',
  );
}

type WritingOptions = ReturnType<ReturnType<typeof bucketWriteCommand>['opts']>;
type ServerOptions = Pick<WritingOptions, 'endpoint' | 'region'> & { readonly dryRun?: boolean };
type CachedOptions = WritingOptions & { readonly keyValueStore?: string };
type ReleaseOptions = ReturnType<ReturnType<typeof releaseCommand>['opts']>;

/** What readers of a bucket get if a publish is stopped before, while or after it writes lists and files. */
const STATES: Readonly<Record<'early' | 'write' | 'late', (name: string) => string>> = {
  early: (name) => `Nothing that readers see was changed in ${name}.`,
  write: (name) => `Readers of ${name} get the release from before; some lists and files may be new already.`,
  late: (name) =>
    `Readers of ${name} get the new release; old objects are left to remove, and caches to purge.`,
};

/**
 * A stop signal aborts `run` through its `host`, so that the command still releases the lock.
 * @param left says how a stopped command left the bucket. @default one of {@link STATES}, by the stage of a publish
 */
export function runWithLockRelease(
  address: string,
  run: (host: Machine, listener: PublishListener) => Promise<void>,
  left?: () => string,
): Promise<number> {
  let state: keyof typeof STATES = 'early';
  const listener: PublishListener = (event) => {
    if (event.kind !== 'stage') return;
    if (event.stage === 'write') state = 'write';
    else if (event.stage === 'remove' || event.stage === 'invalidate') state = 'late';
  };
  const work = async (signal: AbortSignal) => {
    const { thisMachine } = await import('../storage/machine.ts');
    await run(thisMachine(process.env, signal), listener);
    return 0;
  };
  return runWithStopSignals(work, left ?? (() => STATES[state](printable(address))));
}

/** For commands that make another release live: handles signals, and reports events and result. */
export function runPublish(
  address: string,
  options: PublishReportOptions,
  run: (host: Machine, listener: PublishListener) => Promise<PublishResult>,
): Promise<number> {
  return runWithLockRelease(address, async (host, follow) => {
    const { withPublishReport } = await import('../report/publish.ts');
    await withPublishReport(options, terminal(), (report) =>
      run(host, (event) => {
        follow(event);
        report(event);
      }),
    );
  });
}

export function lockOptions(
  { lock, forceUnlock }: Pick<WritingOptions, 'lock' | 'forceUnlock'>,
  host: Machine,
): LockOptions {
  return { force: forceUnlock, isExclusive: lock, host };
}

/** With `dryRun`, writes are discarded. */
export async function withBucket<Result>(
  address: string,
  options: ServerOptions,
  run: (bucket: Bucket) => Promise<Result>,
): Promise<Result> {
  const { CATALOGUE_BUCKET, CATALOGUE_TARGET } = process.env;
  if (!CATALOGUE_BUCKET && address === CATALOGUE_TARGET)
    warnRenamedOption('CATALOGUE_TARGET', 'CATALOGUE_BUCKET');
  const { withDryRun } = await import('../storage/dry-run.ts');
  const { openBucket } = await import('../storage/open-bucket.ts');
  const { bucket, close } = await openBucket(address, options);
  const folder = folderOf(bucket);
  if (folder !== undefined) refuseContent(folder);
  try {
    return await run(options.dryRun ? withDryRun(bucket) : bucket);
  } finally {
    close();
  }
}

function folderOf({ name }: Bucket): string | undefined {
  return /^dir:(.*)$/s.exec(name)?.[1];
}

function refuseContent(folder: string): void {
  for (let path = folder; ; path = dirname(path)) {
    if (existsSync(join(path, CONFIGURATION_FILE)))
      throw new UsageError(
        'invalid-target',
        `${folder} is in the content folder ${path}, which has a ${CONFIGURATION_FILE}. Give a folder outside of it.`,
      );
    if (dirname(path) === path) return;
  }
}

/** @throws UsageError `no-such-file` if the bucket is a folder that does not exist */
export function withPublishedBucket<Result>(
  address: string,
  options: ServerOptions,
  run: (bucket: Bucket) => Promise<Result>,
): Promise<Result> {
  return withBucket(address, options, (bucket) => {
    const folder = folderOf(bucket);
    if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError('no-such-file', `There is no folder at ${folder}. Check its path.`);
    return run(bucket);
  });
}

export async function openCacheInvalidators(
  { invalidationLimit, dryRun, ...options }: CachedOptions,
  baseUrl: string | undefined,
): Promise<readonly Invalidator[]> {
  if (dryRun) return [];
  const { openInvalidators } = await import('../publish/purge/open.ts');
  const caches = { ...options, baseUrl: options.baseUrl ?? baseUrl, limit: invalidationLimit };
  return openInvalidators(caches, process.env);
}

export async function publishOptions(options: ReleaseOptions, host: Machine, baseUrl?: string) {
  const { readSigning } = await import('../publish/key-file.ts');
  const { allowShrink, maxShrink, concurrency } = options;
  return {
    allowShrink,
    maxShrink,
    concurrency,
    invalidators: await openCacheInvalidators(options, baseUrl),
    keptDays: options.keptDays,
    signing: readSigning(options.signingKey, options.signatureDays),
    lock: lockOptions(options, host),
  };
}
