/** Threads write the same files as the main thread, and a build after another one the same as a clean one. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CLI } from '../../support/run-cli.ts';
import { createWorkspace, readTree } from '../workspace.ts';

/** Enough for a thread, and for several parts of the downloads. */
const PROPERTIES = 2100;
const ADDRESS = 'Long Street '.repeat(30);

it('does not depend on the number of threads', () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ndocs: false\nexplorer: { enabled: false }\n');
  for (let n = 1; n <= PROPERTIES; n++) workspace.add(n, { city: `City ${n % 50}`, address: ADDRESS });
  const build = (jobs: number, out: string, ...options: string[]) => {
    const args = ['build', '--jobs', String(jobs), '--content', workspace.content, '--out', out, ...options];
    const { status, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8' });
    expect(status, stderr).toBe(0);
    return readTree(join(out, 'public'));
  };
  const two = join(workspace.root, 'two');
  const one = build(1, workspace.out);
  expect(build(2, two)).toEqual(one);
  expect([...one.keys()].filter((key) => /_catalogue\/parts\/.*\.ndjson$/.test(key)).length).toBeGreaterThan(
    2,
  );
  workspace.add(7, { city: 'City 7', title: 'Changed', address: ADDRESS });
  workspace.remove('house-900.yaml');
  const changed = build(2, two);
  expect(changed).toEqual(build(1, workspace.out, '--force'));
  expect(changed).not.toEqual(one);
});
