/**
 * Writes the downloads, in one pass over the details and with one chunk in memory.
 *
 * A compressed file is one gzip member (RFC 1952) of deflate streams that end on a byte, one per chunk, so that a
 * chunk can be copied. It is made by pako and not by Node's zlib, whose bytes differ between versions and processors.
 */
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Deflate, Z_SYNC_FLUSH } from 'pako';
import { DOWNLOAD_KEYS, type DownloadName } from '../../contract/document-keys.ts';
import { propertyKey } from '../../contract/keys.ts';
import type { Range } from '../../contract/pagination.ts';
import type { Property } from '../../contract/property.ts';
import { TABLE_HEAD, tableRow } from '../../documents/table.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';
import type { ByteSpan } from './bulk-chunks.ts';
import type { Pause } from './pages.ts';

/**
 * Locations of unpublished details: for each entry of the sequence the spool's index, or -1 for a published detail, and
 * offset and length.
 */
export type StagedDetails = {
  readonly spools: readonly string[];
  readonly spool: Int32Array;
  readonly offset: Float64Array;
  readonly length: Int32Array;
};

/** A task for {@link writeBulk}. It is sent to threads, so it holds only plain data and shared memory. */
export type BulkTask = {
  readonly root: string;
  /** Folder for the files before they are published, on the same file system. */
  readonly staging: string;
  readonly summaries: JoinedSummaries;
  readonly staged: StagedDetails;
  readonly parts: readonly PartTask[];
  /** Index of the next part to take; number of parts done. */
  readonly counter: Int32Array;
};

/** A part, with one file per download. */
export type PartTask = {
  /** Whether it is the first part. */
  readonly isFirst: boolean;
  readonly chunks: readonly (Range & { readonly written: ChunkCopy | undefined })[];
};

/** A chunk written by the last build: its files with their bytes, and its location in each. */
export type ChunkCopy = {
  readonly files: readonly { readonly key: string; readonly bytes: number }[];
  readonly spans: readonly ByteSpan[];
};

/** A written part. Lists per download are in the order of the downloads. */
export type WrittenBulk = {
  /** Index in the task. */
  readonly index: number;
  readonly files: readonly { readonly bytes: number; readonly sha256: string }[];
  /** Location of each chunk in each file. */
  readonly chunks: readonly (readonly ByteSpan[])[];
};

export function stagedPart(staging: string, index: number, download: DownloadName): string {
  return join(staging, `${index}-${download}`);
}

/** Bytes before, between and after the chunks of a file. */
type Frame = {
  readonly head: (isFirst: boolean) => Buffer;
  readonly separator: Buffer;
  readonly tail: (lines: Lines) => Buffer;
};

/** CRC-32 and length of the uncompressed lines (RFC 1952, 2.3.1). */
type Lines = { crc: number; size: number };

const NOTHING = Buffer.alloc(0);
/** Gzip header: deflate, no flags, no time, no hint, unknown system (RFC 1952, 2.3). */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty final deflate block (RFC 1951, 3.2.6). */
const DEFLATE_END = Buffer.from([0x03, 0x00]);
const GEOJSON_HEAD = Buffer.from('{"type":"FeatureCollection","features":[\n');
const GEOJSON_SEPARATOR = Buffer.from(',\n');
const GEOJSON_TAIL = Buffer.from('\n]}\n');
const CSV_HEAD = Buffer.from(TABLE_HEAD);
/** Compression level: takes half the time of the default 6, for files a fifth larger. */
const LEVEL = 3;

const FRAMES: Readonly<Record<DownloadName, Frame>> = {
  'properties.ndjson': { head: () => NOTHING, separator: NOTHING, tail: () => NOTHING },
  'properties.ndjson.gz': { head: () => GZIP_HEAD, separator: NOTHING, tail: gzipTail },
  'properties.geojson': { head: () => GEOJSON_HEAD, separator: GEOJSON_SEPARATOR, tail: () => GEOJSON_TAIL },
  'properties.csv': {
    head: (isFirst) => (isFirst ? CSV_HEAD : NOTHING),
    separator: NOTHING,
    tail: () => NOTHING,
  },
};

/**
 * Writes files to `staging` until no part is left.
 *
 * @param onPart called after each part, and awaited.
 * @throws the error of the file system.
 */
export async function writeBulk(task: BulkTask, onPart?: Pause): Promise<WrittenBulk[]> {
  const source = createSource(task);
  const parts: WrittenBulk[] = [];
  try {
    for (;;) {
      const index = Atomics.add(task.counter, 0, 1);
      const part = task.parts[index];
      if (!part) return parts;
      parts.push(writePart(task, source, index, part));
      Atomics.add(task.counter, 1, 1);
      await onPart?.();
    }
  } finally {
    source.close();
  }
}

