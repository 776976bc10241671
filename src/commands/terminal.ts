/** The terminal, or whatever stands in its place. */
import { showsColors } from '../report/colors.ts';
import type { Sink } from '../report/sink.ts';

/** A place for reports that may show a live line. */
export type Terminal = Sink & { readonly live: boolean };

/** Standard output and error of this process. */
export function terminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    color: showsColors(process.stderr),
    live: process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb',
  };
}
