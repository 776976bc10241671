/**
 * Parts hold the details of a release as JSON lines, ordered by id. A build makes those that changed. For a small
 * catalogue, or with `bulk: whole`, it also makes the downloads: all properties as lines, points and a table.
 */
import { createHash } from 'node:crypto';
import { closeSync } from 'node:fs';
import { DOWNLOAD_KEYS, partKey } from '../../contract/document-keys.ts';
import type { Range } from '../../contract/pagination.ts';
import type { Property } from '../../contract/property.ts';
import { type Table, tableOf } from '../../documents/table.ts';
import { appendPieces, createPublicFile, writePieces } from '../../files/folder.ts';
import { divide } from '../../packed/format/divide.ts';
import type { DetailPart } from '../../packed/format/root.ts';
import { uuidHashes } from '../../packed/format/text-hash.ts';
import { type Columns, WIDTH } from '../../release/columns.ts';
import { DIGEST_LENGTH } from '../../release/digest.ts';
import type { PropertyReader } from './details.ts';

/** A range of properties: in the order of ids for a part, in list order for the downloads. */
export type DownloadPart = Range & {
  readonly isWhole: boolean;
  /** Digest of everything that its files depend on. */
  readonly digest: string;
};

/** Stored for the next build. */
export type WrittenPart = Pick<DownloadPart, 'isWhole' | 'digest'> & {
  /** Id of the first property; empty for the downloads. */
  readonly from: string;
  /** One file for a part; all files for the downloads. */
  readonly files: readonly { readonly key: string; readonly bytes: number; readonly sha256: string }[];
};

/** Maximum bytes of a part, and of a download without `bulk: whole`. */
export const PART_LIMITS = { part: 800_000, whole: 1_000_000 };

/** Bytes that a line has in addition to the detail. */
const LINE = 45;
/** Average number of properties in a part, unless they exceed its bytes. */
const EVERY = 2048;

/** @param order indexes into the sequence, in the order of ids */
export function divideDetails(
  { ids, detailDigests, detailBytes }: Columns,
  order: Uint32Array,
  limits: typeof PART_LIMITS,
): DownloadPart[] {
  const { length } = order;
  const offsets = new Float64Array(length + 1);
  for (let place = 0; place < length; place++)
    offsets[place + 1] = offsets[place]! + detailBytes[order[place]!]! + LINE;
  const fits = (start: number, end: number) => offsets[end]! - offsets[start]! <= limits.part;
  const inSequence = uuidHashes(ids);
  const hashes = order.map((place) => inSequence[place]!);
  return divide(hashes, { every: EVERY, most: Number.POSITIVE_INFINITY }, fits).map((end, index, ends) => {
    const start = ends[index - 1] ?? 0;
    const places = order.subarray(start, end);
    const columns = [valuesAt(ids, places), valuesAt(detailDigests, places)];
    return { start, end, isWhole: false, digest: digestOfColumns('details', columns) };
  });
}

/**
 * Undefined if only parts are offered.
 * @param isWhole offers downloads of any size
 */
export function wholeDownload(
  { ids, summaryDigests, detailDigests, detailBytes }: Columns,
  isWhole: boolean,
  limits: typeof PART_LIMITS,
): DownloadPart | undefined {
  const end = detailBytes.length;
  const bytes = detailBytes.reduce((sum, own) => sum + own + LINE, 0);
  if (!isWhole && bytes > limits.whole) return undefined;
  const digest = digestOfColumns('whole', [ids, detailDigests, summaryDigests]);
  return { start: 0, end, isWhole: true, digest };
}

