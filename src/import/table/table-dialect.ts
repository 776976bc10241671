import { type Dialect, readRecord, type TextRecord } from './delimited.ts';

const DELIMITERS = [',', ';', '\t', '|'];
const MAX_SAMPLE = 2_000;

type Sample = Dialect & {
  readonly records: readonly TextRecord[];
  /** Share of records with the most frequent number of cells. Faults lower it; wide records raise it a little. */
  readonly fit: number;
  readonly quoted: number;
  readonly needed: number;
  /** Number of cells with stray or unclosed quotes. */
  readonly faults: number;
};

/** Divides the text by each dialect in turn. Returns the dialect with the most regular records, and these records. */
export function findDialect(text: string, isWhole: boolean, delimiter = separatorLine(text)) {
  const [best] = (delimiter === undefined ? DELIMITERS : [delimiter])
    .map((one) => bestReading(text, isWhole, one))
    .sort((a, b) => b.fit - a.fit);
  return { dialect: best!, records: best!.records };
}

const SEPARATOR_LINE = /^[\s"']*sep=(\\t|[^\r\n])["']?[\s,;]*(?:[\r\n]|$)/i;

function separatorLine(text: string): string | undefined {
  const [, mark] = SEPARATOR_LINE.exec(text.slice(0, 100)) ?? [];
  return mark === '\\t' ? '\t' : mark;
}

export function isSeparatorLine({ cells }: TextRecord): boolean {
  return /^["']?sep=/i.test(cells[0] ?? '') && cells.slice(1).every((cell) => /^["']?$/.test(cell));
}

function bestReading(text: string, isWhole: boolean, delimiter: string): Sample {
  const read = (isQuoted: boolean, isEscaped: boolean) =>
    sampled(text, isWhole, { delimiter, isQuoted, isEscaped });
  const quoted = read(true, false);
  const plain = read(false, false);
  const isTab = delimiter === '\t';
  // In TSV, quotes are plain characters (IANA), unless the table evidently encloses cells in them.
  const preferred = isTab && !showsQuotes(quoted, plain) ? plain : quoted;
  if (preferred.records.some(({ cells }) => cells.includes('\\N'))) return read(preferred.isQuoted, true);
  const readings = [preferred];
  if (/\\["\\,;|\t\r\n]/.test(text)) readings.push(read(preferred.isQuoted, true));
  const best = readings.reduce((one, other) => (other.fit > one.fit ? other : one));
  const hasQuotesByBackslashOnly = /\\"/.test(text) && !/(?<!\\)"/.test(text);
  return hasQuotesByBackslashOnly && !best.isEscaped ? read(best.isQuoted, true) : best;
}

function showsQuotes({ records, needed, quoted, faults, fit }: Sample, plain: Sample): boolean {
  const texts = records.flatMap(({ cells }) => cells).filter((cell) => /[^\d.,\s-]/.test(cell));
  return needed > faults || quoted * 2 > texts.length || (fit > plain.fit && faults * plain.fit === 0);
}

function sampled(text: string, isWhole: boolean, dialect: Dialect): Sample {
  const records: TextRecord[] = [];
  const count = { quoted: 0, needed: 0, faults: 0 };
  let line = 1;
  for (let at = 0; at < text.length && records.length < MAX_SAMPLE; ) {
    const read = readRecord(text, at, dialect, isWhole);
    if (!read) break;
    count.quoted += read.quoted;
    count.needed += read.needed;
    count.faults += read.stray;
    if (read.unclosed !== undefined) {
      count.faults++;
      break;
    }
    records.push({ cells: read.cells, line, raw: read.breaks > 0 ? text.slice(at, read.end) : undefined });
    line += read.breaks + 1;
    at = read.end;
  }
  return { ...dialect, ...count, records, fit: fitOf(records, count.faults) };
}

function fitOf(records: readonly TextRecord[], faults: number): number {
  const filled = records.filter((record) => !isBlankRecord(record) && !isSeparatorLine(record));
  const widths = new Map<number, number>();
  for (const { cells } of filled) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  const [width, most] = [...widths].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? [0, 0];
  // A dialect in which an open quote swallows everything is better than one that finds only one column.
  if (width < 2) return filled.length === 0 ? faults / 1_000 : 0;
  const fit = Math.max(0, most - faults / 2) / filled.length + Math.min(width, 30) / 100;
  // Some programs leave out empty cells at the end of each row, so rows may have fewer cells than the header.
  const header = filled[0]!.cells.length;
  const shorter = filled.filter(({ cells }) => cells.length <= header && cells.length > header / 2).length;
  const fitOfShorter = 0.9 * (Math.max(0, shorter - faults / 2) / filled.length) + Math.min(header, 30) / 100;
  return header < 3 ? fit : Math.max(fit, fitOfShorter);
}

export function isBlankRecord({ cells }: Pick<TextRecord, 'cells'>): boolean {
  return cells.every((cell) => cell.trim() === '');
}
