/** A disk that is full, or broken, in the midst of a write: each new file is whole or absent. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, it, vi } from 'vitest';
import { type Editing, ROSE, startEditing } from '../editing.ts';

/** Error code of the next writes below the content folder, how many succeed before, and a file that cannot be removed. */
const disk = vi.hoisted(() => ({
  code: '',
  step: 'write' as 'write' | 'flush',
  spare: 0,
  root: '',
  held: '',
}));

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const isContent = (file: number) => fs.readlinkSync(`/proc/self/fd/${file}`).startsWith(disk.root);
  const failure = () => Object.assign(new Error(`${disk.code}: the disk`), { code: disk.code });
  const fails = (step: typeof disk.step, file: unknown) =>
    disk.code !== '' &&
    disk.step === step &&
    typeof file === 'number' &&
    isContent(file) &&
    disk.spare-- <= 0;
  return {
    ...fs,
    writeFileSync(file: number, bytes: Buffer | string, ...rest: []) {
      if (!fails('write', file)) return fs.writeFileSync(file, bytes, ...rest);
      fs.writeSync(file, Buffer.from(bytes).subarray(0, 10));
      throw failure();
    },
    rmSync(path: string, ...rest: []) {
      if (disk.held !== '' && path.endsWith(disk.held))
        throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
      fs.rmSync(path, ...rest);
    },
    fsyncSync(file: number) {
      if (fails('flush', file)) throw failure();
      fs.fsyncSync(file);
    },
  };
});

afterEach(() => {
  Object.assign(disk, { code: '', held: '' });
});

const NEW = {
  title: 'Lime House',
  country: 'IE',
  city: 'Galway',
  currency: 'EUR',
  latitude: '53.27194',
  longitude: '-9.04889',
};

const photo = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const KINDS: readonly (readonly [code: string, step: typeof disk.step])[] = [
  ['ENOSPC', 'write'],
  ['EIO', 'write'],
  ['EDQUOT', 'write'],
  ['EIO', 'flush'],
];

/** Runs a request on a disk that fails after some files, then on a sound one. */
async function onFailingDisk(
  { workspace }: Editing,
  [code, step]: (typeof KINDS)[number],
  request: () => Promise<{ status: number }>,
  spare = 0,
): Promise<void> {
  const before = filesBelow(workspace.content);
  Object.assign(disk, { code, step, spare, root: workspace.content });
  expect(await request()).toMatchObject({ status: 500, json: { code: 'not-written' } });
  disk.code = '';
  expect(filesBelow(workspace.content)).toEqual(before);
  expect(await request()).toMatchObject({ status: 200 });
}

it.each(KINDS)(
  'a new property, a copy, a new name and a photo are whole or absent: %s at the %s (C3)',
  async (...kind) => {
    const editing = await startEditing();
    const { ask, property } = editing;
    const { version } = await property();
    await onFailingDisk(editing, kind, () => ask('create', { fields: NEW }));
    await onFailingDisk(editing, kind, () => ask('copy', { path: 'rose.yaml', version, title: 'Rose Barn' }));
    const bytes = await photo();
    await onFailingDisk(editing, kind, () =>
      ask('add-photo?path=rose.yaml&name=a.jpg', new Uint8Array(bytes), { 'Content-Type': 'image/jpeg' }),
    );
    await onFailingDisk(editing, kind, () => ask('rename', { path: 'rose.yaml', version }));
  },
);

it.each(KINDS)('a removed property can be restored after a failure: %s at the %s (C3)', async (...kind) => {
  const bytes = await photo();
  const editing = await startEditing((workspace) => {
    for (const name of ['a.jpg', 'b.jpg']) workspace.write(name, bytes);
    workspace.write('rose.yaml', `${ROSE}photo:\n  - file: a.jpg\n  - file: b.jpg\n`);
  });
  const { ask, workspace, property } = editing;
  const before = filesBelow(workspace.content);
  for (const spare of [0, 1, 2]) {
    const { version } = await property();
    expect((await ask('remove', { path: 'rose.yaml', version })).json.photos).toEqual(['a.jpg', 'b.jpg']);
    await onFailingDisk(editing, kind, () => ask('restore', { path: 'rose.yaml' }), spare);
    expect(filesBelow(workspace.content)).toEqual(before);
    expect(existsSync(join(workspace.content, 'rose.yaml'))).toBe(true);
  }
});

it('a photo that cannot be removed stays, and the property goes and comes back without an error', async () => {
  const bytes = await photo();
  const { ask, workspace, property } = await startEditing((workspace) => {
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) workspace.write(name, bytes);
    workspace.write('rose.yaml', `${ROSE}photo:\n  - file: a.jpg\n  - file: b.jpg\n  - file: c.jpg\n`);
  });
  const before = filesBelow(workspace.content);
  disk.held = '/b.jpg';
  const { version } = await property();
  expect(await ask('remove', { path: 'rose.yaml', version })).toMatchObject({
    status: 200,
    json: { photos: ['a.jpg', 'c.jpg'] },
  });
  expect(existsSync(join(workspace.content, 'b.jpg'))).toBe(true);
  expect((await ask('restore', { path: 'rose.yaml' })).status).toBe(200);
  expect(filesBelow(workspace.content)).toEqual(before);
});
