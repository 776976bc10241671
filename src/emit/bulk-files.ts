/**
 * Writes the downloads: `properties.ndjson`, the same compressed, and `properties.geojson`, in one pass over the
 * details and with one chunk in memory.
 *
 * The compressed file is one gzip member (RFC 1952) of deflate streams that end on a byte, one per chunk, so that a
 * chunk can be copied. It is made by pako and not by Node's zlib, whose bytes differ between versions and processors.
 */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Deflate, Z_SYNC_FLUSH } from 'pako';
import { GEOJSON_KEY, NDJSON_GZIP_KEY, NDJSON_KEY } from '../contract/files.ts';
import { propertyKey } from '../contract/layout.ts';
import type { Chunk, WrittenChunk } from './bulk-chunks.ts';
import type { JoinedSummaries } from './page-files.ts';

/** Where details wait that are not published yet: for each entry of the sequence a spool, or -1, and a place in it. */
export type StagedDetails = {
  readonly spools: readonly string[];
  readonly spool: Int32Array;
  readonly offset: Float64Array;
  readonly length: Int32Array;
};

/** What to write. Crosses threads, so it holds only plain data and shared memory. */
export type BulkTask = {
  /** Absolute path of `dist/public`. */
  readonly root: string;
  /** A folder of the same file system for files that are not finished. */
  readonly staging: string;
  readonly summaries: JoinedSummaries;
  readonly staged: StagedDetails;
  readonly chunks: readonly Chunk[];
  /** The chunks of the files that are there; empty when they cannot be relied upon. */
  readonly written: readonly WrittenChunk[];
};

/** What was written. */
export type BulkResult = {
  /** Digests of the files, by key. */
  readonly documents: readonly (readonly [key: string, digest: string])[];
  readonly chunks: readonly WrittenChunk[];
};

const KEYS = [NDJSON_KEY, NDJSON_GZIP_KEY, GEOJSON_KEY] as const;
/** Its place among them. */
const GEOJSON = 2;
/** Deflate, no flags, no time, no hint, unknown system (RFC 1952, 2.3). */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty last block (RFC 1951, 3.2.6). */
const DEFLATE_END = Buffer.from([0x03, 0x00]);
const GEOJSON_HEAD = Buffer.from('{"type":"FeatureCollection","features":[\n');
/** What each file starts with. */
const HEADS = [Buffer.alloc(0), GZIP_HEAD, GEOJSON_HEAD] as const;
const GEOJSON_SEPARATOR = Buffer.from(',\n');
const GEOJSON_TAIL = Buffer.from('\n]}\n');
/** Half the time of the usual level 6, for a file that is a fifth larger. */
const LEVEL = 3;

/**
 * Writes the files.
 *
 * @param prefixes what is known of the files that are there.
 * @throws the error of the file system.
 */
export function writeBulk(task: BulkTask, prefixes: readonly KnownPrefix[] = []): BulkResult {
  mkdirSync(task.staging, { recursive: true });
  const old = openWritten(task);
  const source = createSource(task);
  const outputs = KEYS.map((key) => createOutput(join(task.staging, key)));
  const [, gzip, geojson] = outputs as [Output, Output, Output];
  const chunks: WrittenChunk[] = [];
  let known = 0;
  while (known < prefixes.length && prefixes[known]!.chunk === task.chunks[known]?.digest) known++;
  const prefix = prefixes[known - 1];
  if (prefix) for (const [place, output] of outputs.entries()) output.resume(prefix.hashes[place]!);
  const put = (place: number, bytes: Buffer, isDigested: boolean) => {
    if (isDigested) outputs[place]!.append(bytes);
    else outputs[place]!.write(bytes);
  };
  let crc = prefix?.crc ?? 0;
  let size = 0;
  try {
    for (const [place, head] of HEADS.entries()) put(place, head, prefix !== undefined);
    task.chunks.forEach((chunk, index) => {
      const parts = old?.read(chunk.digest) ?? made(source, chunk);
      const isDigested = index < known;
      if (index > 0) put(GEOJSON, GEOJSON_SEPARATOR, isDigested);
      for (const [place, part] of parts.entries()) put(place, part, isDigested);
      if (!isDigested) crc = crc32(parts[0], crc);
      size += parts[0].length;
      chunks.push([chunk.digest, parts[0].length, parts[1].length, parts[2].length]);
    });
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(crc, 0);
    trailer.writeUInt32LE(size % 2 ** 32, 4);
    gzip.write(DEFLATE_END);
    gzip.write(trailer);
    geojson.write(GEOJSON_TAIL);
  } finally {
    for (const output of outputs) output.close();
    source.close();
    old?.close();
  }
  for (const key of KEYS) renameSync(join(task.staging, key), join(task.root, key));
  const documents = KEYS.map((key, index) => [key, outputs[index]!.digest()] as const);
  return { documents, chunks };
}

/** What is known of the files up to the end of a chunk, before it is known what changed. */
export type KnownPrefix = {
  /** Digest of the chunk. */
  readonly chunk: string;
  /** Of each file, in the order of `KEYS`. */
  readonly hashes: readonly Hash[];
  /** CRC-32 of the lines. */
  readonly crc: number;
};

/**
 * Digests the files that are there, which takes longer than all else when little changed: what comes before the first
 * change need not be digested again.
 */
