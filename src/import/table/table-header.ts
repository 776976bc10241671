import { UsageError } from '../../errors/errors.ts';
import { countText, formatNumber } from '../../text/amounts.ts';
import { columnMeaning } from '../words/column-names.ts';
import type { TextRecord } from './delimited.ts';
import { columnName, type ReadingSettings } from './row.ts';
import { isBlankRecord } from './table-dialect.ts';

export type TableHeader = {
  readonly line: number;
  readonly names: readonly string[];
  /** Whether the header is below other lines and was recognised only by its looks. */
  readonly isGuess: boolean;
};

const MAX_COLUMNS = 5_000;
const MAX_ABOVE = 50;
const MAX_JUDGED = 300;
/** A record with at least this many known column names looks like a header, whatever follows it. */
const KNOWN = 3;

export const VALUE_CELL_PATTERNS = [
  /^[-+\u2212]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?$/i,
  /^(?:https?:\/\/|www\.)\S+$|^(?=\S+$)\S[^@]*@.+\..+$/i,
  /^(?=\S*\d)\S+$/,
];

export function patternByColumn(
  rows: readonly (readonly string[])[],
  width: number,
  known: readonly RegExp[] = VALUE_CELL_PATTERNS,
): (RegExp | undefined)[] {
  return Array.from({ length: width }, (_, column) => {
    const cells = rows.map((cells) => cells[column] ?? '').filter((cell) => cell !== '');
    const fitting = (looks: RegExp) => cells.filter((cell) => looks.test(cell)).length;
    return cells.length === 0 ? undefined : known.find((looks) => fitting(looks) >= cells.length * 0.8);
  });
}

/**
 * If `skip` is given, the header is the first record after that many lines. Otherwise, it is a record with all `named`
 * columns, or if there is none, the record that looks most like a header.
 * @throws UsageError `no-header`, `no-rows`, `duplicate-column`, `too-many-columns`
 */
export function findHeader(
  records: readonly TextRecord[],
  { skip, named = [] }: Pick<ReadingSettings, 'skip' | 'named'>,
): TableHeader {
  const filled = records.filter((record) => !isBlankRecord(record) && record.line > (skip ?? 0));
  if (filled.length === 0) throw new UsageError('no-rows', 'The table is empty.');
  const above = filled.slice(0, MAX_ABOVE);
  const known = above.findIndex(({ cells }) => {
    const names = new Set(cells.map(columnName));
    return named.length > 0 && named.every((name) => names.has(columnName(name)));
  });
  const place = skip !== undefined ? 0 : known >= 0 ? known : likeliest(filled);
  const { line } = filled[place]!;
  const names = namesOf(filled, place);
  checkNames(names, line);
  return { line, names, isGuess: skip === undefined && known < 0 && place > 0 };
}

/**
 * Returns the index of the first record with at least half as many filled cells as the fullest record. Prefers a later
 * record that has more filled cells and looks like a header. The search ends at a record that looks like a row.
 */
function likeliest(records: readonly TextRecord[]): number {
  const width = Math.max(...records.slice(0, MAX_JUDGED).map(({ cells }) => filledOf(cells).length));
  let best: number | undefined;
  for (const [place, { cells }] of records.slice(0, MAX_ABOVE).entries()) {
    const filled = filledOf(cells).length;
    if (filled * 2 < width) continue;
    const isKnown = cells.filter((cell) => columnMeaning(cell)?.certainty === 3).length >= KNOWN;
    const contrast = isKnown ? 'header' : contrastOf(cells, records.slice(place + 1, place + MAX_JUDGED));
    if (contrast === 'row') break;
    const isFuller = best !== undefined && filled > filledOf(records[best]!.cells).length;
    if (best === undefined || (isFuller && contrast === 'header')) best = place;
  }
  if (best !== undefined) return best;
  const message = `Line ${records[0]!.line} has values where the names of the columns should be. Put a line with names above it, and run the command again.`;
  throw new UsageError('no-header', message);
}

function contrastOf(cells: readonly string[], below: readonly TextRecord[]): 'row' | 'header' | undefined {
  const rows = below.map((record) => record.cells);
  const looks = patternByColumn(rows, cells.length);
  const judged = cells.flatMap((cell, column) => (cell && looks[column] ? [looks[column].test(cell)] : []));
  if (judged.length === 0) return undefined;
  return judged.filter(Boolean).length * 2 >= judged.length ? 'row' : 'header';
}

function filledOf(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell.trim() !== '');
}

/** Returns the names of the columns: for a blank cell, the name above it (merged cells), or one like "column 3". */
function namesOf(records: readonly TextRecord[], place: number): string[] {
  const { cells } = records[place]!;
  const used = records.slice(place + 1).map((record) => filledUpTo(record.cells));
  // Blank cells at the end of the header are columns only if a row has a value there.
  const longest = cells.length > filledUpTo(cells) ? Math.min(cells.length, Math.max(0, ...used)) : 0;
  const width = Math.max(filledUpTo(cells), longest);
  return Array.from({ length: width }, (_, column) => {
    const own = columnName(cells[column] ?? '');
    if (own !== '') return own;
    const upper = records
      .slice(0, place)
      .findLast((record) => filledOf(record.cells).length > 1 && record.cells[column]);
    return columnName(upper?.cells[column] ?? '') || `column ${column + 1}`;
  });
}

function filledUpTo(cells: readonly string[]): number {
  return cells.findLastIndex((cell) => cell.trim() !== '') + 1;
}

function checkNames(names: readonly string[], line: number): void {
  if (names.length > MAX_COLUMNS) {
    const message = `Line ${line} has ${countText(names.length, 'column')}; ${formatNumber(MAX_COLUMNS)} are the most.`;
    throw new UsageError('too-many-columns', message);
  }
  const twice = names.flatMap((name, place) => {
    const first = names.indexOf(name);
    return first === place ? [] : [`"${name}" (columns ${first + 1} and ${place + 1})`];
  });
  if (twice.length === 0) return;
  const message = `Line ${line} names ${countText(twice.length, 'column')} twice: ${twice.join(', ')}. Which one counts is not known: rename or remove one, and run the command again.`;
  throw new UsageError('duplicate-column', message);
}
