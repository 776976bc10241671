/**
 * Finds rows with a cell too few or too many, whose values would be in wrong columns. Some programs leave out empty
 * cells at the end of each row; spreadsheet programs do so in blocks of 16 rows.
 */
import { countText } from '../../text/amounts.ts';
import { privateColumnReason } from '../words/column-names.ts';
import type { TextRecord } from './delimited.ts';
import { isTotalsRow } from './totals-row.ts';

const BLOCK = 16;
/** From this number of rows on, a single row of another width is a fault even if no row ends with an empty cell. */
const MIN_ROWS = 5;
const MIN_ROWS_WITH_PRIVATE_COLUMNS = 2;

type Width = { readonly cells: number; count: number; longestRun: number; endsEmpty: boolean };
export type WidthFault = { readonly message: string; readonly help: string };

const isEmpty = (cell: string | undefined) => cell === undefined || cell.trim() === '';

export function createRowWidths(names: readonly string[]) {
  const widths = new Map<number, Width>();
  let run = { cells: 0, length: 0 };
  return {
    add(record: TextRecord): void {
      const { length } = record.cells;
      const isCut = record.isUnterminated && length < names.length;
      if (isCut || hasSurplus(record, names) || isTotals(record, names)) return;
      run = { cells: length, length: run.cells === length ? run.length + 1 : 1 };
      const width = widths.get(length) ?? { cells: length, count: 0, longestRun: 0, endsEmpty: false };
      width.count++;
      width.longestRun = Math.max(width.longestRun, run.length);
      width.endsEmpty ||= isEmpty(record.cells.at(-1));
      widths.set(length, width);
    },
    /** The returned function says what is wrong with the width of a row; undefined if the row may be right. */
    check: () => widthCheck([...widths.values()], names),
  };
}

function hasSurplus({ cells }: TextRecord, { length }: readonly string[]): boolean {
  return cells.slice(length).some((cell) => !isEmpty(cell));
}

function isTotals({ cells }: TextRecord, { length }: readonly string[]): boolean {
  return cells.length < length && isTotalsRow(cells, length);
}

function widthCheck(widths: readonly Width[], names: readonly string[]) {
  const rows = widths.reduce((sum, { count }) => sum + count, 0);
  const [usual] = [...widths].sort((a, b) => b.count - a.count || b.cells - a.cells);
  const isFull = usual !== undefined && isUsuallyFull(usual, rows, names);
  const inBlocks = new Set(widths.flatMap((one) => (one.longestRun >= BLOCK ? [one.cells] : [])));
  const least = rows < MIN_ROWS ? 0 : Math.min(...widths.map(({ cells }) => cells));
  return (record: TextRecord): WidthFault | undefined => {
    const { cells, isUnterminated } = record;
    const count = `The row has ${countText(cells.length, 'cell')}`;
    if (inBlocks.has(cells.length) || hasSurplus(record, names) || isTotals(record, names)) return undefined;
    if (!isFull)
      return isUnterminated && cells.length < least
        ? { message: `${count}, but the others have at least ${least}: ${BROKEN_OFF}`, help: AGAIN }
        : undefined;
    if (cells.length === usual.cells) return undefined;
    const message = `${count}, but the others have ${usual.cells}: its values may be in wrong columns.`;
    // If the last column has a value in each row, a separator behind it moved nothing.
    if (cells.length > usual.cells)
      return usual.endsEmpty || isEmpty(cells[usual.cells - 1]) ? { message, help: SURPLUS } : undefined;
    // Only the separators behind the last column are missing.
    if (cells.length === names.length && !isEmpty(cells.at(-1))) return undefined;
    return isUnterminated
      ? { message: `${count}, but the others have ${usual.cells}: ${BROKEN_OFF}`, help: AGAIN }
      : { message, help: MISSING };
  };
}

const BROKEN_OFF = 'the file seems to break off in this row.';
const AGAIN = 'Export or download it again.';
const SURPLUS = 'Remove the separator that is too many, or put the cell that has it in quotes.';
const MISSING =
  'Add the missing cell (an empty one needs its separator too), remove a quote that encloses several cells, or put a cell of several lines in quotes.';

function isUsuallyFull(usual: Width, rows: number, names: readonly string[]): boolean {
  if (usual.cells < names.length) return false;
  const others = rows - usual.count;
  // Rows of the usual width may end with an empty cell, so the program does not leave out empty cells at the end.
  if (usual.endsEmpty) return others <= usual.count;
  const isPrivate = names.some((name) => privateColumnReason(name) !== undefined);
  const least = isPrivate ? MIN_ROWS_WITH_PRIVATE_COLUMNS : MIN_ROWS;
  return others * 10 <= rows || (others === 1 && rows >= least);
}
