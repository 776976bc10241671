import { dirname, resolve } from 'node:path';
import { UsageError } from '../../errors/errors.ts';
import type { RepairCount } from '../finding.ts';
import { warningFinding } from '../finding.ts';
import { looksLikeJson, openJson } from './json-rows.ts';
import type { AddNote, ReadingSettings, Rows, SourceNote } from './row.ts';
import { openBytes, REFUSED_KINDS, type SourceBytes } from './source-bytes.ts';
import { openDelimited, type Table } from './table.ts';
import { decodeChunks, type Encoding, findEncoding } from './text-encoding.ts';
import { openWorkbook } from './workbook.ts';

/** A source whose rows can be read more than once. */
export type RowSource = {
  readonly name: string;
  readonly folder: string | undefined;
  /** Names in the order of the header; undefined for JSON. */
  readonly columns: readonly string[] | undefined;
  /** @throws UsageError for an unreliable source, at the latest when the first run ends; write nothing before that */
  readonly rows: Rows;
  readonly sheets?: readonly string[];
  /** Returns all notes only after a full run of `rows()`. Further runs add none. */
  readonly notes: () => readonly SourceNote[];
  readonly repairs: readonly RepairCount[];
  readonly close: () => void;
};

export async function openRows(source: string, settings: ReadingSettings): Promise<RowSource> {
  const bytes = await openBytes(source);
  const notes = new Map<string, SourceNote>();
  const note: AddNote = (code, message, help, line) =>
    void notes.set(`${code} ${line}`, { ...warningFinding(code, message, help), ...(line && { line }) });
  try {
    const table = await openTable(bytes, settings, note);
    return {
      name: source === '-' ? bytes.name : source,
      folder: /^https?:|^-$/i.test(source) ? undefined : dirname(resolve(source)),
      notes: () => [...notes.values()],
      ...{ repairs: [], ...table },
      close: () => {
        table.close?.();
        bytes.close();
      },
    };
  } catch (error) {
    bytes.close();
    throw error;
  }
}

async function openTable(
  bytes: SourceBytes,
  settings: ReadingSettings,
  note: AddNote,
): Promise<Omit<Table, 'columns'> & Pick<RowSource, 'columns'> & Partial<Pick<RowSource, 'repairs'>>> {
  const { kind, name } = bytes;
  const refused = (reason: string) => new UsageError('invalid-source', `${name} ${reason}`);
  if (kind === 'xlsx' || kind === 'ods') return openWorkbook(bytes, settings, note);
  if (kind !== 'text') throw refused(REFUSED_KINDS[kind as keyof typeof REFUSED_KINDS]);
  const encoding = await findEncoding(bytes, settings.encoding);
  const start = await startOf(bytes, encoding);
  if (start === '') throw new UsageError('no-rows', `${name} is empty: export it again.`);
  if (/[\0-\x08]/.test(start)) throw refused('is not a table: it is not a text.');
  const message = `The table is not in UTF-8; it is read as ${encoding.name}.`;
  if (encoding.isGuess) note('encoding-guessed', message, ENCODING);
  const repairs = conversionsOf(encoding);
  if (looksLikeJson(start))
    return { columns: undefined, rows: await openJson(bytes, encoding, settings, note), repairs };
  return { ...(await openDelimited(bytes, encoding, settings, note)), repairs };
}

const ENCODING =
  'If letters with accents are wrong, name the encoding in the mapping, such as "encoding: windows-1250" or "encoding: iso-8859-2".';

function conversionsOf({ name, isMarked }: Encoding): RepairCount[] {
  const from = isMarked ? `${name} with a byte order mark` : name;
  const examples = [{ at: '', from, to: 'utf-8', count: 1 }];
  return from === 'utf-8' ? [] : [{ field: 'encoding', count: 1, examples }];
}

async function startOf(bytes: SourceBytes, { name }: Encoding): Promise<string> {
  for await (const chunk of decodeChunks(bytes, name)) if (chunk.trim() !== '') return chunk.slice(0, 4_096);
  return '';
}
