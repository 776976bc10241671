/** Reads a zip archive without trusting its directory or entries (APPNOTE 4.3). */
import { fstatSync, readSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import { UsageError } from '../../errors/errors.ts';

export type ZipEntry = {
  readonly name: string;
  readonly isDeflated: boolean;
  readonly packed: number;
  readonly size: number;
  readonly start: number;
};

/** Maximum bytes of the record at the end of an archive: 22, and a comment. */
const MAX_END = 22 + 0xffff;
const MAX_DIRECTORY = 16_000_000;
const ENCRYPTED = 1;

export function readDirectory(fd: number, name: string): ZipEntry[] {
  const { size } = fstatSync(fd);
  const tail = bytesAt(fd, Math.max(0, size - MAX_END), Math.min(size, MAX_END));
  const end = tail.length < 22 ? -1 : tail.lastIndexOf('PK\x05\x06', tail.length - 22, 'latin1');
  if (end < 0) throw refused(name, 'its directory is missing, as when a download was cut short');
  const count = tail.readUInt16LE(end + 10);
  const length = tail.readUInt32LE(end + 12);
  const start = tail.readUInt32LE(end + 16);
  if (start === 0xffffffff || count === 0xffff)
    throw refused(name, 'it is in the form for more than 4 GB (zip64)');
  if (start + length > size || length > MAX_DIRECTORY) throw refused(name, 'its directory is damaged');
  const directory = bytesAt(fd, start, length);
  const entries: ZipEntry[] = [];
  for (let at = 0; entries.length < count; ) {
    if (at + 46 > length || directory.readUInt32LE(at) !== 0x02014b50)
      throw refused(name, 'its directory is damaged');
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => directory.readUInt16LE(at + place));
    entries.push(entryAt(fd, directory.subarray(at, at + 46 + nameLength!), name, size));
    at += 46 + nameLength! + extra! + comment!;
  }
  if (new Set(entries.map((entry) => entry.name)).size < count)
    throw refused(name, 'two of its files have one name');
  return entries;
}

function entryAt(fd: number, record: Buffer, archive: string, end: number): ZipEntry {
  const method = record.readUInt16LE(10);
  const [packed, size, offset] = [20, 24, 42].map((place) => record.readUInt32LE(place));
  if (record.readUInt16LE(8) & ENCRYPTED) throw refused(archive, 'it has a password');
  if (method !== 0 && method !== 8) throw refused(archive, `it is packed by an unusual method (${method})`);
  if (offset! + 30 > end) throw refused(archive, 'its directory is damaged');
  const local = bytesAt(fd, offset!, 30);
  const start = offset! + 30 + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (local.readUInt32LE(0) !== 0x04034b50 || start + packed! > end)
    throw refused(archive, 'its directory is damaged');
  const name = record.toString('utf8', 46);
  return { name, isDeflated: method === 8, packed: packed!, size: size!, start };
}

export function readEntry(
  fd: number,
  { name, isDeflated, packed, size, start }: ZipEntry,
  archive: string,
): Buffer {
  const stored = bytesAt(fd, start, packed);
  try {
    // Unpacks at most one byte more than the directory says. That detects a wrong size, but unpacks no zip bomb.
    const content = isDeflated ? inflateRawSync(stored, { maxOutputLength: size + 1 }) : stored;
    if (content.length === size) return content;
  } catch {
    // Reported below, like a wrong size.
  }
  throw refused(archive, `"${name}" in it is damaged`);
}

function bytesAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  return buffer.subarray(0, readSync(fd, buffer, 0, length, position));
}

function refused(name: string, reason: string): UsageError {
  return new UsageError('damaged-file', `${name} cannot be unpacked: ${reason}. Save or download it again.`);
}
