/** File systems that refuse as those of Windows do. */
import type fileSystem from 'node:fs';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { takeOutputLock } from '../src/compile/output-lock.ts';
import { writeAtomically } from '../src/files/atomic-write.ts';
import { createPhotoFinder } from '../src/source/photo-file.ts';
import { openFolderBucket } from '../src/storage/folder/bucket.ts';
import { createWorkspace } from './compile/workspace.ts';
import { beforeStep, failure } from './storage/folder/faults.ts';
import { temporaryFolder } from './support/temporary.ts';

/** Codes with which the next calls fail; the last one lasts when it is alone and `forever`. */
const refusals = vi.hoisted(() => ({ rename: [] as string[], link: '', symlink: '', ignoresCase: false }));

vi.mock('node:fs/promises', async (load) => (await import('./storage/folder/faults.ts')).withFaults(load));
vi.mock('node:fs', async (load) => {
  const fs = await load<typeof fileSystem>();
  const refuse = (code: string | undefined) => {
    if (code) throw Object.assign(new Error(`${code}: refused`), { code });
  };
  /** The path as the disk writes it. */
  const onDisk = (path: string): string => {
    if (!refusals.ignoresCase || fs.existsSync(path) || dirname(path) === path) return path;
    const above = onDisk(dirname(path));
    const same = (name: string) => name.toLowerCase() === basename(path).toLowerCase();
    return join(above, fs.readdirSync(above).find(same) ?? basename(path));
  };
  const changed = {
    renameSync: (...args: Parameters<typeof fs.renameSync>) => {
      refuse(refusals.rename.shift());
      fs.renameSync(...args);
    },
    linkSync: (...args: Parameters<typeof fs.linkSync>) => {
      refuse(refusals.link);
      fs.linkSync(...args);
    },
    symlinkSync: (...args: Parameters<typeof fs.symlinkSync>) => {
      refuse(refusals.symlink);
      fs.symlinkSync(...args);
    },
    realpathSync: Object.assign((path: string) => fs.realpathSync(onDisk(path)), {
      native: (path: string) => fs.realpathSync.native(onDisk(path)),
    }),
    statSync: (path: string, options?: object) => fs.statSync(onDisk(path), options),
  };
  return { ...fs, ...changed, default: { ...fs, ...changed } };
});

function useFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => {
    Object.assign(refusals, { rename: [], link: '', symlink: '', ignoresCase: false });
  });
  return folder;
}

it('a file is renamed once a scanner lets go of it (A2)', () => {
  const path = join(useFolder(), 'a.yaml');
  refusals.rename = ['EPERM', 'EBUSY', 'EACCES'];
  writeAtomically(path, 'text');
  expect(readFileSync(path, 'utf8')).toBe('text');
  refusals.rename = Array.from({ length: 20 }, () => 'EBUSY');
  expect(() => writeAtomically(path, 'new')).toThrow('EBUSY');
  expect(readFileSync(path, 'utf8')).toBe('text');
});

it.each(['EPERM', 'EISDIR'])(
  'without hard links (%s), locks and new files still exclude others (A2)',
  (code) => {
    const folder = useFolder();
    refusals.link = code;
    const lock = takeOutputLock(join(folder, 'lock'));
    expect(() => takeOutputLock(join(folder, 'lock'))).toThrow('Another build');
    lock.release();
    expect(readdirSync(folder)).toEqual([]);
    writeAtomically(join(folder, 'a'), '1', { isNew: true });
    expect(() => writeAtomically(join(folder, 'a'), '2', { isNew: true })).toThrow('EEXIST');
  },
);

it('a publication goes on once files are free (A2)', async () => {
  const bucket = openFolderBucket(join(useFolder(), 'site'));
  for (const step of ['rename', 'link'] as const) {
    const codes = ['EPERM', 'EBUSY'];
    beforeStep(step, () => {
      const code = codes.shift();
      if (code) throw failure(code);
    });
  }
  const headers = { contentType: 'text/plain', cacheControl: 'no-store' };
  await bucket.write('a', Buffer.from('1'), headers);
  await bucket.write('b', Buffer.from('2'), headers, { absent: true });
  expect((await bucket.read('a'))?.body.toString()).toBe('1');
  expect((await bucket.read('b'))?.body.toString()).toBe('2');
});

it('without symbolic links, the build copies the folders of cities for Apache alone, at each build (A2)', async () => {
  useFolder();
  refusals.symlink = 'EPERM';
  refusals.rename = ['EBUSY'];
  const workspace = createWorkspace();
  workspace.configure('page_sizes: [25]\ntargets: [apache]\ndocs: false\nexplorer: { enabled: false }\n');
  const pages = () => {
    const folder = join(workspace.out, 'edge/apache/_catalogue/pages/IE');
    const [copy] = readdirSync(folder);
    return readFileSync(join(folder, copy!, '25-1.json'), 'utf8');
  };
  for (const title of ['First', 'Second']) {
    workspace.add(1, { title });
    expect((await workspace.build()).outcome).toBe('published');
    expect(pages()).toContain(title);
  }
  expect((await workspace.build({ force: true })).damaged ?? []).toEqual([]);
  workspace.configure('page_sizes: [25]\ntargets: [nginx]\ndocs: false\nexplorer: { enabled: false }\n');
  await workspace.build();
  expect(existsSync(join(workspace.out, 'edge/apache'))).toBe(false);
});

it('without symbolic links, the copies have no page that is gone (D7)', async () => {
  useFolder();
  refusals.symlink = 'EPERM';
  const workspace = createWorkspace();
  workspace.configure(
    'page_sizes: [1, 25]\ntargets: [apache]\ndocs: false\nbulk: false\nexplorer: { enabled: false }\n',
  );
  for (let number = 1; number <= 3; number++) workspace.add(number);
  await workspace.build();
  const copies = join(workspace.out, 'edge/apache/_catalogue/pages/IE');
  const pages = () =>
    readdirSync(join(copies, readdirSync(copies)[0]!)).filter((name) => name.startsWith('1-'));
  expect(pages()).toEqual(['1-1.json', '1-2.json', '1-3.json']);
  workspace.remove('house-3.yaml');
  await workspace.build();
  expect(pages()).toEqual(['1-1.json', '1-2.json']);
});

it('a photo is found by its exact name alone, with the right one proposed (A2)', () => {
  const content = useFolder();
  refusals.ignoresCase = true;
  writeFileSync(join(content, 'Front.JPG'), '');
  const { find } = createPhotoFinder(content, new Map(), () => 'digest');
  expect(find('a.yaml', 'front.jpg')).toEqual({
    code: 'photo-missing',
    args: { path: 'front.jpg', suggestion: 'Front.JPG' },
  });
  expect(find('a.yaml', 'Front.JPG')).toMatchObject({ path: 'Front.JPG' });
});
