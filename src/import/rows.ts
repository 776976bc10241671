/** Reads rows of CSV, JSON or newline-delimited JSON. */
import { createReadStream, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { EnvironmentError, UsageError } from '../errors.ts';
import { isMapping } from '../mapping.ts';
import type { ImportFinding } from './candidate.ts';
import { checkColumns, type TableMapping } from './mapping.ts';
import type { SourceRow } from './row.ts';

/** Settings of a mapping that say how its source is read; what is absent is recognised. */
export type ReadingSettings = {
  readonly rows?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  /** Lines above the header. */
  readonly skip?: number | undefined;
  /** Name of a workbook's sheet. */
  readonly sheet?: string | undefined;
  /** Columns that the mapping names: the header is the line that has them. */
  readonly named?: readonly string[] | undefined;
};

type Placed = {
  /** Place for display, such as "line 17": the line where the row starts. */
  readonly at: string;
  readonly line: number;
};

export type Row = Placed & { readonly value: SourceRow };
export type UnreadableRow = Placed & { readonly value: undefined; readonly finding: ImportFinding };

/** A finding about a source as a whole: its encoding, its header, rows passed over. */
export type SourceNote = ImportFinding & { readonly line: number | undefined };

/** A table or a JSON source, which can be read more than once. */
export type RowSource = {
  /** For display: the path, or the address. */
  readonly name: string;
  /** Folder of a local file, for photos named by path. */
  readonly folder: string | undefined;
  /** Names in the header, in order; undefined for JSON. */
  readonly columns: readonly string[] | undefined;
  /**
   * Reads from the start.
   *
   * @throws UsageError when the source cannot be trusted. A first whole run throws all of these, so nothing may be
   *   written before it ended.
   */
  readonly rows: () => AsyncGenerator<Row | UnreadableRow>;
  /** Complete after a whole run of `rows()`; the same ones, once, however many runs there were. */
  readonly notes: () => readonly SourceNote[];
  /** Removes temporary files. */
  readonly close: () => void;
};

type PlacedRow = Row | UnreadableRow;

/** Format of a file, by its extension. */
type RowFormat = 'csv' | 'json' | 'ndjson';

/**
 * Opens a file, the address of one, or `-` for the standard input.
 *
 * @throws UsageError when it cannot be read as rows.
 */
export async function openRows(source: string, settings: ReadingSettings): Promise<RowSource> {
  const format = formatOf(source);
  if (!format || !statSync(source, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(
      'invalid-source',
      `${source} is neither a file .csv, .tsv, .json, .ndjson or .jsonl nor the address of a service.`,
    );
  }
  return {
    name: source,
    folder: dirname(resolve(source)),
    columns: undefined,
    rows: () => readRows(source, format, settings as TableMapping),
    notes: () => [],
    close: () => {},
  };
}

/** Largest row, and largest JSON document, in bytes. */
const MAX_ROW = 4_000_000;
const MAX_JSON = 500_000_000;

/** Derives the format from a file's extension; undefined for an unknown one. */
function formatOf(path: string): RowFormat | undefined {
  const [, extension] = /\.(csv|tsv|json|ndjson|jsonl)$/i.exec(path) ?? [];
  if (extension === undefined) return undefined;
  const formats = { csv: 'csv', tsv: 'csv', json: 'json', ndjson: 'ndjson', jsonl: 'ndjson' } as const;
  return formats[extension.toLowerCase() as keyof typeof formats];
}

/**
 * Yields the rows of a file.
 *
 * @throws UsageError when the file is not in its format, or lacks columns of the mapping.
 */
async function* readRows(path: string, format: RowFormat, mapping: TableMapping): AsyncGenerator<PlacedRow> {
  const text = decoded(path, mapping.encoding ?? 'utf-8');
  if (format === 'csv') yield* csvRows(text, path, mapping);
  else if (format === 'ndjson') yield* ndjsonRows(text);
  else yield* jsonRows(text, mapping.rows);
}

async function* decoded(path: string, encoding: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: true });
  } catch {
    throw new UsageError(
      'unknown-encoding',
      `"${encoding}" is no encoding. Use utf-8, windows-1252 or utf-16le.`,
    );
  }
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new UsageError(
      'wrong-encoding',
      `${path} is not in ${encoding}. Name its encoding in the mapping, such as "encoding: windows-1252".`,
    );
  }
}

