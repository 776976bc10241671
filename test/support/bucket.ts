import { join } from 'node:path';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { temporaryFolder } from './temporary.ts';

export function openTemporary(): Bucket {
  return openFolderBucket(join(temporaryFolder(), 'bucket'));
}

export async function listKeys(bucket: Bucket, prefix = '', after?: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix, after)) keys.push(key);
  return keys;
}
