/** Encodes records as blocks (`record-block-format.ts`). */
import { uuidDigits } from '../../release/uuid-v5.ts';
import type { FileRecord } from './file-record.ts';
import { compressFindingLines, encodeFindings, findingKind } from './finding-encoding.ts';
import type { RareValues, RowLengths, RowOffsets } from './record-block-format.ts';
import * as at from './record-block-format.ts';
import { decodeRows, RecordRow, withFindingLines } from './record-row.ts';

export function encodeRows(records: readonly FileRecord[]): Buffer {
  const texts = records.map(textsOf);
  const rests = records.map(restText);
  const lengths = texts.map((own, index) => ({
    rest: at.FINDING_KIND_BYTES * records[index]!.diagnostics.length + Buffer.byteLength(rests[index]!),
    text: own.reduce((sum, text) => sum + Buffer.byteLength(text), at.PATH_OFFSET),
  }));
  const findings = compressFindingLines(records.map(({ diagnostics }) => encodeFindings(diagnostics)));
  return encodeBlock(lengths, findings, (bytes, index, { head, rest, text }) => {
    let offset = rest;
    for (const found of records[index]!.diagnostics) offset = bytes.writeUInt16LE(findingKind(found), offset);
    bytes.write(rests[index]!, offset);
    writeRow(
      bytes.subarray(head, head + at.HEAD_LENGTH),
      bytes.subarray(text),
      records[index]!,
      texts[index]!,
    );
  });
}

/** Leaves out the positions of details in temporary files, which exist only during a build. */
export function encodeStoredRows(records: readonly FileRecord[]): Buffer {
  const rows = records.map((record) =>
    record instanceof RecordRow ? record : (decodeRows(encodeRows([record]))[0] as RecordRow),
  );
  const lengths = rows.map((row) => row.lengths);
  const findings = compressFindingLines(Array.from(withFindingLines(rows), ([, line]) => line));
  return encodeBlock(lengths, findings, (bytes, index, offsets) =>
    rows[index]!.copyAs(bytes, offsets, lengths[index]!),
  );
}

function encodeBlock(
  lengths: readonly RowLengths[],
  findings: Buffer,
  write: (bytes: Buffer, index: number, offsets: RowOffsets) => void,
): Buffer {
  let rest = at.FIRST_HEAD_OFFSET + at.HEAD_LENGTH * lengths.length;
  const heads = lengths.reduce((sum, length) => sum + length.rest, rest);
  const end = lengths.reduce((sum, { text }) => sum + text, heads);
  // Not from Buffer's pool: sending a pooled buffer to a thread copies all of the pool's memory.
  const bytes = Buffer.allocUnsafeSlow(end + findings.length).fill(0);
  findings.copy(bytes, end);
  bytes.writeUInt32LE(lengths.length, at.COUNT_OFFSET);
  bytes.writeUInt32LE(heads, at.HEADS_LENGTH_OFFSET);
  bytes.writeUInt32LE(end - heads, at.FINDINGS_START_OFFSET);
  let text = heads;
  for (const [index, length] of lengths.entries()) {
    const head = at.FIRST_HEAD_OFFSET + at.HEAD_LENGTH * index;
    write(bytes, index, { head, rest, text });
    bytes.writeUInt32LE(text - heads, head + at.TEXT_START_OFFSET);
    bytes.writeUInt32LE(rest, head + at.REST_START_OFFSET);
    bytes.writeUInt32LE(length.rest, head + at.REST_LENGTH_OFFSET);
    rest += length.rest;
    text += length.text;
  }
  return bytes;
}

function textsOf(record: FileRecord): string[] {
  const { path, entry } = record;
  return [path, requiredValues(record)?.city ?? '', entry?.summary ?? '', entry?.facets ?? ''];
}

function requiredValues({ entry, crossFileValues }: FileRecord) {
  if (entry) return entry;
  const { id, country, city } = crossFileValues ?? {};
  return id && country && city ? { id, country, city } : undefined;
}

function writeRow(head: Buffer, text: Buffer, record: FileRecord, texts: readonly string[]): void {
  const { digest, entry } = record;
  head.writeUInt32LE(record.diagnostics.length, at.FINDING_COUNT_OFFSET);
  let offset = at.PATH_OFFSET;
  const [path, city, summary, facets] = texts.map((one) => {
    const length = text.write(one, offset);
    offset += length;
    return length;
  });
  text.writeUInt16LE(path!, at.PATH_LENGTH_OFFSET);
  text.write(digest, at.FILE_DIGEST_OFFSET, 'hex');
  const values = requiredValues(record);
  if (!values) return;
  text.writeUInt16LE(city!, at.CITY_LENGTH_OFFSET);
  head.write(values.country, at.COUNTRY_OFFSET, 'latin1');
  head.write(uuidDigits(values.id), at.ID_OFFSET, 'hex');
  if (!entry) return;
  head.writeUInt32LE(summary!, at.SUMMARY_LENGTH_OFFSET);
  text.writeUInt32LE(facets!, at.FACETS_LENGTH_OFFSET);
  head.writeUInt32LE(entry.detailBytes, at.DETAIL_LENGTH_OFFSET);
  head.write(entry.summaryDigest, at.SUMMARY_DIGEST_OFFSET, 'hex');
  head.write(entry.detailDigest, at.DETAIL_DIGEST_OFFSET, 'hex');
  text.writeDoubleLE(entry.latitude, at.LATITUDE_OFFSET);
  text.writeDoubleLE(entry.longitude, at.LONGITUDE_OFFSET);
  if (!entry.spooled) return;
  head.writeUInt16LE(entry.spooled.spool + 1, at.SPOOL_NUMBER_OFFSET);
  text.writeDoubleLE(entry.spooled.offset, at.SPOOL_POSITION_OFFSET);
}

function restText(record: FileRecord): string {
  const { visibility, media, hasReusableDigest } = record;
  const crossFileValues = requiredValues(record) ? undefined : record.crossFileValues;
  if (media.length === 0 && !visibility && !crossFileValues && !hasReusableDigest) return '';
  const rest: RareValues = {
    visibility,
    crossFileValues,
    media: media.length > 0 ? media : undefined,
    hasReusableDigest,
  };
  return JSON.stringify(rest);
}
