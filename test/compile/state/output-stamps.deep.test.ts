/** A build repairs output that somebody removed, cut off or replaced (D6). */
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plain } from '../../media/picture.ts';
import { createWorkspace, type Workspace } from '../workspace.ts';

const CHANGES: Record<string, (path: string) => void> = {
  removed: (path) => rmSync(path),
  'cut off': (path) => truncateSync(path, 1),
  empty: (path) => truncateSync(path, 0),
  replaced: (path) => writeFileSync(path, '{"replaced": true}'),
};

/** A file of each kind of a catalogue. */
function oneOfEachKind(workspace: Workspace): string[] {
  const kinds = new Map<string, string>();
  for (const key of workspace.tree().keys())
    kinds.set(
      key.replace(/[^/]*$/, (name) => name.replace(/^[0-9a-f-]+(?=\.)|\d+/g, '#')),
      key,
    );
  return [...kinds.values()];
}

describe.each(['pages', 'packed'])('a file of each kind in the layout %s', (layout) => {
  it('is made again by the next build, whether it has something else to do or not', async () => {
    const workspace = createWorkspace();
    const settings = 'page_sizes: [2, 25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';
    workspace.configure(`${settings}layout: ${layout}\n`);
    workspace.write('a.jpg', await plain(9, 9, '#abcdef').jpeg().toBuffer());
    const photo = [{ file: 'a.jpg' }];
    for (let n = 1; n <= 4; n++) workspace.add(n, n === 1 ? { photo } : {});
    await workspace.build();
    let sound = workspace.tree();
    const kinds = oneOfEachKind(workspace);
    expect(kinds.length).toBeGreaterThan(layout === 'pages' ? 12 : 8);
    const changes = Object.entries(CHANGES);
    for (const [index, key] of kinds.entries()) {
      const [name, change] = changes[index % changes.length]!;
      change(join(workspace.public, key));
      expect((await workspace.build()).outcome, `${key} ${name}`).toBe('published');
      expect(workspace.tree(), `${key} ${name}`).toEqual(sound);
    }
    workspace.add(2, { title: 'Changed' });
    const clean = createWorkspace();
    await clean.build({ content: workspace.content });
    sound = clean.tree();
    for (const [index, key] of kinds.entries()) {
      workspace.add(2);
      await workspace.build();
      const [name, change] = changes[(index + 1) % changes.length]!;
      change(join(workspace.public, key));
      workspace.add(2, { title: 'Changed' });
      await workspace.build();
      expect(workspace.tree(), `${key} ${name}, and an edit`).toEqual(sound);
    }
  });
});

it('a clean build makes no empty folder (D7)', async () => {
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: []\ndocs: false\n');
  await workspace.build();
  workspace.add(1);
  await workspace.build();
  const folders = readdirSync(workspace.public, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  for (const { parentPath, name } of folders)
    expect(readdirSync(join(parentPath, name)), name).not.toEqual([]);
});
