/**
 * Writes the downloads: `properties.ndjson`, the same compressed, and `properties.geojson`, in one pass over the
 * details and with one chunk in memory.
 *
 * The compressed file is one gzip member (RFC 1952) of deflate streams that end on a byte, one per chunk, so that a
 * chunk can be copied. It is made by pako and not by Node's zlib, whose bytes differ between versions and processors.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Deflate, Z_SYNC_FLUSH } from 'pako';
import { DOWNLOAD_KEYS } from '../../contract/document-keys.ts';
import { propertyKey } from '../../contract/keys.ts';
import { makeFolder } from '../../folder.ts';
import { digestOf, digestOfParts } from '../../release/digest.ts';
import type { JoinedSummaries } from '../../release/sequence.ts';
import type { BulkChunk, WrittenChunk, WrittenPart } from './bulk-chunks.ts';

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
  /** A folder of the same file system for the files: they are not published yet. */
  readonly staging: string;
  readonly summaries: JoinedSummaries;
  readonly staged: StagedDetails;
  readonly chunks: readonly BulkChunk[];
  /** The chunks of the files that are there; empty when they cannot be relied upon. */
  readonly written: readonly WrittenChunk[];
};

/** What was written. */
export type BulkResult = {
  /** Digests of the files, by key: of each in its parts. */
  readonly documents: readonly (readonly [key: string, digest: string])[];
  /** Lengths of the parts of the files, by key. */
  readonly parts: Readonly<Record<string, readonly number[]>>;
  readonly chunks: readonly WrittenChunk[];
};

/** Its place among them. */
const NDJSON = 0;
/** Deflate, no flags, no time, no hint, unknown system (RFC 1952, 2.3). */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty last block (RFC 1951, 3.2.6). */
const DEFLATE_END = Buffer.from([0x03, 0x00]);
const GEOJSON_HEAD = Buffer.from('{"type":"FeatureCollection","features":[\n');
/** What each file starts with. */
const HEADS = [Buffer.alloc(0), GZIP_HEAD, GEOJSON_HEAD] as const;
const GEOJSON_SEPARATOR = Buffer.from(',\n');
/** What each file has between chunks. */
const SEPARATORS = [Buffer.alloc(0), Buffer.alloc(0), GEOJSON_SEPARATOR] as const;
const GEOJSON_TAIL = Buffer.from('\n]}\n');
/** Length of what each file ends with. */
const TAIL_LENGTHS = [0, DEFLATE_END.length + 8, GEOJSON_TAIL.length] as const;
/** Half the time of the usual level 6, for a file that is a fifth larger. */
const LEVEL = 3;

/**
 * Writes the files to `staging`.
 *
 * @throws the error of the file system.
 */
export function writeBulk(task: BulkTask): BulkResult {
  makeFolder(task.staging);
  const old = openWritten(task);
  const source = createSource(task);
  const outputs = DOWNLOAD_KEYS.map((key) => openSync(join(task.staging, key), 'w'));
  const chunks: WrittenChunk[] = [];
  let crc = 0;
  let size = 0;
  const append = (place: number, bytes: Buffer) => {
    for (let done = 0; done < bytes.length; ) done += writeSync(outputs[place]!, bytes, done);
    if (place !== NDJSON) return;
    crc = crc32(bytes, crc);
    size += bytes.length;
  };
  /** Appends bytes to each of the files. */
  const appendEach = (parts: readonly Buffer[]) => {
    for (const [place, bytes] of parts.entries()) append(place, bytes);
  };
  const tails: Buffer[] = [];
  try {
    appendEach(HEADS);
    for (let index = 0; index < task.chunks.length; index = chunks.length) {
      if (index > 0) appendEach(SEPARATORS);
      const run = old?.copy(task.chunks, index, append) ?? [];
      if (run.length === 0) chunks.push(makeChunk(source, task.chunks[index]!, appendEach));
      else for (const chunk of run) chunks.push(chunk);
    }
    tails.push(Buffer.alloc(0), gzipTail(crc, size), GEOJSON_TAIL);
    appendEach(tails);
  } finally {
    for (const output of outputs) closeSync(output);
    source.close();
    old?.close();
  }
  const files = DOWNLOAD_KEYS.map((key, place) => [key, partsOf(place, chunks, tails[place]!)] as const);
  return {
    documents: files.map(([key, parts]) => [key, digestOfParts(parts.map(([, digest]) => digest))]),
    parts: Object.fromEntries(files.map(([key, parts]) => [key, parts.map(([length]) => length)])),
    chunks,
  };
}

