/** A spool is a temporary file with the details that one thread makes. */
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SpoolLocation } from './file-record.ts';

export function spoolPath(staging: string, thread: number): string {
  return join(staging, `details-${thread}`);
}

export type Spool = { readonly add: (detail: Buffer) => SpoolLocation; readonly close: () => void };

/** Writes all details of a thread to one file. With a file per detail, the build would write twice as many files. */
export function createSpool(path: string, spool: number): Spool {
  const file = openSync(path, 'w');
  const chunk = Buffer.allocUnsafe(1 << 20);
  let filled = 0;
  let offset = 0;
  const flush = () => {
    writeAll(file, chunk, filled);
    filled = 0;
  };
  return {
    add(detail) {
      if (filled + detail.length > chunk.length) flush();
      if (detail.length > chunk.length) writeAll(file, detail, detail.length);
      else filled += detail.copy(chunk, filled);
      const spooled = { spool, offset, length: detail.length };
      offset += detail.length;
      return spooled;
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

function writeAll(file: number, bytes: Buffer, length: number): void {
  for (let written = 0; written < length; ) written += writeSync(file, bytes, written, length - written);
}

export function readRange(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, bytes, read, length - read, offset + read);
    if (count === 0) throw new Error('A file of the catalogue became shorter while it was read.');
    read += count;
  }
  return bytes;
}
