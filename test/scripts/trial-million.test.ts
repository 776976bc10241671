/** The trial of a large catalogue: one of two hundred properties goes from YAML files to the Worker and back. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/trials/million.ts', import.meta.url));

it('builds, publishes, serves, rolls back and prunes, and always finds every property exactly once (issue 21)', async () => {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, '--properties', '200'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(output).toMatch(/^\| Publish one title \|.*published/m);
  expect(output).toMatch(/^\| Page through all, after the prune \|.*\| 200 properties, each once \|/m);
  expect(code).toBe(0);
});
