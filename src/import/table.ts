import { number, plural } from '../text/words.ts';
import { readRecords, type TextRecord } from './delimited.ts';
import {
  columnName,
  isTotals,
  malformed,
  type Note,
  plainCell,
  type ReadingSettings,
  type Row,
  type Rows,
  type SourceRow,
  type UnreadableRow,
} from './row.ts';
import type { SourceBytes } from './source-bytes.ts';
import { createSwallowCheck, linesOf } from './swallowed-rows.ts';
import { divide, isBlank, isSeparatorLine } from './table-dialect.ts';
import { findHeader, type Header } from './table-header.ts';
import { decoded, type Encoding } from './text-encoding.ts';

export type Table = {
  readonly columns: readonly string[];
  readonly rows: Rows;
  /** Names of a workbook's visible sheets, first the one that is read. */
  readonly sheets?: readonly string[];
  readonly close?: () => void;
};

const SAMPLE = 1_000_000;
const MAX_CELL = 1_000_000;

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
  const rows = data.filter(({ line }) => line > header.line);
  const check = createSwallowCheck(
    header.names.length,
    dialect,
    rows,
    lines.filter(({ line }) => line > header.line),
  );
  let isChecked = false;
  const checked = async function* () {
    for await (const record of readRecords(decoded(source, name), dialect)) {
      if (!isChecked && record.raw !== undefined && record.line >= header.line) check(record);
      yield record;
    }
    isChecked = true;
  };
  return openTable(header, checked, 'line', note);
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
    async *rows(wanted) {
      const named = wanted && new Set(wanted.map(columnName));
      const read = names.flatMap((name, column) => (!named || named.has(name) ? [column] : []));
      const asValue = (cells: readonly string[]) =>
        Object.fromEntries(read.map((column) => [names[column]!, plainCell(cells[column] ?? '')]));
      const passed = { blank: 0, repeated: 0 };
      for await (const record of records()) {
        if (record.line <= line) continue;
        const { cells } = record;
        if (isBlank(record)) passed.blank++;
        else if (cells.every((cell, column) => columnName(cell) === names[column])) passed.repeated++;
        else yield rowOf(record, names.length, asValue, `${place} ${record.line}`);
      }
      const { blank, repeated } = passed;
      if (blank > 0) note({ code: 'blank-rows', message: `${plural(blank, 'blank row')} passed over.` });
      if (repeated > 0)
        note({ code: 'repeated-header', message: `${plural(repeated, 'repeated header')} passed over.` });
    },
  };
}

function rowOf(
  { cells, line }: TextRecord,
  width: number,
  asValue: (cells: readonly string[]) => SourceRow,
  at: string,
): Row | UnreadableRow {
  const surplus = cells.slice(width).filter((cell) => cell.trim() !== '');
  const long = cells.findIndex(({ length }) => length > MAX_CELL);
  if (surplus.length === 0 && long < 0) return { at, line, isTotals: isTotals(cells), value: asValue(cells) };
  const finding =
    long >= 0
      ? malformed(`Cell ${long + 1} has more than ${number(MAX_CELL)} characters.`, 'Shorten it.')
      : malformed(
          `The row has ${plural(cells.length, 'cell')}, but the header has ${width}: "${surplus[0]!.slice(0, 60)}" is in no column.`,
          'Put a cell that has the separator in it in quotes.',
        );
  return { at, line, value: undefined, finding };
}
