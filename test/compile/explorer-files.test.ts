/** The explorer in a release: added, kept, replaced, left out. */
import { existsSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CURRENT_KEY, rootKey } from '../../src/contract/object-keys.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

const SETTINGS = 'page_sizes: [25]\ntargets: []\ndocs: false\nbulk: false\n';

function explorerFiles(workspace: Workspace): string[] {
  return [...workspace.tree().keys()].filter((key) => key === 'index.html' || key.startsWith('explorer/'));
}

it('every build writes the explorer, and names its files in the root', async () => {
  const workspace = createWorkspace();
  workspace.configure(SETTINGS);
  workspace.add(1);
  const { counts } = await workspace.build();
  const keys = explorerFiles(workspace);
  expect(keys.length).toBeGreaterThan(4);
  const page = workspace.read('index.html');
  for (const [, url] of page.matchAll(/ (?:src|href)="(explorer\/[^"]+)"/g)) expect(keys).toContain(url);
  const { release } = workspace.json(CURRENT_KEY) as { release: string };
  const { documents, headers } = workspace.json(rootKey(release)) as {
    documents: Record<string, string>;
    headers: Record<string, string>;
  };
  expect(Object.keys(documents)).toEqual(expect.arrayContaining(keys));
  expect(headers).toHaveProperty(['explorer.js']);
  expect(counts?.files).toBe(workspace.tree().size);
});

it('a build that changes other files does not touch the explorer', async () => {
  const workspace = createWorkspace();
  workspace.configure(SETTINGS);
  workspace.add(1);
  await workspace.build();
  const keys = explorerFiles(workspace);
  for (const key of keys) utimesSync(join(workspace.public, key), 1000, 1000);
  workspace.add(2);
  expect((await workspace.build()).outcome).toBe('published');
  for (const key of keys) expect(statSync(join(workspace.public, key)).mtimeMs, key).toBe(1_000_000);
});

it('a setting leaves the explorer out', async () => {
  const workspace = createWorkspace();
  workspace.configure(SETTINGS);
  workspace.add(1);
  await workspace.build();
  workspace.configure(`${SETTINGS}explorer:\n  enabled: false\n`);
  await workspace.build();
  expect(explorerFiles(workspace)).toEqual([]);
  for (const key of ['404.html', 'index.html']) expect(existsSync(join(workspace.public, key))).toBe(false);
  expect(workspace.read('index.json')).not.toContain('Explorer');
});

it('without documentation, no explorer file and no empty folder remains (C14)', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: []\nbulk: false\n');
  workspace.add(1);
  await workspace.build();
  expect(existsSync(join(workspace.public, 'docs/index.html'))).toBe(true);
  workspace.configure(SETTINGS);
  await workspace.build();
  expect(existsSync(join(workspace.public, 'docs'))).toBe(false);
});
