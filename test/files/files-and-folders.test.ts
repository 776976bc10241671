import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  errorCodeOf,
  makeFolder,
  undefinedIfMissing,
  undefinedIfMissingAsync,
} from '../../src/files/files-and-folders.ts';
import { temporaryFolder } from '../support/temporary.ts';

it('creates a folder with its parents, and gives the reason when that is impossible (C14)', () => {
  const root = temporaryFolder();
  makeFolder(join(root, 'a/b/c'));
  makeFolder(join(root, 'a/b/c'));
  makeFolder(root);
  makeFolder('/');
  expect(existsSync(join(root, 'a/b/c'))).toBe(true);
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, 'file'))).toThrow('EEXIST');
  expect(() => makeFolder(join(root, 'file/below'))).toThrow('ENOTDIR');
});

it('ends below /proc, where the recursion of Node.js does not (C14)', () => {
  for (const path of ['/proc/x', '/proc/x/y/z'])
    expect(() => makeFolder(path)).toThrow(expect.objectContaining({ code: 'folder-refused' }));
});

it('finds nothing in a missing folder, and throws every other error', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, 'x');
  const read = (path: string) => undefinedIfMissing(() => readFileSync(path, 'utf8'));
  expect([read(file), read(join(folder, 'none')), read(join(file, 'below'))]).toEqual([
    'x',
    undefined,
    undefined,
  ]);
  expect(() => read(folder)).toThrow('EISDIR');
});

it('a missing path counts as undefined for asynchronous calls too, and other failures are thrown', async () => {
  const failure = (code: string) => Object.assign(new Error(code), { code });
  expect(await undefinedIfMissingAsync(Promise.resolve(1))).toBe(1);
  for (const code of ['ENOENT', 'ENOTDIR'])
    expect(await undefinedIfMissingAsync(Promise.reject(failure(code)))).toBeUndefined();
  await expect(undefinedIfMissingAsync(Promise.reject(failure('EIO')))).rejects.toMatchObject({
    code: 'EIO',
  });
  expect([errorCodeOf(failure('EIO')), errorCodeOf(undefined)]).toEqual(['EIO', undefined]);
});
