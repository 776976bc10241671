/** The source photo as a file on disk: reading it, its digest, and whether it changed under our hands. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { reasonOf } from '../file-error.ts';
import type { MediaProblem } from './problem.ts';

// Scratch space: everything that uses it is synchronous, and nothing in it outlives a call. Allocating it each time costs
// as much as hashing a small photo.
const chunk = Buffer.allocUnsafeSlow(256 * 1024);

/** Enough to recognise every format, and to distinguish a drawing or a web page from noise. */
const HEAD_BYTES = 4096;

type OpenFile = { readonly descriptor: number; readonly size: number };

// Without O_NONBLOCK opening a named pipe waits for a writer, for ever.
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

function withFile<T>(path: string, use: (file: OpenFile) => T): T {
  const descriptor = openSync(path, READ);
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
 * SHA-256 of a file's bytes, 64 lower-case hexadecimal digits, in constant memory.
 *
 * @throws the file system's error, with its `code`, when the file cannot be read; {@link unreadable} turns it into a
 * problem
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
 * SHA-256 of a file's size, first and last bytes (4096 each): the same for the same bytes, wherever the file lies, and
 * read in a moment however large it is. It spreads files over machines; equal values do not prove equal files.
 * Throws as {@link digestFile} does.
 */
export function sampleFile(path: string): string {
  return withFile(path, ({ descriptor, size }) => {
    const hash = createHash('sha256').update(`${size}\n`);
    for (const at of [0, Math.max(0, size - HEAD_BYTES)]) {
      hash.update(chunk.subarray(0, readSync(descriptor, chunk, 0, HEAD_BYTES, at)));
    }
    return hash.digest('hex');
  });
}

/** The first bytes of a file (at most 4096) and its size in bytes. Throws as {@link digestFile} does. */
export function readHead(path: string): { head: Buffer; size: number } {
  return withFile(path, ({ descriptor, size }) => {
    const length = readSync(descriptor, chunk, 0, HEAD_BYTES, 0);
    return { head: Buffer.from(chunk.subarray(0, length)), size };
  });
}

/** Failures that say nothing about the photo, only about the machine. */
const ENVIRONMENT = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** The problem behind an error of reading a photo. Errors of the environment, and of anything else, are thrown on. */
export function unreadable(error: unknown): MediaProblem {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (!(error instanceof Error) || typeof code !== 'string' || ENVIRONMENT.has(code)) throw error;
  return { code: 'photo-unreadable', args: { reason: reasonOf(error) } };
}

/**
 * Checks that a file still holds the bytes of its digest, after it was read: an image kept under the digest of other
 * bytes would be wrong for ever. Only a file that changed since this process began (a minute's tolerance for the clock
 * of a network disk) is read again; the change time cannot be set back, as the modification time can.
 *
 * @returns undefined when nothing changed
 */
export function changedSince(path: string, digest: string): MediaProblem | undefined {
  const started = Date.now() - process.uptime() * 1000;
  try {
    if (statSync(path).ctimeMs < started - 60_000 || digestFile(path) === digest) return undefined;
  } catch (error) {
    return unreadable(error);
  }
  return { code: 'photo-unreadable', args: { reason: 'it changed while it was read' } };
}
