/** Content on a file system that stores whole seconds, and files that swap their names. */
import { renameSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { plain } from '../media/picture.ts';
import { createWorkspace, idOf, readTree, sound, yaml } from './workspace.ts';

// As ext4 with inodes of 128 bytes: https://docs.kernel.org/filesystems/ext4/inodes.html
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const statSync = (...args: Parameters<typeof fs.statSync>) => {
    const stats = fs.statSync(...args) as import('node:fs').Stats | undefined;
    if (!stats) return stats;
    const whole = (time: number) => Math.floor(time / 1000) * 1000;
    return Object.assign(stats, { mtimeMs: whole(stats.mtimeMs), ctimeMs: whole(stats.ctimeMs) });
  };
  return { ...fs, default: { ...fs, statSync }, statSync };
});

const FEW = 'page_sizes: [25]\ntargets: []\ndocs: false\nexplorer: { enabled: false }\n';

it('publishes a second edit of the same size within the same second (C9)', async () => {
  const workspace = createWorkspace();
  workspace.configure(FEW);
  workspace.add(2);
  // Wherever in a second the test starts, some of these edits are in the same second as the build before.
  for (let edit = 10; edit < 18; edit++) {
    workspace.add(1, { title: `Edit ${edit}` });
    await workspace.build();
    expect(workspace.json(`_catalogue/properties/${idOf(1)}.json`)).toMatchObject({ title: `Edit ${edit}` });
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
});

it('publishes photos and files that swapped their folders (C10)', async () => {
  const workspace = createWorkspace();
  workspace.configure(FEW);
  const pictures = await Promise.all(
    ['#111111', '#999999'].map((color) => plain(8, 8, color).png().toBuffer()),
  );
  // A comment gives them the same length.
  const length = Math.max(...pictures.map((bytes) => bytes.length));
  ['a', 'b'].forEach((name, n) => {
    workspace.write(`${name}/photo.png`, Buffer.concat([pictures[n]!], length));
    workspace.write(`${name}/house.yaml`, yaml(sound(n + 1, { photo: [{ file: 'photo.png' }] })));
    for (const file of ['photo.png', 'house.yaml']) utimesSync(join(workspace.content, name, file), 5, 5);
  });
  workspace.write('reader.yaml', yaml(sound(3, { photo: [{ file: 'a/photo.png' }] })));
  // No further change can be within the same tick.
  await new Promise((resolve) => setTimeout(resolve, 3100));
  await workspace.build();
  expect((await workspace.build()).outcome).toBe('unchanged');

  const path = (name: string) => join(workspace.content, name);
  for (const [from, to] of [
    ['a', 'c'],
    ['b', 'a'],
    ['c', 'b'],
  ] as const)
    renameSync(path(from), path(to));
  await workspace.build();
  const clean = join(workspace.root, 'clean');
  await workspace.build({ out: clean });
  expect(workspace.tree()).toEqual(readTree(join(clean, 'public')));
});
