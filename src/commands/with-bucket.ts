import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { CONFIGURATION_FILE } from '../source/content-path.ts';
import type { Bucket } from '../storage/bucket.ts';
import type { BucketOptions } from './bucket-options.ts';
import { bucketFromOldVariable, warnRenamed } from './deprecated-names.ts';

/** With `dryRun`, writes are discarded. */
export async function withBucket<Result>(
  address: string,
  options: BucketOptions,
  run: (bucket: Bucket) => Promise<Result>,
): Promise<Result> {
  if (!process.env.CATALOGUE_BUCKET && address !== '' && address === bucketFromOldVariable())
    warnRenamed('CATALOGUE_TARGET', 'CATALOGUE_BUCKET');
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
export function withExistingBucket<Result>(
  address: string,
  options: BucketOptions,
  run: (bucket: Bucket) => Promise<Result>,
): Promise<Result> {
  return withBucket(address, options, (bucket) => {
    const folder = folderOf(bucket);
    if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
      throw new UsageError('no-such-file', `There is no folder at ${folder}. Check its path.`);
    return run(bucket);
  });
}
