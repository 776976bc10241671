/** The trial of publishing with real processes: one short scenario ends well. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/trials/publish.ts', import.meta.url));

async function runTrial(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

it('two publishers at once leave one release, with real processes (issue 18)', async () => {
  const { code, output } = await runTrial('--only', 'together', '--runs', '1', '--pace', '5');
  expect(output).toMatch(/^\| all \| 1 \| 0 \| 0 \| 0 \| 0 \|/m);
  expect(code).toBe(0);
});

it('refuses unknown options', async () => {
  const { code } = await runTrial('--only', 'nothing');
  expect(code).toBe(2);
});
