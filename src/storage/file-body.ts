/** Reads files: a small one at once, a large one in parts, while it is sent. */
import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { ifThere } from '../folder.ts';
import { type Body, PART } from './body.ts';
import type { LargeBody } from './bucket.ts';

/**
 * The bytes of a file; undefined when it is absent. A synchronous read of a small file takes a tenth of the processor time of
 * an asynchronous one.
 *
 * @param changed the error for a large file that changed after this call.
 */
export function readBody(path: string, changed: () => Error): Body | undefined {
  const file = ifThere(() => openSync(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    return found.size > PART ? largeBody(path, found, changed) : readRange(file, 0, found.size);
  } finally {
    closeSync(file);
  }
}

/**
 * Compares files with bytes, in one buffer for all of them: whether a file holds these and no others; undefined when it is
 * absent.
 */
export function createComparison(): (path: string, expected: Buffer) => boolean | undefined {
  let buffer = Buffer.alloc(0);
  return (path, expected) => {
    const file = ifThere(() => openSync(path, 'r'));
    if (file === undefined) return undefined;
    try {
      // One byte more than it should have.
      if (buffer.length <= expected.length) buffer = Buffer.allocUnsafe(2 * expected.length + 1);
      const count = fill(file, buffer.subarray(0, expected.length + 1), 0);
      return count === expected.length && expected.compare(buffer, 0, count) === 0;
    } finally {
      closeSync(file);
    }
  };
}

function largeBody(path: string, found: Stats, changed: () => Error): LargeBody {
  return {
    size: found.size,
    async read(from, to) {
      const file = ifThere(() => openSync(path, 'r'));
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

/** Some bytes of a file that is there; fewer where it ends. */
export function readPartOf(path: string, from: number, to: number): Buffer {
  const file = openSync(path, 'r');
  try {
    return readRange(file, from, to);
  } finally {
    closeSync(file);
  }
}

/** The bytes from one place up to another one, or to the end of the file. */
function readRange(file: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  return bytes.subarray(0, fill(file, bytes, from));
}

/** Fills a buffer from one place of a file on. Returns the number of bytes: fewer where the file ends. */
function fill(file: number, buffer: Buffer, from: number): number {
  let length = 0;
  while (length < buffer.length) {
    const count = readSync(file, buffer, length, buffer.length - length, from + length);
    if (count === 0) break;
    length += count;
  }
  return length;
}
