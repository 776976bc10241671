/**
 * Parts hold the details of a release as JSON lines, ordered by id. A build makes those that changed. For a small
 * catalogue, or with `bulk: whole`, it also makes the downloads: all properties as NDJSON, GeoJSON and CSV.
 */
import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { DOWNLOAD_KEYS, partKey } from '../../contract/document-keys.ts';
import type { Range } from '../../contract/pagination.ts';
import type { Property } from '../../contract/property.ts';
import { type CsvFormat, csvFormatOfFields } from '../../documents/csv-format.ts';
import { appendPieces, createPublicFile, writePieces } from '../../files/files-and-folders.ts';
import { DIGEST_DIGITS, digestOf } from '../../release/digest.ts';
import { DIGEST_BYTES, idAt, type SequenceColumns } from '../../release/sequence-columns.ts';
import { divideByHash } from '../../tree/format/divide.ts';
import type { DetailPart } from '../../tree/format/root.ts';
import { uuidHashes } from '../../tree/format/text-hash.ts';
import type { InputsDigest, WrittenBulkFiles, WrittenPart } from '../state/written-files.ts';
import type { DetailReader } from './detail-reader.ts';

/** `start` and `end`: range of the part's properties among all properties sorted by id. */
export type PlannedPart = Range & InputsDigest & Pick<DetailPart, 'from'>;

export type PlannedBulkFiles = {
  readonly parts: readonly PlannedPart[];
  /** Undefined if the release has no downloads of all properties, only parts. */
  readonly downloads: InputsDigest | undefined;
};

/** Maximum bytes of a part, and of the NDJSON download. A larger download is made only with `bulk: whole`. */
export const PART_LIMITS = { part: 800_000, download: 1_000_000 };

/** Bytes that a line has in addition to the detail. */
const LINE_OVERHEAD = 45;
/** Average number of properties in a part, unless parts reach their limit in bytes first. */
const PROPERTIES_PER_PART = 2048;

/** @param order the properties' indexes in the sequence, sorted by id */
export function planParts(
  { ids, detailDigests, detailBytes }: SequenceColumns,
  order: Uint32Array,
  limits: typeof PART_LIMITS,
): PlannedPart[] {
  const { length } = order;
  const offsets = new Float64Array(length + 1);
  for (let index = 0; index < length; index++)
    offsets[index + 1] = offsets[index]! + detailBytes[order[index]!]! + LINE_OVERHEAD;
  const fits = (start: number, end: number) => offsets[end]! - offsets[start]! <= limits.part;
  const inSequence = uuidHashes(ids);
  const hashes = order.map((index) => inSequence[index]!);
  return divideByHash(hashes, { averageRun: PROPERTIES_PER_PART, most: Number.POSITIVE_INFINITY }, fits).map(
    (end, index, ends) => {
      const start = ends[index - 1] ?? 0;
      const indexes = order.subarray(start, end);
      const columns = [valuesAt(ids, indexes), valuesAt(detailDigests, indexes)];
      const from = shortId({ ids }, order[start]!, order[start - 1]);
      return { start, end, from, inputs: digestOfColumns('details', columns) };
    },
  );
}

/**
 * Cuts an id after the first digit that differs from the previous id: whole ids would double the root's list of parts.
 */
function shortId(columns: Pick<SequenceColumns, 'ids'>, index: number, before: number | undefined): string {
  const [id, idBefore] = [idAt(columns, index), before === undefined ? '' : idAt(columns, before)];
  let length = 1;
  while (idBefore.startsWith(id.slice(0, length))) length++;
  return id.slice(0, length);
}

/**
 * Undefined if the release has no downloads of all properties, only parts.
 * @param isWhole whether the release has these downloads whatever their size (`bulk: whole`)
 */
export function downloadInputsDigest(
  { ids, summaryDigests, detailDigests, detailBytes }: SequenceColumns,
  isWhole: boolean,
  limits: typeof PART_LIMITS,
): PlannedBulkFiles['downloads'] {
  const bytes = detailBytes.reduce((sum, own) => sum + own + LINE_OVERHEAD, 0);
  if (!isWhole && bytes > limits.download) return undefined;
  return { inputs: digestOfColumns('whole', [ids, detailDigests, summaryDigests]) };
}

