/** Measures what the rewrite of each target costs, and writes the table of docs/targets.md. See `USAGE`. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PLAIN, withServer } from '../../test/conformance/conformance.ts';
import { type Fixture, makeFixture } from '../../test/conformance/fixture.ts';
import {
  missingPackages,
  type RunningServer,
  type ServerInput,
  type ServerKind,
} from '../../test/conformance/server.ts';
import { SERVERS } from '../../test/conformance/servers/index.ts';
import { bundleEdge } from '../bundle-edge.ts';
import { isMain, readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { describeMachine } from './machine.ts';
import { replaceSection } from './marked-section.ts';
import { PLAIN_SERVERS } from './plain-servers.ts';
import { median, medianRatio, pairsOf } from './statistics.ts';
import { markdownTable, times } from './table.ts';

const USAGE = `Usage: npm run bench:serve -- [--pairs <number>] [--seconds <number>] [--target <name>] [--write]

Asks each target for a page that exists, in turn with the same server handing out the same file with no rewrite, and
prints the ratios of requests a second. Needs wrk and the servers; takes about ten minutes.

  --pairs <number>    pairs for each kind of request; 5 otherwise
  --seconds <number>  seconds of each run; 2 otherwise
  --target <name>     only this target
  --write             puts the table into docs/targets.md`;

const DOCUMENT = new URL('../../docs/targets.md', import.meta.url);
const LIST = '/api/v1/public/properties';

type Shape = { name: string; target: string; file: string };

/** The requests, each with the file that answers it. */
function shapesOf({ summaries }: Fixture): Shape[] {
  const { id } = summaries[3]!;
  const paris = Buffer.from('Paris').toString('hex');
  return [
    {
      name: 'List page',
      target: `${LIST}?filter%5Bcountry%5D=FR&filter%5Bcity%5D=Paris&page%5Bnumber%5D=2&page%5Bsize%5D=25`,
      file: `/_catalogue/pages/FR/${paris}/25-2.json`,
    },
    { name: 'One filter', target: `${LIST}?filter[country]=FR`, file: '/_catalogue/pages/FR/-/25-1.json' },
    {
      name: 'Unusual spelling',
      target: `${LIST}?utm_source=x&page[size]=25&%66ilter[country]=FR`,
      file: '/_catalogue/pages/FR/-/25-1.json',
    },
    { name: 'Detail', target: `${LIST}/${id}`, file: `/_catalogue/properties/${id}.json` },
  ];
}

/** Requests a second, and the 99th percentile in milliseconds. */
export type Run = { rate: number; p99: number };

type Series = { ours: Run[]; theirs: Run[] };

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

async function compare(
  kind: ServerKind,
  fixture: Fixture,
  { pairs, seconds }: { pairs: number; seconds: number },
): Promise<Map<string, Series>> {
  const results = new Map<string, Series>();
  const startPlain = PLAIN_SERVERS[kind.target];
  let plain: RunningServer | undefined;
  const both: ServerKind = {
    ...kind,
    start: async (input: ServerInput) => {
      const server = await kind.start(input);
      const work = join(input.work, 'plain');
      mkdirSync(work);
      plain = await startPlain?.({ ...input, work });
      return server;
    },
  };
  await withServer(both, fixture, async (server) => {
    try {
      for (const { name, target, file } of shapesOf(fixture)) {
        const series: Series = { ours: [], theirs: [] };
        const ours = async () => series.ours.push(await measure(server.port, target, seconds));
        const theirs = async () => series.theirs.push(await measure((plain ?? server).port, file, seconds));
        await measure(server.port, target, 1);
        await measure((plain ?? server).port, file, 1);
        for (let pair = 0; pair < pairs; pair++) {
          for (const run of pair % 2 === 0 ? [ours, theirs] : [theirs, ours]) await run();
        }
        results.set(name, series);
      }
    } finally {
      await plain?.stop();
    }
  });
  return results;
}

function row(kind: ServerKind, results: Map<string, Series>): string[] {
  const ratios = [...results.values()].map(({ ours, theirs }) =>
    times(
      medianRatio(
        pairsOf(
          ours.map(({ rate }) => rate),
          theirs.map(({ rate }) => rate),
        ),
      ),
    ),
  );
  const [{ ours, theirs } = { ours: [], theirs: [] }] = results.values();
  const p99 = (runs: Run[]) => median(runs.map((run) => run.p99));
  const name = PLAIN_SERVERS[kind.target] ? `\`${kind.target}\`` : `\`${kind.target}\` (1)`;
  return [name, ...ratios, times(p99(ours) / p99(theirs))];
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), {
    pairs: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    target: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  });
  if (options.help) return console.log(USAGE);
  if (!existsSync('/usr/bin/wrk')) throw new UsageError('wrk is not there: apt-get install wrk');
  const pairs = wholeNumber('pairs', String(options.pairs), 1);
  const seconds = wholeNumber('seconds', String(options.seconds), 1);
  await bundleEdge();
  const machine = describeMachine('/dev/shm', []);
  const fixture = makeFixture(PLAIN);
  const rows: string[][] = [];
  for (const kind of SERVERS) {
    if (options.target !== undefined && options.target !== kind.target) continue;
    // An imitation of CloudFront has a rate of its own, that says nothing.
    if (kind.target === 'cloudfront-function' || kind.target === 'lambda-edge') continue;
    if (missingPackages(kind).length > 0) {
      console.error(`Not run: ${kind.target}, for want of ${missingPackages(kind).join(', ')}.`);
      continue;
    }
    rows.push(row(kind, await compare(kind, fixture, { pairs, seconds })));
    console.error(rows.at(-1)!.join('  '));
  }
  const head = ['Target', ...shapesOf(fixture).map(({ name }) => name), 'p99, list page'];
  const section = `${machine.join('\n')}\n\n${markdownTable({ head, rows })}`;
  console.log(section);
  if (options.write) {
    writeFileSync(DOCUMENT, replaceSection(readFileSync(DOCUMENT, 'utf8'), 'bench-serve', section));
  }
}

if (isMain(import.meta.url)) {
  main().catch((error: unknown) => {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${USAGE}`);
    process.exitCode = 2;
  });
}
