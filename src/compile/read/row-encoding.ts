/** Encodes records as blocks (`row-format.ts`). */
import { digitsOf } from '../../release/uuid-v5.ts';
import { compressLines, encodeFindings, kindOfFinding } from './findings.ts';
import type { FileRecord } from './record.ts';
import { Row, rowsOf, withFindingLines } from './row.ts';
import {
  CITY_LENGTH,
  COUNT,
  COUNTRY,
  DETAIL_BYTES,
  DETAIL_DIGEST,
  DIGEST,
  FACETS_LENGTH,
  FINDINGS,
  FINDINGS_START,
  FIRST_HEAD,
  HEAD_LENGTH,
  HEADS_LENGTH,
  ID,
  KIND_BYTES,
  LATITUDE,
  LONGITUDE,
  OFFSET,
  PATH,
  PATH_LENGTH,
  type RareValues,
  REST_LENGTH,
  REST_START,
  type RowLengths,
  type RowOffsets,
  SPOOL,
  SUMMARY_DIGEST,
  SUMMARY_LENGTH,
  TEXT_START,
} from './row-format.ts';

export function encodeRows(records: readonly FileRecord[]): Buffer {
  const texts = records.map(textsOf);
  const rests = records.map(restText);
  const lengths = texts.map((own, index) => ({
    rest: KIND_BYTES * records[index]!.diagnostics.length + Buffer.byteLength(rests[index]!),
    text: own.reduce((sum, text) => sum + Buffer.byteLength(text), PATH),
  }));
  const findings = compressLines(records.map(({ diagnostics }) => encodeFindings(diagnostics)));
  return encodeBlock(lengths, findings, (bytes, index, { head, rest, text }) => {
    let offset = rest;
    for (const found of records[index]!.diagnostics)
      offset = bytes.writeUInt16LE(kindOfFinding(found), offset);
    bytes.write(rests[index]!, offset);
    writeRow(bytes.subarray(head, head + HEAD_LENGTH), bytes.subarray(text), records[index]!, texts[index]!);
  });
}

/** Leaves out the positions of details in spools, which end with the build. */
export function encodePublished(records: readonly FileRecord[]): Buffer {
  const rows = records.map((record) =>
    record instanceof Row ? record : (rowsOf(encodeRows([record]))[0] as Row),
  );
  const lengths = rows.map((row) => row.lengths);
  const findings = compressLines(Array.from(withFindingLines(rows), ([, line]) => line));
  return encodeBlock(lengths, findings, (bytes, index, offsets) =>
    rows[index]!.copyAs(bytes, offsets, lengths[index]!),
  );
}

/** @param write writes a row at the given offsets of the block */
function encodeBlock(
  lengths: readonly RowLengths[],
  findings: Buffer,
  write: (bytes: Buffer, index: number, offsets: RowOffsets) => void,
): Buffer {
  let rest = FIRST_HEAD + HEAD_LENGTH * lengths.length;
  const heads = lengths.reduce((sum, length) => sum + length.rest, rest);
  const end = lengths.reduce((sum, { text }) => sum + text, heads);
  // Not from Buffer's pool: sending a pooled buffer to a thread copies all of the pool's memory.
  const bytes = Buffer.allocUnsafeSlow(end + findings.length).fill(0);
  findings.copy(bytes, end);
  bytes.writeUInt32LE(lengths.length, COUNT);
  bytes.writeUInt32LE(heads, HEADS_LENGTH);
  bytes.writeUInt32LE(end - heads, FINDINGS_START);
  let text = heads;
  for (const [index, length] of lengths.entries()) {
    const head = FIRST_HEAD + HEAD_LENGTH * index;
    write(bytes, index, { head, rest, text });
    bytes.writeUInt32LE(text - heads, head + TEXT_START);
    bytes.writeUInt32LE(rest, head + REST_START);
    bytes.writeUInt32LE(length.rest, head + REST_LENGTH);
    rest += length.rest;
    text += length.text;
  }
  return bytes;
}

function textsOf(record: FileRecord): string[] {
  const { path, entry } = record;
  return [path, wholePlaced(record)?.city ?? '', entry?.summary ?? '', entry?.facets ?? ''];
}

function wholePlaced({ entry, placed }: FileRecord) {
  if (entry) return entry;
  const { id, country, city } = placed ?? {};
  return id && country && city ? { id, country, city } : undefined;
}

function writeRow(head: Buffer, text: Buffer, record: FileRecord, texts: readonly string[]): void {
  const { digest, entry } = record;
  head.writeUInt32LE(record.diagnostics.length, FINDINGS);
  let offset = PATH;
  const [path, city, summary, facets] = texts.map((one) => {
    const length = text.write(one, offset);
    offset += length;
    return length;
  });
  text.writeUInt16LE(path!, PATH_LENGTH);
  text.write(digest, DIGEST, 'hex');
  const placed = wholePlaced(record);
  if (!placed) return;
  text.writeUInt16LE(city!, CITY_LENGTH);
  head.write(placed.country, COUNTRY, 'latin1');
  head.write(digitsOf(placed.id), ID, 'hex');
  if (!entry) return;
  head.writeUInt32LE(summary!, SUMMARY_LENGTH);
  text.writeUInt32LE(facets!, FACETS_LENGTH);
  head.writeUInt32LE(entry.detailBytes, DETAIL_BYTES);
  head.write(entry.summaryDigest, SUMMARY_DIGEST, 'hex');
  head.write(entry.detailDigest, DETAIL_DIGEST, 'hex');
  text.writeDoubleLE(entry.latitude, LATITUDE);
  text.writeDoubleLE(entry.longitude, LONGITUDE);
  if (!entry.staged) return;
  head.writeUInt16LE(entry.staged.spool + 1, SPOOL);
  text.writeDoubleLE(entry.staged.offset, OFFSET);
}

function restText(record: FileRecord): string {
  const { visibility, media, unchanged } = record;
  const placed = wholePlaced(record) ? undefined : record.placed;
  if (media.length === 0 && !visibility && !placed && !unchanged) return '';
  const rest: RareValues = {
    visibility,
    placed,
    media: media.length > 0 ? media : undefined,
    unchanged,
  };
  return JSON.stringify(rest);
}
