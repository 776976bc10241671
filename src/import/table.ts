/** Rows of a table, whatever it came from. */
import { number, plural } from '../words.ts';
import { type Dialect, readRecord, readRecords, swallowedRows, type TextRecord } from './delimited.ts';
import {
  columnName,
  malformed,
  type Note,
  plainCell,
  type ReadingSettings,
  type Row,
  type UnreadableRow,
} from './row.ts';
import type { SourceBytes } from './source-bytes.ts';
import { divide, isBlank, isSeparatorLine } from './table-dialect.ts';
import { findHeader, type Header, looksOf } from './table-header.ts';
import { decoded, type Encoding } from './text-encoding.ts';

export type Table = {
  readonly columns: readonly string[];
  readonly rows: () => AsyncGenerator<Row | UnreadableRow>;
  /** Removes what was written for it. */
  readonly close?: () => void;
};

/** Characters by which the table is recognised. */
const SAMPLE = 1_000_000;
/** Longest cell, in UTF-16 units, and most lines of one. */
const MAX_CELL = 1_000_000;
const MAX_LINES = 1_000;

/** Opens delimited text. */
export async function openText(
  source: SourceBytes,
  { name }: Encoding,
  settings: ReadingSettings,
  note: Note,
): Promise<Table> {
  let sample = '';
  let isWhole = true;
  for await (const chunk of decoded(source, name)) {
    sample += chunk;
    isWhole = sample.length <= SAMPLE;
    if (!isWhole) break;
  }
  const { dialect, records } = divide(sample, isWhole, settings.delimiter);
  const data = isSeparatorLine(records[0] ?? { cells: [], line: 1, raw: undefined })
    ? records.slice(1)
    : records;
  const lines = linesOf(sample, dialect);
  const header = findHeader(data.length > 0 ? data : lines, settings);
  const isRow = rowTest(header, lines);
  const checked = async function* () {
    for await (const record of readRecords(decoded(source, name), dialect)) {
      if (record.raw !== undefined && record.line > header.line) checkLines(record, dialect, isRow);
      yield record;
    }
  };
  return openTable(header, checked, 'line', note);
}

/** The lines of a text as records, whatever quotes they have. */
function linesOf(text: string, dialect: Dialect): TextRecord[] {
  return text
    .split(/\r\n?|\n/, 2_000)
    .map((line, place) => ({ cells: cellsOf(line, dialect), line: place + 1, raw: undefined }));
}

function cellsOf(line: string, dialect: Dialect): readonly string[] {
  const read = readRecord(line, 0, dialect, true);
  return read && read.unclosed === undefined ? read.cells : line.split(dialect.delimiter);
}

/** Makes a test whether the cells of a line are those of a row of this table. */
function rowTest({ names, line }: Header, lines: readonly TextRecord[]) {
  const width = names.length;
  const rows = lines.filter((one) => one.line > line && one.cells.length === width).map(({ cells }) => cells);
  const looks = rows.length > 0 ? looksOf(rows, width) : [];
  const judged = looks.flatMap((one, column) => (one ? [{ one, column }] : []));
  const least = judged.length > 0 ? judged.at(-1)!.column + 1 : width;
  return (cells: readonly string[]): boolean => {
    if (cells.length > width || cells.length < Math.max(2, least)) return false;
    const filled = judged.filter(({ column }) => (cells[column] ?? '').trim() !== '');
    if (judged.length > 0 && filled.length === 0) return false;
    return filled.every(({ one, column }) => one.test(cells[column]!.trim()));
  };
}

/** @throws UsageError `swallowed-rows` when lines of a record look like rows: a quote that was left open. */
function checkLines(
  { raw = '', line }: TextRecord,
  dialect: Dialect,
  isRow: (cells: readonly string[]) => boolean,
) {
  const lines = raw.replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/);
  const texts = lines.slice(1).filter((one) => one.trim() !== '');
  const alike = texts.filter((one) => isRow(cellsOf(one, dialect))).length;
  if (alike === 0 || alike * 2 < texts.length) {
    if (lines.length <= MAX_LINES) return;
    throw swallowedRows(line, `makes one cell of ${number(lines.length)} lines`);
  }
  const opening = lines.findIndex((one) => {
    const read = readRecord(one, 0, dialect, true);
    return read?.unclosed !== undefined;
  });
  const last = line + lines.length - 1;
  throw swallowedRows(line + Math.max(opening, 0), `takes the rows up to line ${last} into one cell`);
}

/** @param place what a record's number counts, such as `line`. */
export function openTable(
  { names, line, isGuess }: Header,
  records: () => AsyncIterable<TextRecord>,
  place: 'line' | 'row',
  note: Note,
): Table {
  if (isGuess) {
    note({
      code: 'header-guessed',
      message: `The header seems to be ${place} ${line}; what is above it is passed over.`,
      help: `If another one has the names of the columns, give the number of those above it in the mapping, such as "skip: ${line - 1}".`,
      line,
    });
  }
  return {
    columns: names,
    async *rows() {
      const passed = { blank: 0, repeated: 0 };
      for await (const record of records()) {
        if (record.line <= line) continue;
        const { cells } = record;
        if (isBlank(record)) passed.blank++;
        else if (cells.every((cell, column) => columnName(cell) === names[column])) passed.repeated++;
        else yield rowOf(record, names, `${place} ${record.line}`);
      }
      const { blank, repeated } = passed;
      if (blank > 0)
        note({
          code: 'blank-rows',
          message: `${plural(blank, 'blank row')} passed over.`,
          help: '',
          line: undefined,
        });
      if (repeated > 0) {
        const message = `${plural(repeated, 'repeated header')} passed over.`;
        note({ code: 'repeated-header', message, help: '', line: undefined });
      }
    },
  };
}

function rowOf({ cells, line }: TextRecord, names: readonly string[], at: string): Row | UnreadableRow {
  const surplus = cells.slice(names.length).filter((cell) => cell.trim() !== '');
  const long = cells.findIndex((cell) => cell.length > MAX_CELL);
  if (surplus.length === 0 && long < 0) {
    return {
      at,
      line,
      value: Object.fromEntries(names.map((name, column) => [name, plainCell(cells[column] ?? '')])),
    };
  }
  const finding =
    long >= 0
      ? malformed(`Cell ${long + 1} has more than ${number(MAX_CELL)} characters.`, 'Shorten it.')
      : malformed(
          `The row has ${plural(cells.length, 'cell')}, but the header has ${names.length}: "${surplus[0]!.slice(0, 60)}" is in no column.`,
          'Put a cell that has the separator in it in quotes.',
        );
  return { at, line, value: undefined, finding };
}
