/** After a loss of power the state may be complete while the files that it describes are empty. */
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createWorkspace } from './workspace.ts';

const machine = vi.hoisted(() => ({ uptime: 0 }));
vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>();
  return { ...os, default: os, uptime: () => machine.uptime };
});

const YEAR = 31_536_000;

it('makes a file again whose bytes never reached the disk, and compares the output after each start of the machine (C8)', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: [nginx]\ndocs: false\nexplorer: { enabled: false }\n');
  workspace.add(1);
  await new Promise((resolve) => setTimeout(resolve, 40));
  machine.uptime = YEAR;
  await workspace.build();
  const sound = workspace.tree();
  const lost = '_catalogue/pages/IE/-/25-1.json';
  // A file whose bytes never reached the disk has its size and its time.
  const { atime, mtime, size } = statSync(join(workspace.public, lost));
  writeFileSync(join(workspace.public, lost), Buffer.alloc(size));
  utimesSync(join(workspace.public, lost), atime, mtime);
  const mended = await workspace.build();
  expect([mended.outcome, mended.damaged]).toEqual(['published', [lost]]);
  expect(workspace.tree()).toEqual(sound);
  machine.uptime = 0;
  expect((await workspace.build()).damaged ?? []).toEqual([]);
  // The machine has been running for a while.
  machine.uptime = YEAR;
  expect((await workspace.build()).outcome).toBe('unchanged');
});
