import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace } from '../compile/workspace.ts';
import { runCli } from '../support/run-cli.ts';

it('publishes nothing for all readers if only --preview was forgotten', async () => {
  const workspace = createWorkspace();
  workspace.configure('targets: []\ndocs: false\n');
  workspace.add(1);
  await workspace.build();
  const args = ['publish', 'dir:live', '--out', workspace.out];
  const { status, stderr } = runCli(workspace, [...args, '--expires', '3']);
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^invalid-option: --expires is of a preview/)]);
  expect(existsSync(join(workspace.root, 'live'))).toBe(false);
});
