/** Temporary folders of tests. */
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Calls a function when the test is over, or all of the file when no test runs yet. */
export function afterwards(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
}

/** Makes an empty folder. It is removed with the test, or with all of the run when it serves several tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  if (TestRunner.getCurrentTest())
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/**
 * Makes a folder once for all processes of a run; tests only read it. Two processes that need it at the same moment both make it,
 * and one of the two folders is kept.
 */
export async function sharedFolder(
  name: string,
  make: (folder: string) => void | Promise<void>,
): Promise<string> {
  const shared = join(tmpdir(), `shared-${name}`);
  if (existsSync(shared)) return shared;
  const folder = temporaryFolder();
  await make(folder);
  try {
    renameSync(folder, shared);
  } catch (error) {
    if (!existsSync(shared)) throw error;
  }
  return shared;
}
