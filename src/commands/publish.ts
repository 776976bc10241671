/** `catalogue publish`. */

import { UsageError } from '../errors.ts';
import { openDist } from '../publish/dist-source.ts';
import { type PublishOptions, publishRelease } from '../publish/publish.ts';
import type { Invalidator } from '../publish/purge/purge.ts';
import { createPublishReport, type PublishFormat, remembered, reportPublish } from '../report/publish.ts';
import { withDryRun } from '../storage/dry-run.ts';
import { openTarget } from '../storage/open.ts';
import { terminal } from './terminal.ts';

/** The options that say where, and how to reach it. */
export type TargetArguments = {
  endpoint?: string;
  region?: string;
  /** False with `--no-lock`. */
  lock: boolean;
  forceUnlock: boolean;
  dryRun: boolean;
  format: PublishFormat;
};

/** The options of whatever makes another release live. */
export type ReleaseArguments = TargetArguments & {
  allowShrink: boolean;
  maxShrink: number;
  concurrency: number;
  cloudfront?: string;
  cloudflare?: string;
  baseUrl?: string;
  invalidationLimit: number;
  wait: boolean;
};

/** The options, as the command line gives them. */
export type PublishArguments = ReleaseArguments & { out: string; verify: boolean; allowOlder: boolean };

/** Publishes and reports. Returns the exit code. */
export async function runPublish(target: string, args: PublishArguments): Promise<number> {
  const { format, dryRun: isDryRun } = args;
  const sink = terminal();
  const report = createPublishReport(
    { ...sink, live: sink.live && format === 'pretty' },
    remembered(format, isDryRun),
  );
  const source = await openDist(args.out);
  if (source.others.length > 0) {
    const text = `Not published, since they are not the catalogue's: ${source.others.join(', ')}.`;
    report.listener({ kind: 'note', text });
  }
  const { bucket, close } = await openTarget(target, args);
  try {
    const options = { ...(await publishOptions(args)), allowOlder: args.allowOlder, verify: args.verify };
    const result = await publishRelease(isDryRun ? withDryRun(bucket) : bucket, source, {
      ...options,
      listener: report.listener,
    });
    report.end();
    reportPublish(result, report, { format, isDryRun, verb: 'Published' }, sink);
    return 0;
  } finally {
    report.end();
    close();
  }
}

/** The options of the library for those of the command line. */
export async function publishOptions(args: ReleaseArguments): Promise<PublishOptions> {
  const { allowShrink, maxShrink, concurrency, lock, forceUnlock } = args;
  const invalidators = args.dryRun ? [] : await invalidatorsOf(args);
  return {
    allowShrink,
    maxShrink,
    concurrency,
    invalidators,
    lock: { force: forceUnlock, isExclusive: lock },
  };
}

async function invalidatorsOf(args: ReleaseArguments): Promise<Invalidator[]> {
  const { cloudfront, cloudflare, baseUrl, invalidationLimit: limit, wait } = args;
  const invalidators: Invalidator[] = [];
  if (cloudfront !== undefined) {
    const { createCloudFront } = await import('../publish/purge/cloudfront.ts');
    invalidators.push(createCloudFront({ distribution: cloudfront, limit, wait }));
  }
  if (cloudflare !== undefined) {
    const token = process.env.CLOUDFLARE_API_TOKEN;
    if (!token) {
      throw new UsageError(
        'no-api-token',
        'There is no CLOUDFLARE_API_TOKEN in the environment. Make a token that may purge the cache of the zone.',
      );
    }
    if (baseUrl === undefined) {
      throw new UsageError(
        'no-base-url',
        'Cloudflare is told of URLs. Name the one in front of the API with --base-url.',
      );
    }
    const endpoint = process.env.CLOUDFLARE_BASE_URL;
    const { createCloudflare } = await import('../publish/purge/cloudflare.ts');
    invalidators.push(createCloudflare({ zone: cloudflare, token, baseUrl, limit, endpoint }));
  }
  return invalidators;
}
