/** The recipe of docs/publishing.md for rsync: readers get the new release, and the server keeps its own files (A6). */
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openDist } from '../../src/publish/dist-source.ts';
import { publishRelease } from '../../src/publish/publish.ts';
import { openFolderBucket } from '../../src/storage/folder/bucket.ts';
import { createWorkspace } from '../compile/workspace.ts';
import { ROOT } from '../support/clone.ts';
import { missingPrograms } from '../support/programs.ts';

const missing = await missingPrograms([{ program: '/usr/bin/rsync', package: 'rsync' }]);

it.skipIf(missing.length > 0)('removes the files of the catalogue that are gone, and no others', async () => {
  const { root, out, add, remove, configure, build } = createWorkspace();
  const [local, server] = [join(root, 'stays-live'), join(root, 'server')];
  const recipe = readFileSync(join(ROOT, 'docs/publishing.md'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('rsync -'))
    .map((line) => line.replace('server:/srv/catalogue/public/', `${server}/`));
  expect(recipe).toHaveLength(3);
  const send = async () => {
    await build();
    await publishRelease(openFolderBucket(local), await openDist(out), { allowShrink: true });
    for (const line of recipe) execFileSync('bash', ['-c', line], { cwd: root });
  };
  const files = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .sort();
  mkdirSync(server);
  for (const name of ['.htaccess', 'robots.txt']) writeFileSync(join(server, name), 'mine');
  configure('page_sizes: [25]\n');
  add(1, { city: 'Cork' });
  add(2);
  await send();
  const link = join(server, '_catalogue/pages/-/~0123');
  symlinkSync('.', link);
  remove('house-2.yaml');
  // rsync takes a file of the same size and second for the same.
  await sleep(1100);
  await send();
  expect(readlinkSync(link)).toBe('.');
  rmSync(link);
  const own = files(local).filter((path) => !path.startsWith('.catalogue-incoming'));
  expect(files(server)).toEqual([...own, '.htaccess', 'robots.txt'].sort());
  expect(readFileSync(join(server, '_catalogue/current.json'))).toEqual(
    readFileSync(join(local, '_catalogue/current.json')),
  );
});
