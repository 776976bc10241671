import type { UsageError } from '../../errors/errors.ts';
import { formatNumber } from '../../text/amounts.ts';
import { type Dialect, readRecord, swallowedRows, type TextRecord, unclosedQuote } from './delimited.ts';
import { patternByColumn, type TableHeader, VALUE_CELL_PATTERNS } from './table-header.ts';

const MAX_LINES = 1_000;
const MAX_JUDGED = 2_000;
/** A line in a cell is surely a swallowed row if it fits at least this many columns of numbers, links or codes. */
const MIN_VALUE_COLUMNS = 2;
const ROW_LOOKS = [...VALUE_CELL_PATTERNS, /^\D+$/];
const BREAK = /\r\n?|\n/;

export function recordsByLine(text: string, dialect: Dialect): TextRecord[] {
  return text
    .split(BREAK, MAX_JUDGED)
    .map((line, place) => ({ cells: cellsOf(line, dialect), line: place + 1, raw: undefined }));
}

function cellsOf(line: string, dialect: Dialect): readonly string[] {
  const { cells, end, unclosed } = readRecord(line, 0, dialect, true)!;
  return unclosed === undefined ? cells : [...cells, ...line.slice(end).split(dialect.delimiter)];
}

/**
 * Returns a check of one record. It throws UsageError `swallowed-rows` if a cell seems to contain rows of the table, as
 * after an unclosed quote, or if the record has more than {@link MAX_LINES} lines. If a cell seems to contain other
 * cells of its row, the check returns the error instead of throwing it, since the row may simply lack a cell.
 */
export function createSwallowCheck(
  { names, line }: TableHeader,
  dialect: Dialect,
  records: readonly TextRecord[],
  sample: string,
): (record: TextRecord) => UsageError | undefined {
  const below = (all: readonly TextRecord[]) =>
    all.flatMap((one) => (one.line > line && isPlain(one) && one.cells.length > 1 ? [one.cells] : []));
  const rows = below(records);
  const byLine = recordsByLine(sample, dialect);
  const isNamed = records.some((one) => one.line === line && isPlain(one));
  const width = isNamed ? names.length : (byLine[line - 1]?.cells.length ?? names.length);
  const known = rows.length > 0 ? rows : below(byLine).filter(({ length }) => length === width);
  const lengths = known.map(({ length }) => length).sort((a, b) => a - b);
  const lengthAt = (share: number) => lengths[Math.floor(lengths.length * share)] ?? width;
  const [least, most] = [lengthAt(0.1), Math.max(lengthAt(0.9), width)];
  const looks = patternByColumn(known, most, ROW_LOOKS);
  const isValue = looks.map((one) => one !== undefined && VALUE_CELL_PATTERNS.includes(one));
  // In a sentence, spaces follow the commas. In a row, they seldom do.
  const gap = `${dialect.delimiter} `;
  const isUsual = (column: number) =>
    records.some(
      ({ cells, line: at }) =>
        at > line && cells.length === most && cells[column]!.includes(dialect.delimiter),
    );
  const hasGaps = sample.split(BREAK, line).at(-1)!.includes(gap);

  /** Returns 1 if a text looks like the columns from `start` on, 2 if it is surely a row, otherwise 0. */
  const likeness = (text: string, start: number, after: number): number => {
    const cells = text.split(dialect.delimiter);
    const length = start + cells.length + after;
    if (length < least || length > most) return 0;
    if (!hasGaps && (text.split(gap).length - 1) * 2 > cells.length - 1) return 0;
    const judged = cells.flatMap((cell, place) => {
      const [look, value] = [looks[start + place], cell.trim().replace(/^"|"$/g, '').trim()];
      return look && value !== '' ? [{ isAlike: look.test(value), isValue: isValue[start + place] }] : [];
    });
    const alike = judged.filter((one) => one.isAlike);
    if (alike.length * 4 < judged.length * 3) return 0;
    return start === 0 && alike.filter((one) => one.isValue).length >= MIN_VALUE_COLUMNS ? 2 : 1;
  };

  let open: number | undefined;
  return ({ cells, line: at, raw = '' }) => {
    const isShort = cells.length < most;
    const isOpen = /^""?[^"]+$/.test(cells.at(-1)!);
    if (isShort && isOpen) open = at;
    if (isShort && open !== undefined) throw unclosedQuote(open);
    open = isOpen ? at : undefined;
    let opening = at;
    let found: UsageError | undefined;
    for (const [column, cell] of cells.entries()) {
      if (!isShort && !BREAK.test(cell)) continue;
      const texts = cell.split(BREAK);
      const last = texts.length - 1;
      const likenesses = texts.flatMap((text, place) => {
        const [start, after] = [place === 0 ? column : 0, place === last ? cells.length - column - 1 : 0];
        const isName = at === line && place === 0;
        return isName || text.trim() === '' ? [] : [likeness(text, start, after)];
      });
      // If a cell has swallowed rows, the last line of the cell always looks like a row.
      const isLikeRows = likenesses.at(-1) && (likenesses.includes(2) || !likenesses.includes(0));
      if (isLikeRows && texts.slice(1).some((text) => text.trim() !== ''))
        throw swallowedRows(opening, `takes the rows up to line ${opening + last} into one cell`);
      const isWide = cells.length + cell.split(dialect.delimiter).length - 1 === most;
      if (isLikeRows && isShort && isWide && !isUsual(column))
        found ??= swallowedRows(opening, 'takes several cells into one');
      opening += last;
    }
    const count = raw.split(BREAK).length - 1;
    if (count > MAX_LINES) throw swallowedRows(at, `makes one cell of ${formatNumber(count)} lines`);
    return found;
  };
}

function isPlain({ cells, raw }: TextRecord): boolean {
  return raw === undefined && cells.some((cell) => cell.trim() !== '');
}
