/** The command line on a disk that refuses as those of Windows do (A2). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace, readTree } from './compile/workspace.ts';
import { spawnDev } from './dev/dev-process.ts';
import { runCli } from './support/run-cli.ts';

it('dev, build and publish finish without symbolic links, while a scanner holds each new file', async () => {
  const workspace = createWorkspace();
  const refusals = join(workspace.root, 'refusals');
  const env = {
    REFUSALS: refusals,
    NODE_OPTIONS: `--import=${new URL('support/windows-disk.mjs', import.meta.url).href}`,
  };
  workspace.configure('page_sizes: [25]\n');
  workspace.add(1);

  const { child, said } = spawnDev(workspace.root, [], env);
  await expect.poll(said).toMatch(/Updated|Error/);
  expect(said()).not.toContain('Error');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  await ended;

  const site = join(workspace.root, 'site');
  const buildAndPublish = () => {
    expect(runCli(workspace, ['build'], env)).toMatchObject({ status: 0 });
    expect(runCli(workspace, ['publish', `dir:${site}`], env)).toMatchObject({ status: 0 });
  };
  buildAndPublish();
  workspace.add(1, { title: 'Renamed' });
  workspace.add(2);
  buildAndPublish();
  expect(Object.fromEntries(readTree(site))).toMatchObject(Object.fromEntries(workspace.tree()));

  const refused = readFileSync(refusals, 'utf8');
  for (const step of ['rename', 'link', 'symlink']) expect(refused).toMatch(new RegExp(`^${step} `, 'm'));
});
