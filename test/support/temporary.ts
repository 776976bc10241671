/** Temporary folders of tests, and buckets in them. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, TestRunner } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';
import { openFolder } from '../../src/storage/folder/bucket.ts';

/** Makes an empty folder. It is removed with the test, or with all of the run when it serves several tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  if (TestRunner.getCurrentTest())
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Opens a bucket in a folder of its own. */
export function openTemporary(): Bucket {
  return openFolder(join(temporaryFolder(), 'bucket'));
}
