/** A change that the watch keeps quiet about, since it follows another one of the same file at once, is seen all the same. */
import { expect, it, onTestFinished } from 'vitest';
import { startSession } from '../../src/dev/session.ts';
import type { SessionEvent } from '../../src/dev/view.ts';
import { createWorkspace } from '../build/workspace.ts';

it('a configuration that is mended right after the build has read it is read again', async () => {
  const workspace = createWorkspace();
  workspace.configure('targets: []\ndocs: false\n');
  workspace.add(1);
  let onBuilding = () => {};
  let settled = 0;
  const listener = ({ kind }: SessionEvent) => {
    if (kind === 'building') onBuilding();
    if (kind === 'settled') settled++;
  };
  const { content, out } = workspace;
  const session = await startSession({ content, out, jobs: 1, idle: 40, listener });
  onTestFinished(() => session.close());
  await expect.poll(() => settled).toBeGreaterThan(0);
  for (const delay of [2, 5, 8, 12, 16, 20, 25, 30]) {
    onBuilding = () => {
      onBuilding = () => {};
      setTimeout(() => workspace.configure(`title: After ${delay}\ntargets: []\ndocs: false\n`), delay);
    };
    workspace.configure('page_sizes: none\n');
    await expect
      .poll(() => [session.shown()?.configuration.title, session.trouble()], { timeout: 10_000 })
      .toEqual([`After ${delay}`, undefined]);
  }
});
