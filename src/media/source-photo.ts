import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { fileErrorReason } from '../errors/file-error.ts';
import type { MediaProblem } from './photo-problem.ts';

// All calls share this buffer, which is safe since only synchronous functions use it. Allocating it for each call would
// cost as much as hashing a small photo.
const chunk = Buffer.allocUnsafeSlow(256 * 1024);

/** Enough bytes to detect every format, and to distinguish drawings and web pages from noise. */
const HEAD_BYTES = 4096;

type OpenFile = { readonly descriptor: number; readonly size: number };

// Without O_NONBLOCK, opening a named pipe waits for a writer forever.
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function withFile<T>(path: string, use: (file: OpenFile) => T): T {
  const descriptor = openSync(path, READ_FLAGS);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) {
      const code = status.isDirectory() ? 'EISDIR' : 'EFTYPE';
      throw Object.assign(new Error(`${code}: not a regular file, open '${path}'`), { code, path });
    }
    return use({ descriptor, size: status.size });
  } finally {
    closeSync(descriptor);
  }
}

/**
 * SHA-256 in hexadecimal digits. Uses constant memory.
 * @throws file system errors, which {@link toPhotoProblem} converts to problems
 */
export function digestFile(path: string): string {
  return withFile(path, ({ descriptor }) => {
    const hash = createHash('sha256');
    for (;;) {
      const length = readSync(descriptor, chunk, 0, chunk.length, null);
      if (length === 0) return hash.digest('hex');
      hash.update(chunk.subarray(0, length));
    }
  });
}

/**
 * SHA-256 of the file's size and both of its ends: a quick way to divide files between machines. Different files may
 * have the same result.
 */
export function digestSample(path: string): string {
  return withFile(path, ({ descriptor, size }) => {
    const hash = createHash('sha256').update(`${size}\n`);
    for (const at of [0, Math.max(0, size - HEAD_BYTES)]) {
      hash.update(chunk.subarray(0, readSync(descriptor, chunk, 0, HEAD_BYTES, at)));
    }
    return hash.digest('hex');
  });
}

/** `head` has at most 4096 bytes. Throws as {@link digestFile} does. */
export function readHead(path: string): { head: Buffer; size: number } {
  return withFile(path, ({ descriptor, size }) => {
    const length = readSync(descriptor, chunk, 0, HEAD_BYTES, 0);
    return { head: Buffer.from(chunk.subarray(0, length)), size };
  });
}

const ENVIRONMENT = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** Turns an error that concerns only this photo into a problem. Rethrows other errors, such as too many open files. */
export function toPhotoProblem(error: unknown): MediaProblem {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (!(error instanceof Error) || typeof code !== 'string' || ENVIRONMENT.has(code)) throw error;
  return { code: 'photo-unreadable', args: { reason: fileErrorReason(error) } };
}

/**
 * Hashes the file again, since an image cached under a wrong digest would stay wrong forever. A file that was
 * last changed more than a minute before this process started counts as unchanged. The minute allows for the clock of a
 * network disk.
 */
export function problemIfChanged(path: string, digest: string): MediaProblem | undefined {
  const started = Date.now() - process.uptime() * 1000;
  try {
    if (statSync(path).ctimeMs < started - 60_000 || digestFile(path) === digest) return undefined;
  } catch (error) {
    return toPhotoProblem(error);
  }
  return { code: 'photo-unreadable', args: { reason: 'it changed while it was read' } };
}
