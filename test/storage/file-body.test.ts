/** Files as bodies: small ones whole, large ones in parts. */
import {
  appendFileSync,
  closeSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PART_SIZE } from '../../src/storage/body.ts';
import type { LargeBody } from '../../src/storage/bucket.ts';
import { readFileBody } from '../../src/storage/file-body.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Bytes that one read returns at most, as on a network. */
const most = vi.hoisted(() => ({ bytes: Number.POSITIVE_INFINITY }));
vi.mock('node:fs', async (load) => {
  const real = await load<typeof import('node:fs')>();
  const readSync = (file: number, buffer: Buffer, offset: number, length: number, position: number) =>
    real.readSync(file, buffer, offset, Math.min(length, most.bytes), position);
  return { ...real, readSync };
});

const text = (value: string) => Buffer.from(value);
const changed = () => new Error('changed');
const unchanged = () => new Error('this file does not change');

function file(content = ''): string {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), content);
  return join(root, 'file');
}

function large(path: string): LargeBody {
  writeFileSync(path, 'start');
  truncateSync(path, PART_SIZE + 1);
  utimesSync(path, 1000, 1000);
  return readFileBody(path, changed) as LargeBody;
}

it('reads a small file at once, and no file that is absent', () => {
  const path = file('property');
  expect(readFileBody(path, unchanged)).toEqual(text('property'));
  most.bytes = 3;
  onTestFinished(() => {
    most.bytes = Number.POSITIVE_INFINITY;
  });
  expect(readFileBody(path, unchanged)).toEqual(text('property'));
  expect(readFileBody(`${path}s`, unchanged)).toBeUndefined();
  expect(readFileBody(join(path, 'below'), unchanged)).toBeUndefined();
  expect(() => readFileBody(join(path, '..'), unchanged)).toThrow('EISDIR');
});

it('reads a file larger than a part on demand, range by range', async () => {
  const path = file();
  const { size, read } = large(path);
  expect(size).toBe(PART_SIZE + 1);
  expect(await read(0, 7)).toEqual(text('start\0\0'));
  expect(await read(2, 4)).toEqual(text('ar'));
  expect(await read(PART_SIZE, PART_SIZE + 1)).toEqual(Buffer.alloc(1));
  await expect(read(PART_SIZE, PART_SIZE + 2)).rejects.toThrow('changed');
  truncateSync(path, PART_SIZE);
  expect(Buffer.isBuffer(readFileBody(path, unchanged))).toBe(true);
});

it.each<[string, (path: string) => void]>([
  [
    'grew',
    (path) => {
      appendFileSync(path, 'x');
      utimesSync(path, 1000, 1000);
    },
  ],
  ['was written', (path) => utimesSync(path, 1000, 1001)],
  [
    'was replaced by one of the same size and time',
    (path) => {
      large(`${path}-other`);
      renameSync(`${path}-other`, path);
    },
  ],
  ['was removed', (path) => rmSync(path)],
])('rejects a large file that %s', async (_name, change) => {
  const path = file();
  const { read } = large(path);
  expect(await read(0, 5)).toEqual(text('start'));
  change(path);
  await expect(read(0, 5)).rejects.toThrow('changed');
});

it('leaves no file open', async () => {
  const next = (path: string) => {
    const number = openSync(path, 'r');
    closeSync(number);
    return number;
  };
  const path = file('a');
  const { read } = large(join(path, '..', 'large'));
  const before = next(path);
  for (let time = 0; time < 50; time++) {
    readFileBody(path, unchanged);
    await read(0, 1);
  }
  expect(next(path)).toBeLessThan(before + 40);
  expect(statSync(path).size).toBe(1);
});
