/** `catalogue import`. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import pico from 'picocolors';
import { documentationUrl } from '../documentation.ts';
import type { Candidate, Finding } from '../import/candidate.ts';
import { findPresent, type ImportResult, importProperties, type Outcome } from '../import/import.ts';
import { readMapping } from '../import/mapping.ts';
import { mapRow } from '../import/row-property.ts';
import { formatOf, readRows } from '../import/rows.ts';
import { serviceProperties } from '../import/service.ts';
import { UsageError } from '../report/failure.ts';
import { prettyDiagnostic } from '../report/pretty.ts';
import { printable, printableJson } from '../report/printable.ts';
import { plural, printDiagnostics } from '../report/report.ts';
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

/** Candidates with findings that are printed; the counts are of all. */
const SHOWN = 100;

/** Imports and reports. Returns the exit code: 1 when something did not fit. */
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
      isKnown: (id) => !args.force && present.paths.has(id.toLowerCase()),
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
  if (args.format === 'json') sink.out(`${printableJson(result)}\n`);
  else report(result, isService ? new URL(source).host : source, args.content, sink);
  return result.refused > 0 ? 1 : 0;
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
  return (async function* () {
    for await (const placed of readRows(source, format, mapping)) {
      if (placed.row) yield { at: placed.at, raw: mapRow(placed.row, mapping), findings: [] };
      else yield { at: placed.at, raw: undefined, findings: [placed.finding] };
    }
  })();
}

function report(
  result: ImportResult,
  source: string,
  content: string,
  sink: ReturnType<typeof terminal>,
): void {
  const colors = pico.createColors(sink.color);
  const { outcomes, written, replaced, present, refused } = result;
  for (const outcome of outcomes.slice(0, SHOWN)) {
    for (const finding of outcome.findings) sink.err(`${lines(finding, outcome, source, colors)}\n\n`);
  }
  if (outcomes.length > SHOWN)
    sink.err(`... and ${outcomes.length - SHOWN} more; --format json lists them all.\n\n`);
  const parts = [`${plural(written, 'property')} written to ${printable(content)}`];
  if (replaced > 0) parts.push(`${replaced} replaced`);
  if (present > 0) parts.push(`${present} there already`);
  if (refused > 0) parts.push(`${refused} did not fit`);
  sink.err(`${refused > 0 ? colors.yellow('Imported') : colors.green('Imported')} ${parts.join(', ')}.\n`);
}

function lines(
  { code, severity, field, message, help }: Finding,
  { at }: Outcome,
  source: string,
  colors: ReturnType<typeof pico.createColors>,
): string {
  const file = `${source}, ${at}`;
  const said = field ? `${field}: ${message}` : message;
  return prettyDiagnostic({ code, severity, file, span: null, message: said, help }, '', colors);
}
