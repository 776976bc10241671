/** `catalogue import`. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { documentationUrl } from '../documentation.ts';
import { vocabularyOf } from '../editing/repair-content.ts';
import { UsageError } from '../errors.ts';
import type { Candidate } from '../import/candidate.ts';
import { importProperties } from '../import/import.ts';
import { readMapping } from '../import/mapping.ts';
import { findPresent } from '../import/present.ts';
import { mapRow } from '../import/row-property.ts';
import { formatOf, readRows } from '../import/rows.ts';
import { serviceProperties } from '../import/service.ts';
import { reportImport } from '../report/import.ts';
import { printDiagnostics } from '../report/report.ts';
import { apiKeyOf } from './api-key.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type ImportArguments = {
  content: string;
  mapping?: string;
  force: boolean;
  photos: boolean;
  concurrency: number;
  format: 'pretty' | 'json';
};

/** Imports and reports. Returns the exit code: 1 when something did not fit, or a file is in conflict. */
export async function runImport(source: string, args: ImportArguments): Promise<number> {
  const sink = terminal();
  const isService = /^https?:\/\//i.test(source);
  const mapped = isService ? undefined : rowsOf(source, args, sink);
  if (mapped === null) return 1;
  const present = findPresent(args.content);
  let done = 0;
  let total = 0;
  const live = sink.live && args.format === 'pretty';
  const progress = () => {
    if (live) sink.err(`\r${done} of ${total || '?'} `);
  };
  const candidates =
    mapped ??
    serviceProperties({
      url: source,
      apiKey: apiKeyOf(),
      concurrency: args.concurrency,
      onProgress: (_listed, all) => {
        total = all;
      },
    });
  const result = await importProperties(candidates, present, {
    content: args.content,
    force: args.force,
    photos: args.photos,
    ...(isService ? { trusted: new URL(source).origin } : { from: dirname(resolve(source)) }),
    onDone: () => {
      done++;
      if (done % 25 === 0) progress();
    },
  });
  if (live) sink.err('\r');
  const name = isService ? new URL(source).host : source;
  reportImport(result, args.format, { source: name, content: args.content }, sink);
  return result.refused + result.conflict > 0 ? 1 : 0;
}

/** The rows of a file as candidates; null when the mapping has errors, which are printed. */
function rowsOf(
  source: string,
  args: ImportArguments,
  sink: ReturnType<typeof terminal>,
): AsyncGenerator<Candidate> | null {
  const format = formatOf(source);
  if (!format || !statSync(source, { throwIfNoEntry: false })?.isFile()) {
    throw new UsageError(
      'invalid-source',
      `${source} is no file .csv, .tsv, .json, .ndjson or .jsonl, and no address of a service.`,
    );
  }
  if (args.mapping === undefined) {
    throw new UsageError(
      'no-mapping',
      `Say which column is which field: --mapping <file>. See ${documentationUrl('importing', 'from-a-table')}.`,
    );
  }
  const read = readMapping(readFileSync(args.mapping, 'utf8'), args.mapping);
  if (!read.mapping) {
    printDiagnostics(read.diagnostics, 'pretty', '', sink);
    return null;
  }
  const { mapping } = read;
  const vocabulary = vocabularyOf(resolve(args.content));
  return (async function* () {
    for await (const placed of readRows(source, format, mapping)) {
      if (placed.row) yield { at: placed.at, raw: mapRow(placed.row, mapping, vocabulary), findings: [] };
      else yield { at: placed.at, raw: undefined, findings: [placed.finding] };
    }
  })();
}
