import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeWholeFile } from '../src/whole-file.ts';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whole-file-'));
  path = join(folder, 'a.yaml');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('a file that is written takes the place of the old one, with the permissions that are asked for', () => {
  writeFileSync(path, 'old');
  writeWholeFile(path, 'new', { mode: 0o606, isDurable: true });
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(statSync(path).mode & 0o777).toBe(0o606);
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});

it('a new file replaces none', () => {
  writeWholeFile(path, 'first', { isNew: true });
  expect(() => writeWholeFile(path, 'second', { isNew: true })).toThrow('EEXIST');
  expect(readFileSync(path, 'utf8')).toBe('first');
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});

it('what is judged when the bytes are there can keep them out', () => {
  writeFileSync(path, 'old');
  const judge = () => {
    expect(readdirSync(folder)).toHaveLength(2);
    throw new Error('changed meanwhile');
  };
  expect(() => writeWholeFile(path, 'new', { judge })).toThrow('changed meanwhile');
  expect(readFileSync(path, 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});

it('a place that cannot be taken leaves nothing behind', () => {
  mkdirSync(join(path, 'full'), { recursive: true });
  expect(() => writeWholeFile(path, 'new')).toThrow();
  expect(readdirSync(folder)).toEqual(['a.yaml']);
});
