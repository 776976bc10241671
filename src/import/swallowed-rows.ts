import { formatNumber } from '../text/words.ts';
import { type Dialect, readRecord, swallowedRows, type TextRecord } from './delimited.ts';
import { looksByColumn, VALUE_LOOKS } from './table-header.ts';

const MAX_LINES = 1_000;
const MAX_JUDGED = 2_000;
const ROW_LOOKS = [...VALUE_LOOKS, /^\S{1,40}$/];

/** Whether cells look like the columns from `from` to `to`; undefined if it is uncertain. */
type RowTest = (cells: readonly string[], from: number, to: number) => boolean | undefined;

export function recordsByLine(text: string, dialect: Dialect): TextRecord[] {
  return text
    .split(/\r\n?|\n/, MAX_JUDGED)
    .map((line, place) => ({ cells: cellsOf(line, dialect), line: place + 1, raw: undefined }));
}

function cellsOf(line: string, dialect: Dialect): readonly string[] {
  const { cells, end, unclosed } = readRecord(line, 0, dialect, true)!;
  return unclosed === undefined ? cells : [...cells, ...line.slice(end).split(dialect.delimiter)];
}

/**
 * Returns a check of one record. It throws UsageError `swallowed-rows` if lines inside a cell look like rows of the table,
 * as after an unclosed quote, or if the record has more than {@link MAX_LINES} lines.
 */
export function createSwallowCheck(
  width: number,
  dialect: Dialect,
  rows: readonly TextRecord[],
  lines: readonly TextRecord[],
): (record: TextRecord) => void {
  const whole = (records: readonly TextRecord[]) =>
    records.filter(({ cells, raw }) => raw === undefined && cells.length === width).map(({ cells }) => cells);
  const known = [whole(rows), whole(lines)].find((cells) => cells.length > 0) ?? [];
  const judged = looksByColumn(known, width, ROW_LOOKS).flatMap((looks, column) =>
    looks ? [{ looks, column }] : [],
  );
  // With commas, two columns prove nothing, since plain texts contain commas.
  const isTelling = width > 2 || (width === 2 && dialect.delimiter !== ',');
  const test = createRowTest(width, judged);
  return (record) => {
    const texts = (record.raw ?? '').replace(/(?:\r\n?|\n)$/, '').split(/\r\n?|\n/);
    if (isTelling) {
      const verdicts = judgedLines(record, texts, dialect, test).filter((verdict) => verdict !== undefined);
      const alike = verdicts.filter(Boolean).length;
      const isSure =
        judged.length > 0 ? alike * 2 >= verdicts.length : alike === verdicts.length && alike + width > 6;
      const last = record.line + texts.length - 1;
      if (alike > 0 && isSure)
        throw swallowedRows(
          openingLine(record, texts, dialect),
          `takes the rows up to line ${last} into one cell`,
        );
    }
    if (texts.length > MAX_LINES)
      throw swallowedRows(record.line, `makes one cell of ${formatNumber(texts.length)} lines`);
  };
}

function createRowTest(
  width: number,
  judged: readonly { readonly looks: RegExp; readonly column: number }[],
): RowTest {
  const least = judged.length > 0 ? judged.at(-1)!.column + 1 : width;
  return (cells, from, to) => {
    if (cells.length > width || cells.length < Math.max(2, least)) return false;
    if (judged.length === 0) return true;
    const filled = judged.filter(
      ({ column }) => column >= from && column < to && (cells[column] ?? '').trim() !== '',
    );
    return filled.length === 0
      ? undefined
      : filled.every(({ looks, column }) => looks.test(cells[column]!.trim()));
  };
}

function judgedLines({ cells }: TextRecord, texts: readonly string[], dialect: Dialect, test: RowTest) {
  const hasLines = (cell: string) => /[\r\n]/.test(cell);
  const [first, last] = [cells.findIndex(hasLines), cells.findLastIndex(hasLines)];
  return texts.map((text, place) => {
    if (text.trim() === '') return undefined;
    const own = cellsOf(text, dialect);
    const isLast = place > 0 && place === texts.length - 1;
    const to = isLast ? own.length - cells.length + last : Number.POSITIVE_INFINITY;
    return test(own, place === 0 ? first + 1 : 0, to);
  });
}

function openingLine({ line }: TextRecord, texts: readonly string[], dialect: Dialect): number {
  const place = texts.findIndex((text) => readRecord(text, 0, dialect, true)?.unclosed !== undefined);
  return line + Math.max(place, 0);
}