function writePart({ root, staging }: BulkTask, source: Source, index: number, part: PartTask): WrittenBulk {
  const written = createCopier(root);
  const lines: Lines = { crc: 0, size: 0 };
  const outputs = DOWNLOAD_KEYS.map((key) => createOutput(stagedPart(staging, index, key)));
  const append = (pieces: readonly Buffer[]) => {
    const spans = pieces.map((bytes, place) => outputs[place]!.append(bytes));
    lines.crc = crc32(pieces[0]!, lines.crc);
    lines.size += pieces[0]!.length;
    return spans;
  };
  const frames = DOWNLOAD_KEYS.map((key) => FRAMES[key]);
  try {
    append(frames.map(({ head }) => head(part.isFirst)));
    const chunks = part.chunks.map((chunk, place) => {
      if (place > 0) append(frames.map(({ separator }) => separator));
      return append((chunk.written && written.read(chunk.written)) ?? made(source, chunk));
    });
    append(frames.map(({ tail }) => tail(lines)));
    return { index, files: outputs.map(({ digest }) => digest()), chunks };
  } finally {
    for (const { close } of [...outputs, written]) close();
  }
}

/** Creates a file that is hashed while it is written. */
function createOutput(path: string) {
  const file = openSync(path, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    append(piece: Buffer): ByteSpan {
      hash.update(piece);
      for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
      bytes += piece.length;
      return [bytes - piece.length, piece.length];
    },
    digest: () => ({ bytes, sha256: hash.digest('hex') }),
    close: () => closeSync(file),
  };
}

/** Reads chunks from existing files, if these have the expected length. */
function createCopier(root: string) {
  const opened = new Map<ChunkCopy['files'], readonly number[] | undefined>();
  const open = (files: ChunkCopy['files']): readonly number[] | undefined => {
    const found: number[] = [];
    try {
      for (const { key } of files) found.push(openSync(join(root, key), 'r'));
    } catch {
      // The chunk is made from the details instead.
    }
    if (
      files.every(({ bytes }, place) => found[place] !== undefined && fstatSync(found[place]).size === bytes)
    )
      return found;
    for (const file of found) closeSync(file);
    return undefined;
  };
  return {
    read({ files, spans }: ChunkCopy): readonly Buffer[] | undefined {
      if (!opened.has(files)) opened.set(files, open(files));
      return opened.get(files)?.map((file, place) => readRange(file, ...spans[place]!));
    },
    close(): void {
      for (const files of opened.values()) for (const file of files ?? []) closeSync(file);
    },
  };
}

/** Returns the end of a gzip member, after the last stream. */
function gzipTail({ crc, size }: Lines): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return Buffer.concat([DEFLATE_END, trailer]);
}

/** Returns the bytes of a chunk in each download. */
function made(source: Source, chunk: Range): readonly Buffer[] {
  const lines: Buffer[] = [];
  const features: Buffer[] = [];
  let rows = '';
  for (let index = chunk.start; index < chunk.end; index++) {
    const summary = source.summary(index);
    const detail = source.detail(index);
    // A summary starts with its id: {"id":"...",
    const id = summary.toString('latin1', 7, 43);
    lines.push(Buffer.from(`{"id":"${id}",`, 'latin1'), detail.subarray(1), NEW_LINE);
    const property = JSON.parse(detail.toString('utf8')) as Property;
    rows += tableRow(id, property);
    // Coordinates are copied as text: plain decimals are valid JSON numbers, and keep all digits.
    const { longitude, latitude } = property;
    const head = `{"type":"Feature","id":"${id}","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":`;
    if (features.length > 0) features.push(GEOJSON_SEPARATOR);
    features.push(Buffer.from(head, 'latin1'), summary, FEATURE_END);
  }
  const ndjson = Buffer.concat(lines);
  return [ndjson, compressed(ndjson), Buffer.concat(features), Buffer.from(rows)];
}

const NEW_LINE = Buffer.from('\n');
const FEATURE_END = Buffer.from('}');

/** Compresses into a deflate stream without a final block that ends on a byte boundary, so that another can follow. */
function compressed(bytes: Buffer): Buffer {
  const stream = new Deflate({ raw: true, level: LEVEL });
  if (!stream.push(bytes, Z_SYNC_FLUSH)) throw new Error(`Compression failed: ${stream.msg}`);
  return Buffer.concat(stream.chunks);
}

type Source = ReturnType<typeof createSource>;

/** Reads details from a spool or from their published files. */
function createSource({ root, summaries, staged }: BulkTask) {
  const { bytes, offsets } = summaries;
  const joined = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spools = new Map<number, number>();
  const spoolOf = (number: number) => {
    const file = spools.get(number) ?? openSync(staged.spools[number]!, 'r');
    spools.set(number, file);
    return file;
  };
  return {
    summary: (index: number) => joined.subarray(offsets[index], offsets[index + 1]! - 1),
    detail(index: number): Buffer {
      const spool = staged.spool[index]!;
      if (spool >= 0) return readRange(spoolOf(spool), staged.offset[index]!, staged.length[index]!);
      const id = joined.toString('latin1', offsets[index]! + 7, offsets[index]! + 43);
      const file = openSync(join(root, propertyKey(id)), 'r');
      try {
        return readRange(file, 0, fstatSync(file).size);
      } finally {
        closeSync(file);
      }
    },
    close(): void {
      for (const file of spools.values()) closeSync(file);
    },
  };
}

function readRange(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, bytes, read, length - read, offset + read);
    if (count === 0) throw new Error('A file of the catalogue became shorter while it was read.');
    read += count;
  }
  return bytes;
}
