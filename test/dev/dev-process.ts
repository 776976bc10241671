/** `catalogue dev` in a process of its own, as the compiled command line runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { CLI } from '../support/run-cli.ts';

type DevProcess = { readonly child: ChildProcess; readonly said: () => string };

/** Does not wait for the server. The process is killed at the end of the test. */
export function spawnDev(folder: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): DevProcess {
  const child = spawn(process.execPath, [CLI, 'dev', '--port', '0', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      text += chunk;
    });
  return { child, said: () => text };
}

/** Resolves when the server listens. */
export async function startDev(
  ...options: Parameters<typeof spawnDev>
): Promise<DevProcess & { readonly url: string; readonly token: string }> {
  const dev = spawnDev(...options);
  await expect.poll(dev.said).toContain('Ctrl+C');
  const [, url = '', token = ''] = /(http:\S+?)\/_edit\/#(\S+)/.exec(dev.said()) ?? [];
  return { ...dev, url, token };
}
