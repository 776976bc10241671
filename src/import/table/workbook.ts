import { closeSync, fstatSync } from 'node:fs';
import { UsageError } from '../../errors/errors.ts';
import { runInLimitedThread, type ThreadLimits } from '../../process/limited-thread.ts';
import { bytesText, countText } from '../../text/amounts.ts';
import type { TextRecord } from './delimited.ts';
import type { AddNote, ReadingSettings } from './row.ts';
import { openTemporary, readStoredValues, type SourceBytes } from './source-bytes.ts';
import { openTable, type Table } from './table.ts';
import { findHeader } from './table-header.ts';
import { convertWorkbook, type WorkbookRequest, type WorkbookSummary } from './workbook-rows.ts';
import { readDirectory } from './zip.ts';

const MAX_PACKED = 50_000_000;
const MAX_UNPACKED = 250_000_000;
const MAX_RATIO = 200;
/** Up to this many unpacked bytes, any compression ratio is accepted. */
const HARMLESS = 5_000_000;
const LIMITS: ThreadLimits = { time: 300_000, memory: 256 };
const SAMPLE = 2_000;

// Workers cannot load TypeScript. When run from source, this thread reads the workbook.
const WORKER = import.meta.url.endsWith('.ts') ? undefined : new URL('./import-worker.js', import.meta.url);

export async function openWorkbook(
  source: SourceBytes,
  settings: ReadingSettings,
  note: AddNote,
): Promise<Table> {
  checkSize(source);
  const out = openTemporary();
  try {
    const request = { name: source.name, fd: source.fd, out, sheet: settings.sheet };
    const summary = WORKER ? await converted(WORKER, request) : await convertWorkbook(request);
    addNotes(summary, note);
    const records = () => sheetRecords(out);
    const sample: TextRecord[] = [];
    for await (const record of records()) if (sample.push(record) === SAMPLE) break;
    return {
      ...openTable(findHeader(sample, settings), records, 'row', note),
      sheets: [summary.sheet, ...summary.others],
      close: () => closeSync(out),
    };
  } catch (error) {
    closeSync(out);
    throw error;
  }
}

function checkSize({ name, fd }: SourceBytes): void {
  const packed = fstatSync(fd).size;
  const size = readDirectory(fd, name).reduce((sum, entry) => sum + entry.size, 0);
  if (packed <= MAX_PACKED && size <= MAX_UNPACKED && (size <= HARMLESS || size <= packed * MAX_RATIO))
    return;
  const message = `${name} has ${bytesText(packed)}, and ${bytesText(size)} unpacked; ${bytesText(MAX_PACKED)} and ${bytesText(MAX_UNPACKED)} are the most, and ${MAX_RATIO} times as much unpacked. Save the sheet as CSV.`;
  throw new UsageError('source-too-large', message);
}

function converted(url: URL, request: WorkbookRequest): Promise<WorkbookSummary> {
  const refused = (limit: string) =>
    new UsageError('source-too-large', `${request.name} takes too much ${limit}. Save the sheet as CSV.`);
  return runInLimitedThread(url, request, LIMITS, refused);
}

function addNotes(
  { sheet, others, hiddenRows, unsolved, open: columns }: WorkbookSummary,
  note: AddNote,
): void {
  const not = `${countText(others.length, 'other sheet')} not: ${others.slice(0, 5).join(', ')}`;
  const another = `For another one, name it in the mapping, such as "sheet: ${others[0]}".`;
  const hidden = `${countText(hiddenRows, 'hidden row')} read like others.`;
  const open = `${countText(unsolved, 'formula')} without a result (in ${columns.slice(0, 10).join(', ')}), taken as empty.`;
  const save = 'Open the workbook in a spreadsheet program, and save it.';
  const remove = 'Delete them from the sheet if they are not to be imported.';
  if (others.length > 0) note('other-sheets', `The sheet "${sheet}" is read; ${not}.`, another);
  if (hiddenRows > 0) note('hidden-rows', hidden, remove);
  if (unsolved > 0) note('formula-without-result', open, save);
}

async function* sheetRecords(fd: number): AsyncGenerator<TextRecord> {
  for (const [line, ...cells] of readStoredValues<[number, ...string[]]>(fd))
    yield { cells, line, raw: undefined };
}
