/**
 * The downloads: every property, as lines, as compressed lines, as points and as a table. A large catalogue has them in
 * parts, which are ranges of the sequence; a build makes parts with a change, and no other. The packed layout has lines
 * alone, in parts ordered by id: these are its details.
 */
import { createHash } from 'node:crypto';
import { gzip } from 'pako';
import { DOWNLOAD_KEYS, partKey } from '../../contract/document-keys.ts';
import type { Range } from '../../contract/pagination.ts';
import type { Property } from '../../contract/property.ts';
import { type Table, tableOf } from '../../documents/table.ts';
import { writePieces } from '../../files/folder.ts';
import { divide } from '../../packed/format/divide.ts';
import type { DetailPart } from '../../packed/format/root.ts';
import { uuidHashes } from '../../packed/format/text-hash.ts';
import { type Columns, WIDTH } from '../../release/columns.ts';
import { DIGEST_LENGTH } from '../../release/digest.ts';
import type { PropertyReader } from './details.ts';

/** A range of the properties, in the order of the downloads, with a file for each download. */
export type DownloadPart = Range & {
  /** Whether its files have the keys of the downloads. Otherwise digests name them. */
  readonly isWhole: boolean;
  /** Digest of everything that its files depend on. */
  readonly digest: string;
};

/** A written part, as stored for the next build. */
export type WrittenPart = {
  readonly digest: string;
  readonly properties: number;
  /** Id of the first property; empty for a part without properties. */
  readonly from: string;
  /** In the order of the downloads. */
  readonly files: readonly { readonly key: string; readonly bytes: number; readonly sha256: string }[];
};

/** Bytes of `properties.ndjson`: above `whole`, the downloads are divided; no part has more than `part`, or `details` in order of ids. */
export const LIMITS = { whole: 1_000_000, part: 96_000, details: 800_000 };

/** Bytes of a line of `properties.ndjson` in addition to the detail. */
const LINE = 45;
/** Average distance of ends of parts, in properties, where these are so small that no part is too large. */
const EVERY = 2048;

/**
 * Divides the downloads of a sequence into parts; a small catalogue has one.
 *
 * @param order indexes in the sequence, for downloads in that order, which always consist of parts.
 */
export function divideDownloads(
  { ids, summaryDigests, detailDigests, detailBytes }: Columns,
  limits = LIMITS,
  order?: Uint32Array,
): DownloadPart[] {
  const { length } = detailBytes;
  const offsets = new Float64Array(length + 1);
  for (let place = 0; place < length; place++)
    offsets[place + 1] = offsets[place]! + detailBytes[order ? order[place]! : place]! + LINE;
  const isWhole = !order && offsets[length]! <= limits.whole;
  const most = order ? limits.details : limits.part;
  const fits = (start: number, end: number) => offsets[end]! - offsets[start]! <= most;
  const inSequence = uuidHashes(ids);
  const hashes = order?.map((place) => inSequence[place]!) ?? inSequence;
  const ends =
    isWhole || length === 0
      ? [length]
      : divide(hashes, { every: EVERY, most: Number.POSITIVE_INFINITY }, fits);
  const columns = [ids, detailDigests, ...(order ? [] : [summaryDigests])];
  return ends.map((end, index) => {
    const start = ends[index - 1] ?? 0;
    // Only the first part has the table's header row.
    const kind = order ? 'details' : isWhole ? 'whole' : `part ${index === 0}`;
    const hash = createHash('sha256').update(kind);
    for (const column of columns)
      hash.update(
        order ? valuesAt(column, order.subarray(start, end)) : column.subarray(WIDTH * start, WIDTH * end),
      );
    return { start, end, isWhole, digest: hash.digest('hex').slice(0, DIGEST_LENGTH) };
  });
}

function valuesAt({ buffer, byteOffset, length }: Uint8Array, places: Uint32Array): Uint8Array {
  const from = new Uint32Array(buffer, byteOffset, length / 4);
  const to = new Uint32Array(4 * places.length);
  for (let place = 0; place < places.length; place++)
    for (let word = 0; word < 4; word++) to[4 * place + word] = from[4 * places[place]! + word]!;
  return new Uint8Array(to.buffer);
}

/**
 * Writes the files of a part; with `order`, of lines alone.
 *
 * @param table the table of the catalogue. @default that of a catalogue which declares no fields
 */
export function writePart(
  root: string,
  reader: PropertyReader,
  part: DownloadPart,
  order?: Uint32Array,
  table: Table = tableOf(),
): WrittenPart {
  const contents = order ? [linesOf(reader, part, order)] : contentsOf(reader, part, table);
  const files = contents.map((content, place) => {
    const name = DOWNLOAD_KEYS[place]!;
    const sha256 = createHash('sha256').update(content).digest('hex');
    const key = part.isWhole ? name : partKey(name, sha256.slice(0, DIGEST_LENGTH));
    writePieces(`${root}/${key}`, [content]);
    return { key, bytes: content.length, sha256 };
  });
  const from = part.end > part.start ? reader.id(order ? order[part.start]! : part.start) : '';
  return { digest: part.digest, properties: part.end - part.start, from, files };
}

export function detailParts(parts: readonly WrittenPart[]): DetailPart[] {
  return parts.flatMap(({ from, files }) =>
    from === '' ? [] : [{ from, digest: files[0]!.sha256.slice(0, DIGEST_LENGTH) }],
  );
}

/** Shortens the first ids to what no id before has: at a million properties, half of the parts' rows in the root. */
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

function linesOf({ id, detail }: PropertyReader, { start, end }: Range, order: Uint32Array): Buffer {
  const lines: Buffer[] = [];
  for (let place = start; place < end; place++)
    lines.push(...lineOf(id(order[place]!), detail(order[place]!)));
  return Buffer.concat(lines);
}

function lineOf(id: string, detail: Buffer): Buffer[] {
  return [Buffer.from(`{"id":"${id}",`, 'latin1'), detail.subarray(1), NEW_LINE];
}

/** Compression level: takes half the time of the default 6, for files a fifth larger. */
const LEVEL = 3;
const NEW_LINE = Buffer.from('\n');
const FEATURES_HEAD = Buffer.from('{"type":"FeatureCollection","features":[\n');
const FEATURE_SEPARATOR = Buffer.from(',\n');
const FEATURE_END = Buffer.from('}');
const FEATURES_END = Buffer.from('\n]}\n');

function contentsOf(
  { id: idOf, summary, detail: detailOf }: PropertyReader,
  part: Range,
  table: Table,
): Uint8Array[] {
  const lines: Buffer[] = [];
  const features: Uint8Array[] = [FEATURES_HEAD];
  let rows = part.start === 0 ? table.head : '';
  for (let index = part.start; index < part.end; index++) {
    const id = idOf(index);
    const detail = detailOf(index);
    lines.push(...lineOf(id, detail));
    const property = JSON.parse(detail.toString('utf8')) as Property;
    rows += table.rowOf(id, property);
    // Coordinates are copied as text: plain decimals are valid JSON numbers, and keep all digits.
    const { longitude, latitude } = property;
    const head = `{"type":"Feature","id":"${id}","geometry":{"type":"Point","coordinates":[${longitude},${latitude}]},"properties":`;
    if (index > part.start) features.push(FEATURE_SEPARATOR);
    features.push(Buffer.from(head, 'latin1'), summary(index), FEATURE_END);
  }
  features.push(FEATURES_END);
  const ndjson = Buffer.concat(lines);
  // The bytes of Node's zlib differ between versions and processors.
  return [ndjson, gzip(ndjson, { level: LEVEL }), Buffer.concat(features), Buffer.from(rows)];
}
