import { showsColors } from '../report/colors.ts';
import type { Sink } from '../report/sink.ts';
import { wrapText } from '../report/wrap.ts';

export type Terminal = Sink & {
  readonly live: boolean;
  /** Whether a person can answer questions. */
  readonly canAsk: boolean;
};

export function terminal(): Terminal {
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(wrapForStream(text, process.stderr)),
    color: showsColors(process.stderr),
    live: process.stderr.isTTY === true && !process.env.CI && process.env.TERM !== 'dumb',
    canAsk: process.stdin.isTTY === true && process.stdout.isTTY === true,
  };
}

/** Wraps the text only if a terminal shows it. */
export function wrapForStream(text: string, { isTTY, columns }: NodeJS.WriteStream): string {
  return isTTY === true && !process.env.CI && columns > 0 ? wrapText(text, columns) : text;
}
