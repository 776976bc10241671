/** Published files are readable for all, whatever the umask; private ones have what it leaves. */
import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createCatalogue, photo } from '../publish/catalogue.ts';
import { CLI } from '../support/run-cli.ts';

type Tree = { readonly files: string[]; readonly folders: string[] };

/** Paths below a folder, and itself, without links. */
function treeOf(root: string): Tree {
  const tree: Tree = { files: [], folders: [root] };
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) tree.files.push(path);
    else if (entry.isDirectory()) tree.folders.push(path);
  }
  return tree;
}

const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);
const modesOf = (paths: readonly string[]) => [...new Set(paths.map(modeOf))];

/** A catalogue with all kinds of files, and the command line under an umask. */
async function open() {
  const catalogue = createCatalogue(30, 'targets: [nginx, fetch-handler]\n');
  catalogue.write('a.jpg', await photo(10));
  catalogue.add(1, { photo: [{ file: 'a.jpg' }] });
  const bucket = join(catalogue.root, 'sites', 'bucket');
  const dir = `dir:${bucket}`;
  const run = (umask: string, ...args: string[]) => {
    const line = `umask ${umask}; exec "$@"`;
    const command = ['-c', line, 'sh', process.execPath, CLI, ...args];
    const { status, stderr } = spawnSync('sh', command, { cwd: catalogue.root, encoding: 'utf8' });
    expect(status, stderr).toBe(0);
  };
  const built = () => [join(catalogue.out, 'public'), join(catalogue.out, 'edge')].map(treeOf);
  const published = () => {
    const isServed = (path: string) => !path.startsWith(join(bucket, '.catalogue-incoming'));
    const { files, folders } = treeOf(bucket);
    return { files: files.filter(isServed), folders: folders.filter(isServed) };
  };
  return { catalogue, bucket, dir, run, built, published };
}

const isReadable = ({ files, folders }: Tree) => {
  expect(files.length).toBeGreaterThan(3);
  expect([modesOf(files), modesOf(folders)]).toEqual([['644'], ['755']]);
};

it.each(['000', '002', '022', '027', '077', '0777'])('with the umask %s', async (umask) => {
  // With 0777, nobody but the superuser could read what was written.
  if (umask === '0777' && process.getuid?.() !== 0) return;
  const { catalogue, bucket, dir, run, built, published } = await open();
  run(umask, 'build', '--jobs', '3');
  built().forEach(isReadable);
  expect(modeOf(catalogue.out)).toBe('755');
  catalogue.add(31);
  run(umask, 'build');
  built().forEach(isReadable);
  run(umask, 'changes', '--time', '2026-01-01T12:00:00Z');
  built().forEach(isReadable);
  run(umask, 'publish', dir);
  isReadable(published());
  expect(modeOf(join(bucket, '..'))).toBe('755');
  const left = (mode: number) => (mode & ~Number.parseInt(umask, 8)).toString(8);
  expect(modesOf(treeOf(join(catalogue.out, 'cache')).files)).toEqual([left(0o666)]);
  expect(modeOf(join(catalogue.out, 'state'))).toBe(left(0o666));
  run(umask, 'keys', 'new', 'signing.key');
  expect(modeOf(join(catalogue.root, 'signing.key'))).toBe('600');
});

it('repairs what was written before, and leaves the files of others alone', async () => {
  const { catalogue, bucket, dir, run, built, published } = await open();
  const hide = ({ files, folders }: Tree) => {
    for (const path of files) chmodSync(path, 0o600);
    for (const path of folders) chmodSync(path, 0o700);
  };
  run('022', 'build');
  run('022', 'publish', dir);
  built().forEach(hide);
  run('022', 'build');
  built().forEach(isReadable);
  // Above 10,000 files, a single one is found by the check of all.
  chmodSync(join(catalogue.public, 'index.json'), 0o600);
  run('022', 'build', '--force');
  built().forEach(isReadable);

  hide(published());
  const own = join(bucket, 'notes.txt');
  writeFileSync(own, 'private');
  chmodSync(own, 0o600);
  run('022', 'publish', dir, '--verify');
  expect(modeOf(own)).toBe('600');
  chmodSync(own, 0o644);
  isReadable(published());
});

it('makes photos readable although their cache is private', async () => {
  const { catalogue, run, built } = await open();
  run('077', 'build');
  const media = join(catalogue.public, 'media');
  for (const name of readdirSync(media)) writeFileSync(join(media, name), 'damaged');
  run('022', 'build', '--force');
  built().forEach(isReadable);
  expect(statSync(join(media, readdirSync(media)[0]!)).size).toBeGreaterThan(7);
});