function digestOfColumns(kind: string, columns: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(kind);
  for (const column of columns) hash.update(column);
  return hash.digest('hex').slice(0, DIGEST_DIGITS);
}

function valuesAt({ buffer, byteOffset, length }: Uint8Array, indexes: Uint32Array): Uint8Array {
  const words = DIGEST_BYTES / 4;
  const from = new Uint32Array(buffer, byteOffset, length / 4);
  const to = new Uint32Array(words * indexes.length);
  for (let index = 0; index < indexes.length; index++)
    for (let word = 0; word < words; word++) to[words * index + word] = from[words * indexes[index]! + word]!;
  return new Uint8Array(to.buffer);
}

export function writePart(
  publicFolder: string,
  reader: DetailReader,
  { start, end, from, inputs }: PlannedPart,
  order: Uint32Array,
): WrittenPart {
  const lines = linesOf(reader, order.subarray(start, end));
  const digest = digestOf(lines);
  writePieces(`${publicFolder}/${partKey(digest)}`, [lines]);
  return { inputs, from, digest, bytes: lines.length };
}

/** Number of properties in memory while the downloads are written. */
const AT_ONCE = 1024;
const NEW_LINE = Buffer.from('\n');

function linesOf({ id, detail }: DetailReader, indexes: Iterable<number>): Buffer {
  const lines: Buffer[] = [];
  for (const index of indexes) lines.push(...lineOf(id(index), detail(index)));
  return Buffer.concat(lines);
}

function lineOf(id: string, detail: Buffer): Buffer[] {
  return [Buffer.from(`{"id":"${id}",`, 'latin1'), detail.subarray(1), NEW_LINE];
}

/** @param table the columns of the CSV download. @default the columns of a catalogue without declared fields */
export function writeDownloads(
  publicFolder: string,
  reader: DetailReader,
  { inputs }: InputsDigest,
  count: number,
  table: CsvFormat = csvFormatOfFields(),
): NonNullable<WrittenBulkFiles['downloads']> {
  const outputs = DOWNLOAD_KEYS.map((key) => openOutput(publicFolder, key));
  try {
    const [lines, features, rows] = outputs.map(({ write }) => write) as [Write, Write, Write];
    features([Buffer.from('{"type":"FeatureCollection","features":[\n')]);
    rows([Buffer.from(table.head)]);
    for (let start = 0; start < count; start += AT_ONCE) {
      const [ndjson, points]: Uint8Array[][] = [[], []];
      let text = '';
      for (let index = start; index < Math.min(count, start + AT_ONCE); index++) {
        const id = reader.id(index);
        const detail = reader.detail(index);
        const property = JSON.parse(detail.toString('utf8')) as Property;
        ndjson!.push(...lineOf(id, detail));
        points!.push(...featureOf(index, id, property, reader.summary(index)));
        text += table.rowOf(id, property);
      }
      lines(ndjson!);
      features(points!);
      rows([Buffer.from(text)]);
    }
    features([Buffer.from('\n]}\n')]);
    return { inputs, files: outputs.map(({ finish }) => finish()) };
  } finally {
    for (const { close } of outputs) close();
  }
}

type Write = (pieces: readonly Uint8Array[]) => void;

function openOutput(publicFolder: string, key: string) {
  const file = createPublicFile(`${publicFolder}/${key}`);
  const hash = createHash('sha256');
  let bytes = 0;
  const write: Write = (pieces) => {
    const piece = Buffer.concat(pieces);
    hash.update(piece);
    bytes += piece.length;
    appendPieces(file, [piece]);
  };
  return { write, finish: () => ({ key, bytes, sha256: hash.digest('hex') }), close: () => closeSync(file) };
}

/** Copies coordinates as text, so that they keep all digits: plain decimals are valid JSON numbers. */
function featureOf(
  index: number,
  id: string,
  { longitude, latitude }: Property,
  summary: Uint8Array,
): Uint8Array[] {
  const head = `{"type":"Feature","id":"${id}","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":`;
  return [Buffer.from(index > 0 ? `,\n${head}` : head, 'latin1'), summary, Buffer.from('}')];
}
