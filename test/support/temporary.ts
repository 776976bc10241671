import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/** Calls `end` after the current test; outside of tests, after the file's last one. */
export function afterwards(end: () => Promise<void>): void {
  if (TestRunner.getCurrentTest()) onTestFinished(end);
  else afterAll(end);
}

/** Removed after the current test; outside of tests, at the end of the run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
  if (TestRunner.getCurrentTest())
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** A folder that all processes of a run share and only read. If several make it at once, one wins. */
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
