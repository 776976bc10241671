import { describeFailure } from '../errors/errors.ts';
import { colorsOf } from '../report/colors.ts';
import { contentPrefix } from '../report/content.ts';
import { printRound, tallyOf } from '../report/diagnostics.ts';
import { createRounds } from '../report/findings-diff.ts';
import type { Sink } from '../report/sink.ts';
import { findingsOf } from '../source/findings.ts';
import { printable } from '../text/printable.ts';
import { plural } from '../text/words.ts';
import type { SessionEvent } from './session.ts';

export function createSessionReport(
  content: string,
  sink: Sink,
  address: () => string | undefined,
): (event: SessionEvent) => void {
  const colors = colorsOf(sink.color);
  const prefix = contentPrefix(content);
  const next = createRounds();
  return (event) => {
    if (event.kind === 'waiting') sink.err(`${printable(event.message)}\n`);
    if (event.kind === 'failed') sink.err(`${describeFailure(event.failure).message}\n`);
    if (event.kind === 'built') {
      const { outcome, diagnostics, leftOut, milliseconds } = event;
      const round = next(diagnostics);
      printRound(round, prefix, sink);
      const tally = tallyOf(findingsOf(diagnostics));
      const about = diagnostics.length > 0 ? `: ${tally}` : '';
      const missing = leftOut.length > 0 ? ` Not shown: ${plural(leftOut.length, 'file')}.` : '';
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
