/** Buckets of tests. */
import { join } from 'node:path';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolder } from '../../src/storage/folder/bucket.ts';
import { temporaryFolder } from './temporary.ts';

/** Opens a bucket in a folder of its own. */
export function openTemporary(): Bucket {
  return openFolder(join(temporaryFolder(), 'bucket'));
}

/** The keys of a listing. */
export async function listKeys(bucket: Bucket, prefix = '', after?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix, after)) keys.push(key);
  return keys;
}
