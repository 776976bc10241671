import type { UsageError } from '../../errors/errors.ts';
import { countText, formatNumber } from '../../text/amounts.ts';
import type { Mapping } from '../../values/mapping.ts';
import { detachedCopy } from '../../values/memoize.ts';
import { readRecords, type TextRecord } from './delimited.ts';
import { plainCell } from './plain-cell.ts';
import {
  type AddNote,
  columnName,
  type ReadingSettings,
  type Row,
  type Rows,
  type UnreadableRow,
  unreadableRow,
} from './row.ts';
import { createRowWidths, type WidthFault } from './row-width.ts';
import type { SourceBytes } from './source-bytes.ts';
import { addSourcePlace, createSourcePlaces, sourcePlacesText } from './source-places.ts';
import { createSwallowCheck, recordsByLine } from './swallowed-rows.ts';
import { findDialect, isBlankRecord, isSeparatorLine } from './table-dialect.ts';
import { findHeader, type TableHeader } from './table-header.ts';
import { decodeChunks, type Encoding } from './text-encoding.ts';
import { isTotalsRow } from './totals-row.ts';

export type Table = {
  readonly columns: readonly string[];
  readonly rows: Rows;
  /** Visible sheets of a workbook; the one that is read comes first. */
  readonly sheets?: readonly string[];
  readonly close?: () => void;
};

const STRAY = 'If the quote encloses the cell, write each quote within it twice.';
const SURPLUS = 'Put a cell that has the separator in it in quotes.';
const SAMPLE = 1_000_000;
const MAX_CELL = 1_000_000;

export async function openDelimited(
  source: SourceBytes,
  { name }: Encoding,
  settings: ReadingSettings,
  note: AddNote,
): Promise<Table> {
  let sample = '';
  let isWhole = true;
  for await (const chunk of decodeChunks(source, name)) {
    sample += chunk;
    isWhole = sample.length <= SAMPLE;
    if (!isWhole) break;
  }
  const { dialect, records } = findDialect(sample, isWhole, settings.delimiter);
  const data = records[0] && isSeparatorLine(records[0]) ? records.slice(1) : records;
  const header = findHeader(data.length > 0 ? data : recordsByLine(sample, dialect), settings);
  const check = createSwallowCheck(header, dialect, records, sample);
  const read = () => readRecords(decodeChunks(source, name), dialect);
  const widths = createRowWidths(header.names);
  const swallowing = new Map<number, { readonly record: TextRecord; readonly error: UsageError }>();
  for await (const record of read()) {
    if (record.line < header.line || isBlankRecord(record)) continue;
    const error = check(record);
    if (error && !swallowing.has(record.cells.length)) swallowing.set(record.cells.length, { record, error });
    if (record.line > header.line) widths.add(record);
  }
  const widthFault = widths.check();
  for (const { record, error } of swallowing.values()) if (!widthFault(record)) throw error;
  return openTable(header, read, 'line', note, widthFault);
}

/** `place`: the word that messages use for a record, as in "line 17" or "row 17". */
export function openTable(
  { names, line, isGuess }: TableHeader,
  records: () => AsyncIterable<TextRecord>,
  place: 'line' | 'row',
  note: AddNote,
  widthFault: (record: TextRecord) => WidthFault | undefined = () => undefined,
): Table {
  const guessed = `The header seems to be ${place} ${line}; what is above it is skipped.`;
  const other = `If another one has the names of the columns, give the number of those above it in the mapping, such as "skip: ${line - 1}".`;
  if (isGuess) note('header-guessed', guessed, other, line);
  return {
    columns: names,
    async *rows(wanted) {
      const named = wanted && new Set(wanted.map(columnName));
      const read = names.flatMap((name, column) => (!named || named.has(name) ? [column] : []));
      const lower = names.map((name) => name.toLowerCase());
      const empty = Object.fromEntries(read.map((column) => [names[column]!, '']));
      // The engine stores a text with a character above U+00FF in twice the bytes, and so each substring. A copy has one
      // byte for each character again, which halves the time of later checks.
      const asValue = (cells: readonly string[]) => {
        const value = { ...empty };
        for (const column of read) value[names[column]!] = plainCell(detachedCopy(cells[column] ?? ''));
        return value;
      };
      let [blank, repeated] = [0, 0];
      const stray = createSourcePlaces();
      let row = 0;
      for await (const record of records()) {
        row++;
        if (record.line <= line) continue;
        if (record.isStray) addSourcePlace(stray, record.line);
        // Cells with line breaks make line and row numbers differ. Spreadsheet programs show row numbers, so both are
        // given.
        const also = row < record.line && place === 'line' ? ` (row ${row})` : '';
        if (isBlankRecord(record)) blank++;
        else if (record.cells.every((cell, column) => columnName(cell).toLowerCase() === lower[column]))
          repeated++;
        else yield rowOf(record, names, asValue, `${place} ${record.line}${also}`, widthFault(record));
      }
      if (blank > 0) note('blank-rows', `${countText(blank, 'blank row')} skipped.`);
      if (repeated > 0) note('repeated-header', `${countText(repeated, 'repeated header')} skipped.`);
      const message = `${countText(stray.count, 'row')} with a quote at the start of a cell that does not end it (${place} ${sourcePlacesText(stray)}): it is read as a plain character.`;
      if (stray.count > 0) note('stray-quote', message, STRAY);
    },
  };
}

function rowOf(
  { cells, line }: TextRecord,
  names: readonly string[],
  asValue: (cells: readonly string[]) => Mapping,
  at: string,
  widthFault: WidthFault | undefined,
): Row | UnreadableRow {
  const width = names.length;
  const surplus = cells.slice(width).find((cell) => cell.trim() !== '');
  const long = cells.findIndex(({ length }) => length > MAX_CELL);
  const size = () => `The row has ${countText(cells.length, 'cell')}, but the header has ${width}`;
  const tooLong = `Cell ${long + 1} has more than ${formatNumber(MAX_CELL)} characters.`;
  if (long >= 0) return unreadableRow(at, line, tooLong, 'Shorten it.');
  const help = at.startsWith('line') ? SURPLUS : 'Name its column in the header.';
  const fault =
    surplus !== undefined
      ? { message: `${size()}: "${surplus.slice(0, 60)}" is in no column.`, help }
      : widthFault;
  if (fault) return { ...unreadableRow(at, line, fault.message, fault.help), doubtful: asValue(cells) };
  const missingCells = cells.length < width ? `${size()}.` : undefined;
  const cellIn = (column: string) => cells[names.indexOf(column)];
  return { at, line, isTotals: isTotalsRow(cells, width), value: asValue(cells), cellIn, missingCells };
}