function digestOfColumns(kind: string, columns: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(kind);
  for (const column of columns) hash.update(column);
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

function valuesAt({ buffer, byteOffset, length }: Uint8Array, places: Uint32Array): Uint8Array {
  const words = WIDTH / 4;
  const from = new Uint32Array(buffer, byteOffset, length / 4);
  const to = new Uint32Array(words * places.length);
  for (let place = 0; place < places.length; place++)
    for (let word = 0; word < words; word++) to[words * place + word] = from[words * places[place]! + word]!;
  return new Uint8Array(to.buffer);
}

/** @param table table of the catalogue. @default that of a catalogue without declared fields */
export function writePart(
  root: string,
  reader: PropertyReader,
  part: DownloadPart,
  order: Uint32Array,
  table: Table = tableOf(),
): WrittenPart {
  const { isWhole, digest } = part;
  if (isWhole) return { isWhole, digest, from: '', files: writeDownloads(root, reader, part, table) };
  const lines = linesOf(reader, order.subarray(part.start, part.end));
  const sha256 = createHash('sha256').update(lines).digest('hex');
  const key = partKey(sha256.slice(0, DIGEST_LENGTH));
  writePieces(`${root}/${key}`, [lines]);
  const from = reader.id(order[part.start]!);
  return { isWhole, digest, from, files: [{ key, bytes: lines.length, sha256 }] };
}

export function detailParts(parts: readonly WrittenPart[]): DetailPart[] {
  return parts
    .filter(({ isWhole }) => !isWhole)
    .map(({ from, files }) => ({ from, digest: files[0]!.sha256.slice(0, DIGEST_LENGTH) }));
}

/**
 * Shortens each first id to the shortest prefix that no earlier id has. This halves the list of parts of a million
 * properties.
 */
export function withShortIds(
  parts: readonly DetailPart[],
  lastIdBefore: (part: number) => string,
): DetailPart[] {
  return parts.map(({ digest, from }, index) => {
    const before = index === 0 ? '' : lastIdBefore(index);
    let length = 1;
    while (before.startsWith(from.slice(0, length))) length++;
    return { digest, from: from.slice(0, length) };
  });
}

/** Properties in memory while the downloads are written. */
const AT_ONCE = 1024;
const NEW_LINE = Buffer.from('\n');

function linesOf({ id, detail }: PropertyReader, places: Iterable<number>): Buffer {
  const lines: Buffer[] = [];
  for (const place of places) lines.push(...lineOf(id(place), detail(place)));
  return Buffer.concat(lines);
}

function lineOf(id: string, detail: Buffer): Buffer[] {
  return [Buffer.from(`{"id":"${id}",`, 'latin1'), detail.subarray(1), NEW_LINE];
}

function writeDownloads(root: string, reader: PropertyReader, { end }: Range, table: Table) {
  const outputs = DOWNLOAD_KEYS.map((key) => openOutput(root, key));
  try {
    const [lines, features, rows] = outputs.map(({ write }) => write) as [Write, Write, Write];
    features([Buffer.from('{"type":"FeatureCollection","features":[\n')]);
    rows([Buffer.from(table.head)]);
    for (let start = 0; start < end; start += AT_ONCE) {
      const [ndjson, points]: Uint8Array[][] = [[], []];
      let text = '';
      for (let place = start; place < Math.min(end, start + AT_ONCE); place++) {
        const id = reader.id(place);
        const detail = reader.detail(place);
        const property = JSON.parse(detail.toString('utf8')) as Property;
        ndjson!.push(...lineOf(id, detail));
        points!.push(...featureOf(place, id, property, reader.summary(place)));
        text += table.rowOf(id, property);
      }
      lines(ndjson!);
      features(points!);
      rows([Buffer.from(text)]);
    }
    features([Buffer.from('\n]}\n')]);
    return outputs.map(({ finish }) => finish());
  } finally {
    for (const { close } of outputs) close();
  }
}

type Write = (pieces: readonly Uint8Array[]) => void;

function openOutput(root: string, key: string) {
  const file = createPublicFile(`${root}/${key}`);
  const hash = createHash('sha256');
  let bytes = 0;
  const write: Write = (pieces) => {
    const piece = Buffer.concat(pieces);
    hash.update(piece);
    bytes += piece.length;
    appendPieces(file, [piece]);
  };
  return {
    write,
    finish: () => ({ key, bytes, sha256: hash.digest('hex') }),
    close: () => closeSync(file),
  };
}

/** Coordinates are copied as text: plain decimals are valid JSON numbers, and keep all digits. */
function featureOf(
  place: number,
  id: string,
  { longitude, latitude }: Property,
  summary: Uint8Array,
): Uint8Array[] {
  const head = `{"type":"Feature","id":"${id}","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":`;
  return [Buffer.from(place > 0 ? `,\n${head}` : head, 'latin1'), summary, Buffer.from('}')];
}