type Append = (place: number, bytes: Buffer) => void;

function makeChunk(source: Source, chunk: BulkChunk, appendEach: (parts: Parts) => void): WrittenChunk {
  const parts = made(source, chunk);
  appendEach(parts);
  const [ndjson, gzip, geojson] = parts;
  return [chunk.digest, chunk.end - chunk.start, partOf(ndjson), partOf(gzip), partOf(geojson)];
}

function partOf(bytes: Buffer): WrittenPart {
  return [bytes.length, digestOf(bytes)];
}

/** CRC-32 and length of what is compressed (RFC 1952, 2.3.1), behind the end of the last stream. */
function gzipTail(crc: number, size: number): Buffer {
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return Buffer.concat([DEFLATE_END, trailer]);
}

/** What one of the files is made of. */
function partsOf(place: number, chunks: readonly WrittenChunk[], tail: Buffer): WrittenPart[] {
  const separator = partOf(SEPARATORS[place]!);
  const parts = [partOf(HEADS[place]!)];
  for (const [index, [, , ...written]] of chunks.entries()) {
    if (index > 0) parts.push(separator);
    parts.push(written[place]!);
  }
  return [...parts, partOf(tail)].filter(([length]) => length > 0);
}

/** The bytes of a chunk in each file. */
type Parts = readonly [ndjson: Buffer, gzip: Buffer, geojson: Buffer];

function made(source: Source, chunk: BulkChunk): Parts {
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
  const close = () => {
    for (const file of files) closeSync(file);
  };
  try {
    for (const key of DOWNLOAD_KEYS) files.push(openSync(join(root, key), 'r'));
  } catch {
    close();
    return undefined;
  }
  /** Of each file: where each chunk starts, and where one more would start. */
  const starts = HEADS.map((head, place) => {
    let offset = head.length;
    return [
      offset,
      ...written.map(([, , ...parts]) => {
        offset += parts[place]![0] + SEPARATORS[place]!.length;
        return offset;
      }),
    ];
  });
  const isWhole = files.every((file, place) => {
    const end = starts[place]!.at(-1)! - SEPARATORS[place]!.length;
    return fstatSync(file).size === end + TAIL_LENGTHS[place]!;
  });
  if (!isWhole) {
    close();
    return undefined;
  }
  const indices = new Map(written.map(([digest], index) => [digest, index]));
  const buffer = Buffer.allocUnsafe(BLOCK);
  return {
    /** Copies chunks from one on, as long as they follow each other here too, with what is between them. */
    copy(chunks: readonly BulkChunk[], from: number, append: Append): readonly WrittenChunk[] {
      const first = indices.get(chunks[from]!.digest);
      if (first === undefined) return [];
      let count = 1;
      while (from + count < chunks.length && chunks[from + count]!.digest === written[first + count]?.[0])
        count++;
      for (const [place, file] of files.entries()) {
        let offset = starts[place]![first]!;
        const end = starts[place]![first + count]! - SEPARATORS[place]!.length;
        for (; offset < end; offset += buffer.length) {
          append(place, readRange(file, offset, Math.min(buffer.length, end - offset), buffer));
        }
      }
      return written.slice(first, first + count);
    },
    close,
  };
}

/** Bytes that are copied at once: a processor holds them until their checksum is made. */
const BLOCK = 1 << 17;

function readRange(file: number, offset: number, length: number, into?: Buffer): Buffer {
  const bytes = into?.subarray(0, length) ?? Buffer.allocUnsafe(length);
  for (let read = 0; read < length; ) {
    const count = readSync(file, bytes, read, length - read, offset + read);
    if (count === 0) throw new Error('A file of the catalogue became shorter while it was read.');
    read += count;
  }
  return bytes;
}
