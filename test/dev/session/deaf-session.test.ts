/** A session whose watch reports nothing still shows each change. */
import { expect, it, vi } from 'vitest';
import { createWorkspace } from '../../compile/workspace.ts';
import { startHeardSession } from '../heard-session.ts';

vi.mock('../../../src/dev/session/watch.ts', () => ({ watchContent: () => ({ close: () => {} }) }));

it('finds a change that the watch missed while it is at rest', async () => {
  const workspace = createWorkspace();
  workspace.configure('targets: []\ndocs: false\n');
  workspace.add(1);
  const { session, events, next } = await startHeardSession(workspace, { idle: 5 });
  const from = events.length;
  workspace.configure('title: Unreported\ntargets: []\ndocs: false\n');
  await next('settled', from);
  expect(session.shown()?.configuration.title).toBe('Unreported');
  expect(events.slice(from).map(({ kind }) => kind)).toEqual(['built', 'files', 'settled']);
});
