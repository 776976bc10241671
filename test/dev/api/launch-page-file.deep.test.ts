/** The browser gets to the editor, and the token stays out of the arguments of every process. */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace } from '../../compile/workspace.ts';
import { spawnDev } from '../dev-process.ts';

/** Arguments of all processes of this machine, as `ps` shows them. */
function allArguments(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    });
}

/** Starts a session whose browser is a script. */
function startWith(script: string) {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: []\ndocs: false\n');
  workspace.add(1);
  const { root } = workspace;
  const browser = join(root, 'browser');
  writeFileSync(browser, `#!/bin/sh\necho "$1" > "${root}/opened"\n${script}\n`);
  chmodSync(browser, 0o755);
  return { root, ...spawnDev(root, ['--edit'], { BROWSER: browser }) };
}

it.runIf(process.platform === 'linux')(
  'goes also if one ends the session while the browser opens',
  async () => {
    const { root, child } = startWith('exec sleep 30');
    const folder = join(root, 'dist/dev');
    const pages = () =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('open-')) : [];
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    while (pages().length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    child.kill('SIGINT');
    expect([await ended, pages()]).toEqual([0, []]);
  },
);

it.runIf(process.platform === 'linux')('is opened by a file of its own, which goes again', async () => {
  // Stands for the browser, and stays, so that its arguments can be read.
  const { root, child, said } = startWith('exec sleep 30 "$1" 2>/dev/null');
  await expect.poll(() => existsSync(join(root, 'opened'))).toBe(true);
  const opened = readFileSync(join(root, 'opened'), 'utf8').trim();
  const [, address = '', token = ''] = /(http:\S+#(\S+))/.exec(said()) ?? [];
  expect(token).toHaveLength(32);
  expect(allArguments().filter((line) => line.includes(token))).toEqual([]);
  expect(statSync(opened).mode & 0o777).toBe(0o600);
  expect(readFileSync(opened, 'utf8')).toContain(`url=${address}"`);
  child.kill('SIGINT');
  await expect.poll(() => existsSync(opened)).toBe(false);
});
