/**
 * Parses delimited text (RFC 4180, IANA's TSV, database dumps) and counts lines as editors do. No CSV library is used,
 * since none reports which quotes it read as plain characters. Such quotes help to find the dialect. They also help to
 * find rows that have become part of a cell after an unclosed quote.
 */
import { UsageError } from '../../errors/errors.ts';
import { formatNumber } from '../../text/amounts.ts';
import { withoutBackslashEscapes } from './list-value.ts';

export type Dialect = {
  readonly delimiter: string;
  /** Whether quotes enclose cells; otherwise a quote is a plain character. */
  readonly isQuoted: boolean;
  readonly isEscaped: boolean;
};

export type TextRecord = {
  readonly cells: readonly string[];
  readonly line: number;
  /** Source text of the record; undefined for a record on one line. */
  readonly raw: string | undefined;
  readonly isStray?: boolean;
  /** Whether the text ends here without a line end. */
  readonly isUnterminated?: boolean;
};

/** In UTF-16 units. */
export const MAX_RECORD_LENGTH = 4_000_000;

type Read = {
  readonly cells: string[];
  /** Offset after the line end. */
  readonly end: number;
  readonly breaks: number;
  /**
   * Number of cells in quotes. `needed`: how many of these have a quote, comma or semicolon within. `stray`: number of
   * cells whose quotes are plain characters.
   */
  readonly quoted: number;
  readonly needed: number;
  readonly stray: number;
  /** Number of the record's line breaks before a quote that is never closed; undefined if every quote is closed. */
  readonly unclosed: number | undefined;
};

const NEEDS_QUOTES = /[",;]/;
const SPACE = 0x20;
const TAB = 0x09;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LF = 0x0a;
const CR = 0x0d;

/** Returns undefined if the record may go on after `text`. With `isEnd`, nothing comes after `text`. */
export function readRecord(text: string, start: number, dialect: Dialect, isEnd: boolean): Read | undefined {
  const cells: string[] = [];
  const count = { breaks: 0, quoted: 0, needed: 0, stray: 0 };
  const delimiter = dialect.delimiter.charCodeAt(0);
  for (let at = start; ; at++) {
    const cell = dialect.isQuoted ? quotedCell(text, at, dialect, isEnd) : undefined;
    if (cell === 'more') return undefined;
    if (cell === 'unclosed') return { cells, end: at, ...count, unclosed: count.breaks };
    if (cell && cell !== 'stray') {
      cells.push(cell.value);
      count.quoted++;
      const breaks = lineBreaks(text, at, cell.end);
      count.breaks += breaks;
      if (breaks === 0 && NEEDS_QUOTES.test(cell.value)) count.needed++;
      at = cell.end;
    } else {
      const end = bareEnd(text, at, delimiter, dialect.isEscaped);
      if (cell) count.stray++;
      if (dialect.isEscaped) count.breaks += lineBreaks(text, at, end);
      const bare = text.slice(at, end).trim();
      cells.push(dialect.isEscaped && bare.includes('\\') ? withoutBackslashEscapes(bare) : bare);
      at = end;
    }
    const code = text.charCodeAt(at);
    if (code === delimiter) continue;
    if (!isEnd && (at >= text.length || (code === CR && at + 1 === text.length))) return undefined;
    const end = Math.min(at + (code === CR && text.charCodeAt(at + 1) === LF ? 2 : 1), text.length);
    return { cells, end, ...count, unclosed: undefined };
  }
}

function quotedCell(text: string, start: number, { delimiter, isEscaped }: Dialect, isEnd: boolean) {
  const mark = delimiter.charCodeAt(0);
  const open = blanksEnd(text, start, mark);
  if (open === text.length && !isEnd) return 'more';
  if (text.charCodeAt(open) !== QUOTE) return undefined;
  const close = closingQuote(text, open + 1, isEscaped);
  const end = close < 0 ? text.length : blanksEnd(text, close + 1, mark);
  if ((end === text.length || lineEnd(text, end) === text.length) && !isEnd) return 'more';
  if (close < 0) return 'unclosed';
  const content = text.slice(open + 1, close);
  const isClosed = end === text.length || text[end] === delimiter || /[\r\n]/.test(text[end]!);
  if (!isClosed) {
    const rest = text.slice(end, lineEnd(text, end));
    // If text follows the closing quote, the quotes are plain characters, as in "Elm" House. But a cell that starts
    // like ""Elm House may go on in the lines below.
    return /[\r\n]/.test(content) || (content === '' && !rest.includes('"')) ? 'unclosed' : 'stray';
  }
  const value = content.includes('""') ? content.replaceAll('""', '"') : content;
  return { value: isEscaped && value.includes('\\') ? withoutBackslashEscapes(value) : value, end };
}

function closingQuote(text: string, from: number, isEscaped: boolean): number {
  if (!isEscaped) {
    let at = text.indexOf('"', from);
    while (at >= 0 && text.charCodeAt(at + 1) === QUOTE) at = text.indexOf('"', at + 2);
    return at;
  }
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (code === QUOTE) {
      if (text.charCodeAt(at + 1) !== QUOTE) return at;
      at++;
    }
  }
  return -1;
}

