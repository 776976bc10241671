/** Imports from a service or a file. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { documentationUrl } from '../documentation.ts';
import { termsOf } from '../editing/repair-content.ts';
import { UsageError } from '../errors.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Candidate } from './candidate.ts';
import { type ImportOptions, type ImportResult, importProperties } from './import.ts';
import { readMapping, type TableMapping } from './mapping.ts';
import { findPresent } from './present.ts';
import { mapRow } from './row-property.ts';
import { formatOf, readRows } from './rows.ts';
import { serviceProperties } from './service.ts';

export type SourceOptions = Pick<ImportOptions, 'content' | 'force' | 'photos'> & {
  /** Path of the mapping file for a table. */
  readonly mapping?: string;
  /** Requests in flight to a service. @default they adapt to it */
  readonly concurrency?: number | undefined;
  readonly apiKey?: string | undefined;
  /** Called with the number of processed candidates, and the total where it is known. */
  readonly listener?: (done: number, total: number | undefined) => void;
};

export type SourceResult = {
  /** Name of the source, for display. */
  readonly name: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined when the mapping has errors. */
  readonly result?: ImportResult;
};

/**
 * Imports all properties of a source.
 *
 * @param source address of a service, or path of a file.
 * @throws UsageError when it is neither; errors of the source; the error of the file system.
 */
export async function importSource(source: string, options: SourceOptions): Promise<SourceResult> {
  const { content, force, photos, apiKey, concurrency, listener } = options;
  let done = 0;
  let total: number | undefined;
  const common = { content, force, photos, onDone: () => listener?.(++done, total) };
  if (/^https?:\/\//i.test(source)) {
    const { origin, host } = new URL(source);
    const onProgress = (_listed: number, all: number) => {
      total = all;
    };
    const candidates = serviceProperties({ url: source, apiKey, concurrency, onProgress });
    const result = await importProperties(candidates, findPresent(content), { ...common, trusted: origin });
    return { name: host, diagnostics: [], result };
  }
  const { format, read } = readTable(source, options.mapping);
  if (!read.mapping) return { name: source, diagnostics: read.diagnostics };
  const rows = rowsOf(source, format, read.mapping, content);
  const from = dirname(resolve(source));
  const result = await importProperties(rows, findPresent(content), { ...common, from });
  return { name: source, diagnostics: [], result };
}

function readTable(source: string, mapping: string | undefined) {
  const format = formatOf(source);
  if (!format || !statSync(source, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(
      'invalid-source',
      `${source} is neither a file .csv, .tsv, .json, .ndjson or .jsonl nor the address of a service.`,
    );
  }
  if (mapping === undefined) {
    throw new UsageError(
      'no-mapping',
      `Say which column is which field: --mapping <file>. See ${documentationUrl('importing', 'from-a-table')}.`,
    );
  }
  return { format, read: readMapping(readFileSync(mapping, 'utf8'), mapping) };
}

async function* rowsOf(
  source: string,
  format: NonNullable<ReturnType<typeof formatOf>>,
  mapping: TableMapping,
  content: string,
): AsyncGenerator<Candidate> {
  const { vocabulary } = termsOf(resolve(content));
  for await (const placed of readRows(source, format, mapping)) {
    if (placed.row) yield { at: placed.at, raw: mapRow(placed.row, mapping, vocabulary), findings: [] };
    else yield { at: placed.at, raw: undefined, findings: [placed.finding] };
  }
}
