/** Prints the outcome of an import. */
import type { ImportFinding } from '../import/candidate.ts';
import type { ImportResult } from '../import/import.ts';
import { printable } from '../printable.ts';
import { plural } from '../words.ts';
import { colorsOf } from './colors.ts';
import { createLiveLine } from './live-line.ts';
import { prettyDiagnostic } from './pretty.ts';
import { printJson, type Sink } from './sink.ts';

/** Largest number of printed candidates with findings; the counts include all. */
const SHOWN = 100;

/** Shows the number of processed candidates. */
export function createImportProgress(write: (text: string) => void, isLive: boolean) {
  const line = createLiveLine(write, isLive);
  const listener = (done: number, total: number | undefined) => line.count(`${done} of ${total ?? '?'} `);
  return { listener, end: line.clear };
}

/** Prints the outcome. `source`: name of the source, for places in it. */
export function reportImport(
  result: ImportResult,
  format: 'pretty' | 'json',
  { source, content }: { source: string; content: string },
  sink: Sink,
): void {
  if (format === 'json') {
    printJson(result, sink);
    return;
  }
  const colors = colorsOf(sink.color);
  const { outcomes, written, replaced, present, conflict, refused } = result;
  for (const { at, findings } of outcomes.slice(0, SHOWN)) {
    const file = `${source}, ${at}`;
    for (const finding of findings) {
      sink.err(
        `${prettyDiagnostic({ ...finding, file, span: null, message: said(finding) }, '', colors)}\n\n`,
      );
    }
  }
  if (outcomes.length > SHOWN)
    sink.err(`... and ${outcomes.length - SHOWN} more; --format json lists them all.\n\n`);
  const parts = [`${plural(written, 'property')} written to ${printable(content)}`];
  if (replaced > 0) parts.push(`${replaced} replaced`);
  if (present > 0) parts.push(`${present} there already`);
  if (conflict > 0) parts.push(`${conflict} in conflict and left as they are`);
  if (refused > 0) parts.push(`${refused} did not fit`);
  const mark = refused + conflict > 0 ? colors.yellow('Imported') : colors.green('Imported');
  sink.err(`${mark} ${parts.join(', ')}.\n`);
}

function said({ field, message }: ImportFinding): string {
  return field ? `${field}: ${message}` : message;
}
