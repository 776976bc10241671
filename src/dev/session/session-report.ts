import { describeFailure } from '../../errors/errors.ts';
import { createColors } from '../../report/colors.ts';
import { printDiagnostics, tallyOfFindings } from '../../report/diagnostics.ts';
import { contentPrefix } from '../../report/path-prefix.ts';
import { CHECK_LISTS_ALL, moreText, type Sink, truncatedListTexts } from '../../report/sink.ts';
import { isError } from '../../source/diagnostic.ts';
import { findingsOf } from '../../source/findings.ts';
import { countText } from '../../text/amounts.ts';
import { printable } from '../../text/printable.ts';
import { createFindingsDiff, type FindingsDiff } from './findings-diff.ts';
import type { SessionEvent } from './session.ts';

export function createSessionReporter(
  content: string,
  sink: Sink,
  address: () => string | undefined,
): (event: SessionEvent) => void {
  const colors = createColors(sink.color);
  const prefix = contentPrefix(content);
  const next = createFindingsDiff();
  return (event) => {
    if (event.kind === 'waiting') sink.err(`${printable(event.message)}\n`);
    if (event.kind === 'failed') sink.err(`${describeFailure(event.failure).message}\n`);
    if (event.kind === 'built') {
      const { outcome, diagnostics, leftOut, milliseconds } = event;
      const round = next(diagnostics);
      printFindingsDiff(round, prefix, sink);
      const tally = tallyOfFindings(findingsOf(diagnostics));
      const about = diagnostics.length > 0 ? `: ${tally}` : '';
      const missing = leftOut.length > 0 ? ` Not shown: ${countText(leftOut.length, 'file')}.` : '';
      sink.err(
        outcome === 'refused'
          ? `${colors.red('Not shown')}: ${tally}. The last good catalogue stays up.\n`
          : `${colors.green('Updated')} in ${Math.round(milliseconds)} ms${about}.${missing}\n`,
      );
      const page = round.added.length > 0 ? address() : undefined;
      if (page !== undefined) sink.err(`  ${page}\n`);
    }
  };
}

const MAX_ALIKE = 3;
const MAX_FIXED = 10;

/** Prints all errors, up to {@link MAX_ALIKE} warnings of each code, and up to {@link MAX_FIXED} fixed findings. */
export function printFindingsDiff({ added, fixed }: FindingsDiff, prefix: string, sink: Sink): void {
  printDiagnostics(added.filter(isError), prefix, sink);
  const warnings = added.filter((one) => !isError(one));
  for (const code of new Set(warnings.map((one) => one.code))) {
    const alike = warnings.filter((one) => one.code === code);
    printDiagnostics(alike.slice(0, MAX_ALIKE), prefix, sink);
    if (alike.length > MAX_ALIKE)
      sink.err(`${moreText(alike.length - MAX_ALIKE, ` of ${printable(code)}${CHECK_LISTS_ALL}`)}.\n\n`);
  }
  const colors = createColors(sink.color);
  const lines = truncatedListTexts(
    fixed,
    MAX_FIXED,
    ({ file, code }) => `${printable(prefix + file)}  ${colors.dim(printable(code))}`,
    '',
  );
  for (const line of lines) sink.err(`${colors.green('Fixed:')} ${line}\n`);
}
