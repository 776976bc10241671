/** The benchmark of a million: one of two hundred properties goes from YAML files to the Worker and back. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/bench.ts', import.meta.url));

it('builds, publishes, serves, rolls back and prunes, and always finds every property exactly once', async () => {
  const args = ['--import', 'tsx', SCRIPT, '--million', '--properties', '200'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^\| 200: preview of one title \|.* writes/m);
  expect(stdout).toMatch(/^\| publish one title \|.* writes/m);
  expect(stdout).toMatch(/^\| pages, until the release is live \|.* 200 properties, each once/m);
  expect(stdout).toMatch(/^\| pages, after the prune \|.* 200 properties, each once/m);
});
