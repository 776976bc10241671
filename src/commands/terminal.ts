/** The terminal, or whatever stands in its place. */
import pico from 'picocolors';
import type { Sink } from '../report/report.ts';

/** Standard output and error of this process. */
export function terminal(): Sink & { readonly live: boolean } {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    color: pico.isColorSupported && (process.stderr.isTTY === true || process.env.FORCE_COLOR !== undefined),
    live: process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb',
  };
}
