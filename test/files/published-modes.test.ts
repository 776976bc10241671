import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasMode, restoreModes, setMode } from '../../src/files/published-modes.ts';
import { temporaryFolder } from '../support/temporary.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8);

it('restores the modes of published files and the folders above them, and of nothing else', async () => {
  const root = temporaryFolder();
  const outside = join(temporaryFolder(), 'private');
  writeFileSync(outside, '');
  for (const folder of ['a', 'a/b', 'private']) mkdirSync(join(root, folder));
  const files = ['a/b/one', 'a/two', 'a/own', 'private/own'].map((path) => join(root, path));
  for (const file of files) writeFileSync(file, '');
  symlinkSync(outside, join(root, 'a', 'one-more'));
  for (const path of [...files, outside]) chmodSync(path, 0o600);
  for (const path of ['private', 'a/b', 'a', '']) chmodSync(join(root, path), 0o700);
  await restoreModes(root, (path) => /one|two/.test(path));
  expect(files.map(modeOf)).toEqual(['644', '644', '600', '600']);
  expect(['', 'a', 'a/b', 'private'].map((path) => modeOf(join(root, path)))).toEqual([
    ...['755', '755', '755', '700'],
  ]);
  expect(modeOf(outside)).toBe('600');
});

it('keeps the special bits of a folder', () => {
  const folder = join(temporaryFolder(), 'shared');
  mkdirSync(folder);
  chmodSync(folder, 0o2770);
  setMode(folder, 0o755);
  expect(modeOf(folder)).toBe('2755');
  expect(hasMode(statSync(folder), 0o755)).toBe(true);
});
