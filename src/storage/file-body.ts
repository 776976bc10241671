import { closeSync, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { ifThere } from '../files/folder.ts';
import { type Body, PART } from './body.ts';
import type { LargeBody } from './bucket.ts';

/**
 * Opens a file as a body; undefined when it is absent. A synchronous read of a small file takes a tenth of the
 * processor time of an asynchronous one.
 *
 * @param changed makes the error for a large file that changed after this call.
 * @param take allocates memory for a small file. @default new memory
 */
export function readBody(path: string, changed: () => Error, take?: Buffers['take']): Body | undefined {
  const file = ifThere(() => openSync(path, 'r'));
  if (file === undefined) return undefined;
  try {
    const found = fstatSync(file);
    return found.size > PART ? largeBody(path, found, changed) : readRange(file, 0, found.size, take);
  } finally {
    closeSync(file);
  }
}

export type Buffers = {
  readonly take: (size: number) => Buffer;
  /** Takes back a body that nothing uses any more. Ignores other bodies. */
  readonly give: (body: Body) => void;
};

/** Bytes of a buffer that is used again; pages of it that no body reached take no memory. */
const REUSED = 2 ** 20;
/** Largest body in bytes for which no such buffer is used. */
const SMALL = 2 ** 16;

/** Creates reusable memory: the memory of large bodies would be collected too late after they were sent. */
export function createBuffers(): Buffers {
  const free: Buffer[] = [];
  const taken = new WeakMap<Buffer, Buffer>();
  return {
    take(size) {
      if (size <= SMALL || size > REUSED) return Buffer.allocUnsafe(size);
      const whole = free.pop() ?? Buffer.allocUnsafeSlow(REUSED);
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

/** Reads the bytes from `from` up to `to`; fewer where the file ends. */
function readRange(
  file: number,
  from: number,
  to: number,
  take: Buffers['take'] = Buffer.allocUnsafe,
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
