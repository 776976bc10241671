/** A change that the watch keeps quiet about, since it follows another one of the same file at once, is seen all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type SessionEvent, startSession } from '../../src/dev/session.ts';
import { createWorkspace } from '../build/workspace.ts';

it('a configuration that is mended right after the build has read it is read again', async () => {
  const workspace = createWorkspace();
  workspace.configure('targets: []\ndocs: false\n');
  workspace.add(1);
  let settled = 0;
  let onBuilt = () => {};
  const listener = ({ kind }: SessionEvent) => {
    if (kind === 'settled') settled++;
    if (kind === 'built') onBuilt();
  };
  const { content, out } = workspace;
  const session = await startSession({ content, out, jobs: 1, idle: 40, listener });
  onTestFinished(() => session.close());
  await expect.poll(() => settled).toBeGreaterThan(0);
  for (const delay of [12, 16, 20, 25, 30, 35, 40]) {
    const refused = new Promise<void>((resolve) => {
      onBuilt = resolve;
    });
    workspace.configure('page_sizes: none\n');
    await Promise.race([refused, sleep(delay)]);
    workspace.configure(`title: After ${delay}\ntargets: []\ndocs: false\n`);
    await expect
      .poll(() => [session.shown()?.configuration.title, session.diagnostics()], { timeout: 10_000 })
      .toEqual([`After ${delay}`, []]);
  }
});
