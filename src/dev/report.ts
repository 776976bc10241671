/** Prints what happens in an editing session. */
import { describeFailure } from '../errors.ts';
import { printable } from '../printable.ts';
import { colorsOf } from '../report/colors.ts';
import { contentPrefix } from '../report/content.ts';
import { printRound, tallyOf } from '../report/diagnostics.ts';
import { createRounds } from '../report/rounds.ts';
import type { Sink } from '../report/sink.ts';
import type { SessionEvent } from './view.ts';

/** Makes what prints each event. Findings are printed once, and again only when they changed. */
export function createSessionReport(content: string, sink: Sink): (event: SessionEvent) => void {
  const colors = colorsOf(sink.color);
  const prefix = contentPrefix(content);
  const next = createRounds();
  let isTroubled = false;
  return (event) => {
    if (event.kind === 'waiting') sink.err(`${printable(event.message)}\n`);
    if (event.kind !== 'fresh' && event.kind !== 'trouble') return;
    if (event.kind === 'trouble' && event.failure !== undefined) {
      sink.err(`${describeFailure(event.failure).message}\n`);
    } else {
      const { diagnostics } = event;
      const tally = tallyOf(diagnostics);
      printRound(next(diagnostics), prefix, sink);
      if (event.kind === 'trouble') {
        sink.err(`${colors.red('Not shown')}: ${tally}. The last good catalogue stays up.\n`);
      } else {
        const verb = colors.green(isTroubled ? 'Mended' : 'Fresh');
        const about = diagnostics.length > 0 ? `: ${tally}` : '';
        sink.err(`${verb} in ${Math.round(event.milliseconds)} ms${about}.\n`);
      }
    }
    isTroubled = event.kind === 'trouble';
  };
}
