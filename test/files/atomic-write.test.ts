import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { writeAtomically } from '../../src/files/atomic-write.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = temporaryFolder();
  path = join(folder, 'a.yaml');
});

it('a written file replaces the old one, with the requested permissions', () => {
  writeFileSync(path, 'old');
  writeAtomically(path, 'new', { mode: 0o606, isDurable: true });
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o606);
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});

it('a new file replaces no existing file', () => {
  writeAtomically(path, 'first', { isNew: true });
  expect(() => writeAtomically(path, 'second', { isNew: true })).toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});

it('a check of the written bytes can stop the replacement', () => {
  writeFileSync(path, 'old');
  const beforeRename = () => {
    expect(readdirSync(folder)).toHaveLength(2);
    throw new Error('changed meanwhile');
  };
  expect(() => writeAtomically(path, 'new', { beforeRename })).toThrow('changed meanwhile');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});

it('a failed replacement leaves no file behind', () => {
  mkdirSync(join(path, 'full'), { recursive: true });
  expect(() => writeAtomically(path, 'new')).toThrow();
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});

it.each(['x'.repeat(255), 'é'.repeat(127), '😀'.repeat(63)])(
  'a file may have the longest name: %s (D9)',
  (name) => {
    writeAtomically(join(folder, name), 'new');
    writeAtomically(join(folder, name), 'newer');
    expect(readdirSync(folder)).toEqual([name]);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('newer');
  },
);