async function* csvRows(
  text: AsyncIterable<string>,
  path: string,
  mapping: TableMapping,
): AsyncGenerator<PlacedRow> {
  const { parse } = await import('csv-parse');
  const skipped: PlacedRow[] = [];
  const chunks = text[Symbol.asyncIterator]();
  const { value: first = '' } = await chunks.next();
  const delimiter = mapping.delimiter ?? (/\.tsv$/i.test(path) ? '\t' : delimiterOf(first));
  const parser = parse({
    bom: true,
    delimiter,
    columns: (header: string[]) => {
      const names = header.map((name) => name.trim());
      checkColumns(mapping, names);
      return names;
    },
    info: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_ROW,
    on_skip: (error) => {
      const line = (error as unknown as { lines?: number }).lines ?? 0;
      const finding = malformed(`The row cannot be read: ${error?.message ?? 'its form is wrong'}.`);
      skipped.push({ at: `line ${line}`, line: 0, value: undefined, finding });
      return undefined;
    },
  });
  // A quoted cell may contain line breaks, so a row is identified by its last line.
  const input = Readable.from(preceded(first, chunks)).on('error', (error) => parser.destroy(error));
  for await (const { record, info } of input.pipe(parser) as AsyncIterable<CsvRecord>) {
    yield* skipped.splice(0);
    yield { at: `line ${info.lines}`, line: info.lines, value: record };
  }
  yield* skipped;
}

async function* preceded(first: string, rest: AsyncIterator<string>): AsyncGenerator<string> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

/** The commonest delimiter in the first line. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split(/\r?\n/, 1);
  const count = (delimiter: string) => line.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

type CsvRecord = { readonly record: SourceRow; readonly info: { readonly lines: number } };

async function* ndjsonRows(text: AsyncIterable<string>): AsyncGenerator<PlacedRow> {
  let rest = '';
  let number = 0;
  const row = (line: string): PlacedRow[] => {
    number++;
    return line.trim() === '' ? [] : [parsed(`line ${number}`, line)];
  };
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_ROW)
      throw new UsageError('row-too-long', `A line has more than ${MAX_ROW} characters.`);
    for (const line of lines) yield* row(line);
  }
  yield* row(rest);
}

function parsed(at: string, text: string): PlacedRow {
  try {
    return placed(at, JSON.parse(text.replace(/^\ufeff/, '')));
  } catch (error) {
    return {
      at,
      line: 0,
      value: undefined,
      finding: malformed(`This is not JSON: ${(error as Error).message}.`),
    };
  }
}

function placed(at: string, value: unknown): PlacedRow {
  if (isMapping(value)) return { at, line: 0, value };
  return { at, line: 0, value: undefined, finding: malformed('This is not a JSON object.') };
}

async function* jsonRows(text: AsyncIterable<string>, rows: string | undefined): AsyncGenerator<PlacedRow> {
  const parts: string[] = [];
  let length = 0;
  for await (const part of text) {
    length += part.length;
    if (length > MAX_JSON) {
      throw new EnvironmentError(
        'source-too-large',
        'The file is too large to be read at once. Make it NDJSON.',
      );
    }
    parts.push(part);
  }
  let value: unknown;
  try {
    value = JSON.parse(parts.join('').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError('not-json', `The file is not JSON: ${(error as Error).message}.`);
  }
  for (const name of rows?.split('.') ?? []) value = (Object(value) as Record<string, unknown>)[name];
  if (!Array.isArray(value)) {
    const where = rows === undefined ? 'at its top' : `at "${rows}"`;
    throw new UsageError(
      'no-rows',
      `The file has no list ${where}. Name its place in the mapping with "rows".`,
    );
  }
  for (const [index, entry] of value.entries()) yield placed(`entry ${index + 1}`, entry);
}

function malformed(message: string): ImportFinding {
  return { code: 'malformed-row', severity: 'error', field: '', message, help: '' };
}
