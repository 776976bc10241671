/** What is done with git in a terminal reaches the pages, also if no file of the content changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWorkspace } from '../../compile/workspace.ts';
import { startHeardSession } from '../heard-session.ts';
import { repository, run } from './repository.ts';

it('reports a record and the end of a merge, and not what is only looked at', async () => {
  const workspace = createWorkspace();
  workspace.configure('targets: []\ndocs: false\n');
  workspace.add(1);
  repository(workspace);
  const { root } = workspace;
  run(root, 'switch', '--quiet', '--create', 'lena');
  workspace.add(2);
  run(root, 'add', '.');
  run(root, 'commit', '--quiet', '--message=Of Lena');
  run(root, 'switch', '--quiet', 'main');
  run(root, 'commit', '--quiet', '--allow-empty', '--message=Of Ada');
  run(root, 'merge', '--quiet', '--no-commit', 'lena');
  const { events } = await startHeardSession(workspace);
  const heard = () => events.filter((event) => event.kind === 'files' && event.paths?.length === 0).length;
  for (const command of ['status', 'log', 'diff']) run(root, '--no-optional-locks', command);
  await sleep(400);
  expect(heard()).toBe(0);
  for (const message of ['Merge', 'Empty']) {
    const before = heard();
    run(root, 'commit', '--quiet', '--allow-empty', `--message=${message}`);
    await expect.poll(heard).toBeGreaterThan(before);
  }
});
