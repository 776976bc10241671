import type { ObjectBody } from '../storage/body.ts';

export type BufferPool = {
  readonly take: (size: number) => Buffer;
  /** Ignores bodies that are not from the pool. */
  readonly give: (body: ObjectBody) => void;
};

/** Bytes of a pooled buffer. The operating system provides memory only for the part that was written. */
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
