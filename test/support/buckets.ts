/** Buckets of tests: in a folder, and in a real S3 server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolder } from '../../src/storage/folder/bucket.ts';
import { withRetry } from '../../src/storage/retry.ts';
import { type S3Server, startS3 } from '../publish/s3-server.ts';

/** A bucket in a folder of its own, which is removed after the test. */
export function openTemporary(): Bucket {
  const root = mkdtempSync(join(tmpdir(), 'catalogue-bucket-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return openFolder(join(root, 'bucket'));
}

/** Starts S3 before the tests of a file, and stops it after them. */
export function useS3() {
  let server: S3Server;
  let prefixes = 0;
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server.stop());
  return {
    /** A prefix of its own, opened as a command does: with retries. */
    openPrefix(): Bucket {
      const { bucket, close } = server.open(`p${prefixes++}`);
      onTestFinished(close);
      return withRetry(bucket);
    },
  };
}
