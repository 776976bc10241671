/** A change that the watch keeps quiet about, since it follows another one of the same file at once, is seen all the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createWorkspace } from '../../compile/workspace.ts';
import { startHeardSession } from '../heard-session.ts';

it('a configuration that is mended right after the build has read it is read again', async () => {
  const workspace = createWorkspace();
  workspace.configure('targets: []\ndocs: false\n');
  workspace.add(1);
  const { session, events, next } = await startHeardSession(workspace);
  for (const delay of [12, 16, 20, 25, 30, 35, 40]) {
    const refused = next('built', events.length);
    workspace.configure('page_sizes: none\n');
    await Promise.race([refused, sleep(delay)]);
    workspace.configure(`title: After ${delay}\ntargets: []\ndocs: false\n`);
    await expect
      .poll(() => [session.shown()?.configuration.title, session.diagnostics()])
      .toEqual([`After ${delay}`, []]);
  }
});
