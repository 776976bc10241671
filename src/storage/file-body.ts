import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { undefinedIfMissing } from '../files/files-and-folders.ts';
import { type ObjectBody, PART_SIZE } from './body.ts';
import type { LargeBody } from './bucket.ts';

type Take = (size: number) => Buffer;

/** Undefined if the file is absent. If a large file changes later, reads throw an error that `changedError` creates. */
export function readFileBody(
  path: string,
  changedError: () => Error,
  allocate?: Take,
): ObjectBody | undefined {
  // For a small file, synchronous calls take a tenth of the processor time of asynchronous ones.
  const file = undefinedIfMissing(() => openSync(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    return found.size > PART_SIZE
      ? largeBody(path, found, changedError)
      : readRange(file, 0, found.size, allocate);
  } finally {
    closeSync(file);
  }
}

function largeBody(path: string, found: Stats, changed: () => Error): LargeBody {
  return {
    size: found.size,
    async read(from, to) {
      const file = undefinedIfMissing(() => openSync(path, 'r'));
      if (file === undefined) throw changed();
      try {
        const now = fstatSync(file);
        const isSame = now.size === found.size && now.mtimeMs === found.mtimeMs && now.ino === found.ino;
        const bytes = readRange(file, from, to);
        if (!isSame || bytes.length < to - from) throw changed();
        return bytes;
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Returns fewer bytes if the file ends before `to`. */
function readRange(file: number, from: number, to: number, take: Take = Buffer.allocUnsafe): Buffer {
  const bytes = take(to - from);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(file, bytes, length, bytes.length - length, from + length);
    length += count;
    if (count === 0) break;
  }
  return length < bytes.length ? bytes.subarray(0, length) : bytes;
}
