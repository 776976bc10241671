/** The changes in an output folder are replaced as a whole (D7). */
import { linkSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeChanges } from '../../src/history/write.ts';
import { createWorkspace } from '../compile/workspace.ts';

it('are never seen half written: a reader keeps what it opened', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: []\ndocs: false\n');
  workspace.add(1);
  await workspace.build();
  await writeChanges({ out: workspace.out, time: '2026-11-20T09:00:00Z' });
  const index = join(workspace.public, 'changes/index.json');
  const before = readFileSync(index, 'utf8');
  linkSync(index, join(workspace.root, 'opened'));
  await writeChanges({ out: workspace.out, time: '2026-11-21T09:00:00Z' });
  expect(readFileSync(index, 'utf8')).not.toBe(before);
  expect(readFileSync(join(workspace.root, 'opened'), 'utf8')).toBe(before);
});
