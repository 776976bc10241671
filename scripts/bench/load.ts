/** Requests a second, in turn with something to compare with, for the tables of docs/targets.md. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { isMain, readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { describeMachine } from './machine.ts';
import { replaceSection } from './marked-section.ts';
import { medianRatio, pairsOf } from './statistics.ts';
import { markdownTable, type Table, times } from './table.ts';

const DOCUMENT = new URL('../../docs/targets.md', import.meta.url);

/** Path of the list. */
export const LIST = '/api/v1/public/properties';

/** Requests a second, and the 99th percentile in milliseconds. */
export type Run = { rate: number; p99: number };

/** What was measured in turn. */
export type Series<Measured = Run> = { ours: Measured[]; theirs: Measured[] };

const execute = promisify(execFile);

/** Requests a second for one target of a server, by wrk. */
export async function measure(port: number, target: string, seconds: number, attempts = 2): Promise<Run> {
  const args = ['-t1', '-c16', `-d${seconds}s`, '--latency', `http://127.0.0.1:${port}${target}`];
  const { stdout: out } = await execute('wrk', args);
  if (/Non-2xx|Socket errors/.test(out)) {
    // A machine that is busy may lose a connection; a server that answers wrongly does so each time.
    if (attempts === 0) throw new Error(`${target}: ${out}`);
    return measure(port, target, seconds, attempts - 1);
  }
  const [, p99 = '', unit = ''] = /\n\s+99%\s+([\d.]+)(us|ms|s)/.exec(out) ?? [];
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)?.[1]),
    p99: Number(p99) * { us: 0.001, ms: 1, s: 1000 }[unit as 'us' | 'ms' | 's'],
  };
}

/** Runs both as often as there are pairs, each first as often as the other. */
export async function inTurn(
  pairs: number,
  ours: () => Promise<unknown>,
  theirs: () => Promise<unknown>,
): Promise<void> {
  for (let pair = 0; pair < pairs; pair++) {
    for (const run of pair % 2 === 0 ? [ours, theirs] : [theirs, ours]) await run();
  }
}

/** Ours by theirs, of one number of each. */
export function ratioOf<Measured>(
  { ours, theirs }: Series<Measured>,
  number: (one: Measured) => number,
): string {
  return times(medianRatio(pairsOf(ours.map(number), theirs.map(number))));
}

/** How to measure. */
export type LoadOptions = { pairs: number; seconds: number; target: string | undefined };

/**
 * Runs a script that writes a table into the section of this name, if the module is what was started.
 *
 * @param pairs unless the options say otherwise.
 */
export function runLoad(
  moduleUrl: string,
  { usage, section, pairs }: { usage: string; section: string; pairs: number },
  tableOf: (options: LoadOptions) => Promise<Table>,
): void {
  if (!isMain(moduleUrl)) return;
  const main = async () => {
    const options = readOptions(process.argv.slice(2), {
      pairs: { type: 'string', default: String(pairs) },
      seconds: { type: 'string', default: '2' },
      target: { type: 'string' },
      write: { type: 'boolean' },
      help: { type: 'boolean' },
    });
    if (options.help) return console.log(usage);
    if (!existsSync('/usr/bin/wrk')) throw new UsageError('wrk is not there: apt-get install wrk');
    const machine = describeMachine('/dev/shm', []);
    const table = await tableOf({
      pairs: wholeNumber('pairs', String(options.pairs), 1),
      seconds: wholeNumber('seconds', String(options.seconds), 1),
      target: options.target === undefined ? undefined : String(options.target),
    });
    const text = `${machine.join('\n')}\n\n${markdownTable(table)}`;
    console.log(text);
    if (options.write) writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), section, text));
  };
  main().catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = 2;
  });
}
