/** Output streams of this process. */
import { showsColors } from '../report/colors.ts';
import type { Sink } from '../report/sink.ts';

/** Output for reports, which may support a live line. */
export type Terminal = Sink & { readonly live: boolean };

export function terminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    color: showsColors(process.stderr),
    live: process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb',
  };
}
