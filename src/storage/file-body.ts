import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { undefinedIfMissing } from '../files/folder.ts';
import { type ObjectBody, PART_SIZE } from './body.ts';
import type { LargeBody } from './bucket.ts';

/** Undefined if the file is absent. If a large file changes later, reads throw the error that `changed` creates. */
export function readFileBody(
  path: string,
  changed: () => Error,
  take?: BufferPool['take'],
): ObjectBody | undefined {
  // For a small file, synchronous calls take a tenth of the processor time of asynchronous ones.
  const file = undefinedIfMissing(() => openSync(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    return found.size > PART_SIZE ? largeBody(path, found, changed) : readRange(file, 0, found.size, take);
  } finally {
    closeSync(file);
  }
}

export type BufferPool = {
  readonly take: (size: number) => Buffer;
  /** Ignores bodies that `take` did not make. */
  readonly give: (body: ObjectBody) => void;
};

/** Bytes of a pooled buffer. The operating system gives it no memory for the part that was never written. */
const POOLED_SIZE = 2 ** 20;
/** Bodies of at most this many bytes are not pooled. */
const MAX_UNPOOLED = 2 ** 16;

/** Pools memory: the garbage collector would free sent bodies too late. */
export function createBufferPool(): BufferPool {
  const free: Buffer[] = [];
  const taken = new WeakMap<Buffer, Buffer>();
  return {
    take(size) {
      if (size <= MAX_UNPOOLED || size > POOLED_SIZE) return Buffer.allocUnsafe(size);
      const whole = free.pop() ?? Buffer.allocUnsafeSlow(POOLED_SIZE);
      const bytes = whole.subarray(0, size);
      taken.set(bytes, whole);
      return bytes;
    },
    give(body) {
      const whole = Buffer.isBuffer(body) && taken.get(body);
      if (!whole) return;
      taken.delete(body);
      free.push(whole);
    },
  };
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
function readRange(
  file: number,
  from: number,
  to: number,
  take: BufferPool['take'] = Buffer.allocUnsafe,
): Buffer {
  const bytes = take(to - from);
  let length = 0;
  while (length < bytes.length) {
    const count = readSync(file, bytes, length, bytes.length - length, from + length);
    length += count;
    if (count === 0) break;
  }
  return length < bytes.length ? bytes.subarray(0, length) : bytes;
}