export function digestWritten(place: Pick<BulkTask, 'root' | 'written'>): KnownPrefix[] {
  const old = openWritten(place);
  if (!old) return [];
  const hashes = HEADS.map((head) => createHash('sha256').update(head));
  let crc = 0;
  try {
    return place.written.map(([chunk], index) => {
      const parts = old.read(chunk)!;
      crc = crc32(parts[0], crc);
      if (index > 0) hashes[GEOJSON]!.update(GEOJSON_SEPARATOR);
      return { chunk, hashes: hashes.map((hash, part) => hash.update(parts[part]!).copy()), crc };
    });
  } finally {
    old.close();
  }
}

/** The bytes of a chunk in each file. */
type Parts = readonly [ndjson: Buffer, gzip: Buffer, geojson: Buffer];

function made(source: Source, chunk: Chunk): Parts {
  const lines: Buffer[] = [];
  const features: Buffer[] = [];
  for (let index = chunk.start; index < chunk.end; index++) {
    const summary = source.summary(index);
    const detail = source.detail(index);
    // A summary starts with its id: {"id":"...",
    const id = summary.toString('latin1', 7, 43);
    lines.push(Buffer.from(`{"id":"${id}",`, 'latin1'), detail.subarray(1), NEW_LINE);
    const [longitude, latitude] = coordinates(detail);
    const head = `{"type":"Feature","id":"${id}","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":`;
    if (features.length > 0) features.push(GEOJSON_SEPARATOR);
    features.push(Buffer.from(head, 'latin1'), summary, FEATURE_END);
  }
  const ndjson = Buffer.concat(lines);
  return [ndjson, compressed(ndjson), Buffer.concat(features)];
}

const NEW_LINE = Buffer.from('\n');
const FEATURE_END = Buffer.from('}');

/** Longitude and latitude as they were typed: plain decimals are numbers of JSON too, and lose no digit so. */
function coordinates(detail: Buffer): [longitude: string, latitude: string] {
  return [member(detail, '"longitude":"'), member(detail, '"latitude":"')];
}

/** The value of a key, which a quotation mark of a text is not: that is escaped. */
function member(detail: Buffer, key: string): string {
  const start = detail.indexOf(key, 0, 'latin1') + key.length;
  return detail.toString('latin1', start, detail.indexOf(0x22, start));
}

/** A deflate stream without a last block, which ends on a byte: another one may follow. */
function compressed(bytes: Buffer): Buffer {
  const stream = new Deflate({ raw: true, level: LEVEL });
  if (!stream.push(bytes, Z_SYNC_FLUSH)) throw new Error(`Compression failed: ${stream.msg}`);
  return Buffer.concat(stream.chunks);
}

type Source = ReturnType<typeof createSource>;

/** Reads details where they are: in a spool, or published. */
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

/** The files that are there, if they are as long as they should be. */
function openWritten({ root, written }: Pick<BulkTask, 'root' | 'written'>) {
  if (written.length === 0) return undefined;
  const files: number[] = [];
  const buffers = KEYS.map((): Buffer => Buffer.alloc(0));
  const close = () => {
    for (const file of files) closeSync(file);
  };
  try {
    for (const key of KEYS) files.push(openSync(join(root, key), 'r'));
  } catch {
    close();
    return undefined;
  }
  const places = new Map<string, { offsets: readonly number[]; lengths: readonly number[] }>();
  const offsets = HEADS.map((head) => head.length);
  for (const [digest, ...lengths] of written) {
    places.set(digest, { offsets: [...offsets], lengths });
    lengths.forEach((length, index) => {
      offsets[index]! += length + (index === GEOJSON ? GEOJSON_SEPARATOR.length : 0);
    });
  }
  const ends = [0, DEFLATE_END.length + 8, GEOJSON_TAIL.length - GEOJSON_SEPARATOR.length];
  if (files.some((file, index) => fstatSync(file).size !== offsets[index]! + ends[index]!)) {
    close();
    return undefined;
  }
  type Place = { offsets: readonly number[]; lengths: readonly number[] };
  const readPart = (index: number, { offsets, lengths }: Place) => {
    const length = lengths[index]!;
    // Reused: the bytes of a chunk are written before those of the next one are read.
    if (buffers[index]!.length < length) buffers[index] = Buffer.allocUnsafe(2 * length);
    return readRange(files[index]!, offsets[index]!, length, buffers[index]);
  };
  return {
    read(digest: string): Parts | undefined {
      const place = places.get(digest);
      return place && [readPart(0, place), readPart(1, place), readPart(2, place)];
    },
    close,
  };
}

function readRange(file: number, offset: number, length: number, into?: Buffer): Buffer {
  const bytes = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, bytes, read, length - read, offset + read);
    if (count === 0) throw new Error('A file of the catalogue became shorter while it was read.');
    read += count;
  }
  return bytes;
}

type Output = ReturnType<typeof createOutput>;

function createOutput(path: string) {
  const file = openSync(path, 'w');
  let hash = createHash('sha256');
  const append = (bytes: Buffer) => {
    for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  };
  return {
    write(bytes: Buffer): void {
      hash.update(bytes);
      append(bytes);
    },
    /** Writes bytes that are digested already. */
    append,
    /** Goes on with a digest. */
    resume(other: Hash): void {
      hash = other.copy();
    },
    digest: () => hash.digest('hex').slice(0, 32),
    close: () => closeSync(file),
  };
}
