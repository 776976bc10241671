/** Imports from a service or a file. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { documentationUrl } from '../documentation.ts';
import { vocabularyOf } from '../editing/repair-content.ts';
import { UsageError } from '../errors.ts';
import type { Diagnostic } from '../source/diagnostic.ts';
import type { Candidate } from './candidate.ts';
import { type ImportOptions, type ImportResult, importProperties } from './import.ts';
import { readMapping, type TableMapping } from './mapping.ts';
import { findPresent } from './present.ts';
import { mapRow } from './row-property.ts';
import { openRows, type RowSource } from './rows.ts';
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
  const { mapping, diagnostics } = mappingAt(options.mapping);
  if (!mapping) return { name: source, diagnostics };
  const table = await openRows(source, mapping);
  try {
    const candidates = candidatesOf(table, mapping, content);
    const result = await importProperties(candidates, findPresent(content), {
      ...common,
      from: table.folder,
    });
    return { name: source, diagnostics: [], result };
  } finally {
    table.close();
  }
}

function mappingAt(path: string | undefined) {
  if (path === undefined) {
    throw new UsageError(
      'no-mapping',
      `Say which column is which field: --mapping <file>. See ${documentationUrl('importing', 'from-a-table')}.`,
    );
  }
  return { diagnostics: [], ...readMapping(readFileSync(path, 'utf8'), path) };
}

async function* candidatesOf(
  table: RowSource,
  mapping: TableMapping,
  content: string,
): AsyncGenerator<Candidate> {
  const vocabulary = vocabularyOf(resolve(content));
  for await (const { at, ...row } of table.rows()) {
    if (row.value) yield { at, raw: mapRow(row.value, mapping, vocabulary), findings: [] };
    else yield { at, raw: undefined, findings: [row.finding] };
  }
}
