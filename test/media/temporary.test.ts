import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  removeStaleFiles,
  TEMPORARY_NAME,
  temporaryName,
  writeViaTemporaryFolder,
} from '../../src/media/temporary.ts';
import { useFolder } from './picture.ts';

const folder = useFolder();

describe('writeViaTemporaryFolder', () => {
  it('puts a file in its place and leaves no other file', () => {
    const temporary = join(folder(), 'put');
    const target = join(folder(), 'target');
    writeViaTemporaryFolder(temporary, target, (path) => writeFileSync(path, 'content'));
    expect(readFileSync(target, 'utf8')).toBe('content');
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('leaves the old file as it was, and no other, when a write fails', () => {
    const temporary = join(folder(), 'put');
    const target = join(folder(), 'target');
    const fail = () =>
      writeViaTemporaryFolder(temporary, target, (path) => {
        writeFileSync(path, 'half');
        throw new Error('the disk is full');
      });
    expect(fail).toThrow('the disk is full');
    expect(readFileSync(target, 'utf8')).toBe('content');
    expect(readdirSync(temporary)).toEqual([]);
  });
});

describe('removeStale', () => {
  /** The number of a process that has ended. */
  const dead = () => spawnSync(process.execPath, ['-e', '']).pid;
  const nameOf = (pid: number) => temporaryName().replace(`-${process.pid}-`, `-${pid}-`);

  it('deletes files of dead processes, and nothing else', () => {
    const path = join(folder(), 'stale');
    mkdirSync(path);
    const names = {
      dead: nameOf(dead()),
      own: temporaryName(),
      elsewhere: nameOf(dead()).replace(/^temporary-[0-9a-f]{8}/, 'temporary-00000000'),
      old: temporaryName().replace(/^temporary-[0-9a-f]{8}/, 'temporary-00000000'),
      foreign: 'notes.txt',
    };
    for (const name of Object.values(names)) writeFileSync(join(path, name), '');
    const long = Date.now() / 1000 - 2 * 60 * 60;
    utimesSync(join(path, names.old), long, long);
    expect(removeStaleFiles(path)).toBe(2);
    expect(readdirSync(path).sort()).toEqual([names.own, names.elsewhere, names.foreign].sort());
  });

  it('does nothing without a folder', () => {
    expect(removeStaleFiles(join(folder(), 'none'))).toBe(0);
  });

  it('recognises the names by their form', () => {
    expect(temporaryName()).toMatch(TEMPORARY_NAME);
    expect(temporaryName()).not.toBe(temporaryName());
  });
});