function lineEnd(text: string, from: number): number {
  return bareEnd(text, from, LF, false);
}

function bareEnd(text: string, from: number, delimiter: number, isEscaped: boolean): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === LF || code === CR) return at;
    if (code === BACKSLASH && isEscaped) at++;
  }
  return text.length;
}

function blanksEnd(text: string, from: number, delimiter: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || (code !== SPACE && code !== TAB)) return at;
  }
}

function lineBreaks(text: string, from: number, to: number): number {
  let breaks = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === LF || (code === CR && text.charCodeAt(at + 1) !== LF)) breaks++;
  }
  return breaks;
}

/** @throws UsageError `swallowed-rows` for a quote that is never closed; `row-too-long` */
export async function* readRecords(
  chunks: AsyncIterable<string>,
  dialect: Dialect,
): AsyncGenerator<TextRecord> {
  let rest = '';
  let short = 0;
  let line = 1;
  const iterator = chunks[Symbol.asyncIterator]();
  for (let isEnd = false; !isEnd; ) {
    const next = await iterator.next();
    isEnd = next.done === true;
    const text = next.done ? rest : rest + next.value;
    // An incomplete record is parsed again only once the buffer has doubled. This keeps the total time linear.
    if (!isEnd && text.length < Math.min(2 * short, MAX_RECORD_LENGTH)) {
      rest = text;
      continue;
    }
    let at = 0;
    while (at < text.length) {
      const read = readRecord(text, at, dialect, isEnd);
      if (!read) break;
      if (read.unclosed !== undefined) {
        const isOnLastLine = isEnd && !/[\r\n]/.test(text.slice(read.end));
        throw (isOnLastLine ? brokenOffInQuotes : unclosedQuote)(line + read.unclosed);
      }
      const raw = read.breaks > 0 ? text.slice(at, read.end) : undefined;
      const isUnterminated = isEnd && read.end === text.length && !/[\r\n]/.test(text.at(-1)!);
      yield { cells: read.cells, line, raw, isStray: read.stray > 0, isUnterminated };
      line += read.breaks + 1;
      at = read.end;
    }
    rest = text.slice(at);
    short = at === 0 ? rest.length : 0;
    if (rest.length <= MAX_RECORD_LENGTH) continue;
    const { unclosed } = readRecord(rest, 0, dialect, true) ?? {};
    throw unclosed === undefined ? rowTooLong(line) : unclosedQuote(line + unclosed);
  }
}

export function rowTooLong(line: number): UsageError {
  const message = `The row at line ${line} has more than ${formatNumber(MAX_RECORD_LENGTH)} characters.`;
  return new UsageError('row-too-long', message);
}

export function unclosedQuote(line: number): UsageError {
  return swallowedRows(line, 'takes the rows after it into one cell, since no quote closes it');
}

function brokenOffInQuotes(line: number): UsageError {
  return swallowedRows(line, 'is not closed: the file seems to break off there');
}

/** `does` ends the sentence that starts with "A quote that opens on line 7", such as "makes one cell of 12 lines". */
export function swallowedRows(line: number, does: string): UsageError {
  const message = `A quote that opens on line ${line} ${does}. Nothing is imported. Remove the quote, or close it, and run the command again.`;
  return new UsageError('swallowed-rows', message);
}
