/** The commands that publish, as the command line knows them. */
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import type { PruneArguments } from './prune.ts';
import type { PublishArguments, ReleaseArguments } from './publish.ts';
import type { ReleasesArguments } from './releases.ts';
import type { VerifyArguments } from './verify.ts';

const TARGET = 's3://bucket, s3://bucket/prefix or dir:/path';

/** The bucket of a command: an argument, or `CATALOGUE_TARGET`, by which scripts and workflows name it once. */
function target(): Argument {
  const { CATALOGUE_TARGET } = process.env;
  const description = `${TARGET}; CATALOGUE_TARGET when absent`;
  return CATALOGUE_TARGET
    ? new Argument('[target]', description).default(CATALOGUE_TARGET)
    : new Argument('<target>', description);
}

/** Adds `publish`, `releases`, `rollback`, `prune` and `verify`. */
export function addPublishing(program: Command): void {
  const publish = program
    .command('publish')
    .description('bring dist/public to a bucket: only what changed, in a safe order')
    .addArgument(target())
    .option('--out <folder>', 'folder that a build wrote', 'dist')
    .option('--verify', 'compare with a listing of the bucket, and repair what differs', false)
    .option('--allow-older', 'replace a release of a later commit', false);
  addReleaseOptions(publish).action(async (target: string, args: PublishArguments) => {
    const { runPublish } = await import('./publish.ts');
    process.exitCode = await runPublish(target, args);
  });

  const rollback = program
    .command('rollback')
    .description('make an earlier release live again')
    .argument('<target>', TARGET)
    .argument(
      '[release]',
      'name of the release, or its first six digits or more, as "catalogue releases" lists it; the one before when absent',
    );
  addReleaseOptions(rollback).action(
    async (target: string, release: string | undefined, args: ReleaseArguments) => {
      const { runRollback } = await import('./rollback.ts');
      process.exitCode = await runRollback(target, release, args);
    },
  );

  const releases = program
    .command('releases')
    .description('list the releases that a bucket keeps')
    .addArgument(target());
  addServerOptions(releases).action(async (target: string, args: ReleasesArguments) => {
    const { runReleases } = await import('./releases.ts');
    process.exitCode = await runReleases(target, args);
  });

  const prune = program
    .command('prune')
    .description('remove what a bucket keeps of releases that were replaced long ago')
    .addArgument(target())
    .option('--keep <number>', 'manifests of earlier releases to keep', wholeNumber, 10)
    .option('--grace <days>', 'days for which a replaced release can be restored', wholeNumber, 7);
  addWriteOptions(addServerOptions(prune)).action(async (target: string, args: PruneArguments) => {
    const { runPrune } = await import('./prune.ts');
    process.exitCode = await runPrune(target, args);
  });

  program
    .command('verify')
    .description(
      'check a live catalogue from outside; CATALOGUE_API_KEY holds the key where one is asked for',
    )
    .argument('<base-url>', 'URL in front of the API')
    .option('--out <folder>', 'folder of the build that is to be live; any when absent')
    .option('--all', 'check every property and every page', false)
    .option('--sample <number>', 'properties, pages and photos to check without --all', positive, 20)
    .addOption(format())
    .action(async (baseUrl: string, args: VerifyArguments) => {
      const { runVerify } = await import('./verify.ts');
      process.exitCode = await runVerify(baseUrl, args);
    });
}

function format(): Option {
  return new Option('--format <format>', 'how to report').choices(['pretty', 'json']).default('pretty');
}

function addServerOptions(command: Command): Command {
  return command
    .option('--endpoint <url>', 'server that speaks the protocol of S3; AWS when absent')
    .option('--region <region>', 'region of the bucket; AWS_REGION when absent')
    .addOption(format());
}

function addWriteOptions(command: Command): Command {
  return command
    .option('--dry-run', 'tell what would be done, and write nothing', false)
    .option('--no-lock', 'for a store without conditional writes: keep nobody else out')
    .option('--force-unlock', 'break the lock of another publish', false);
}

function addReleaseOptions(command: Command): Command {
  return addWriteOptions(addServerOptions(command))
    .option('--allow-shrink', 'let any number of properties go', false)
    .option('--max-shrink <percent>', 'percentage of the properties that may go at once', percentage, 10)
    .option('--concurrency <number>', 'requests in flight', positive, 32)
    .option('--cloudfront <distribution>', 'CloudFront distribution to invalidate')
    .option('--cloudflare <zone>', 'Cloudflare zone to purge; CLOUDFLARE_API_TOKEN holds the token')
    .option('--base-url <url>', 'URL in front of the API, for --cloudflare')
    .option('--invalidation-limit <number>', 'exact paths to invalidate; folders beyond that', positive, 500)
    .option('--wait', 'wait until CloudFront has invalidated', false);
}

function wholeNumber(text: string): number {
  if (!/^(?:0|[1-9][0-9]{0,4})$/.test(text)) throw new InvalidArgumentError('Expected a whole number.');
  return Number(text);
}

function positive(text: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw new InvalidArgumentError('Expected a number from 1.');
  return Number(text);
}

function percentage(text: string): number {
  if (!/^(?:100|[1-9]?[0-9])$/.test(text)) throw new InvalidArgumentError('Expected a number from 0 to 100.');
  return Number(text);
}
