/** Publishes a catalogue of small objects beside rclone, for a table of docs/performance.md. See `USAGE`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { runBenchmark } from './benchmark.ts';
import {
  type Bench,
  buildCommand,
  type CatalogueCase,
  clear,
  isCommandLine,
  makeContent,
} from './catalogue-builds.ts';
import { type Command, run, type Taken } from './child.ts';
import { editableContent } from './edits.ts';
import { inTurn } from './load.ts';
import { describeMachine } from './machine.ts';
import { makePlace, removeAtExit } from './place.ts';
import { median, medianRatio, pairsOf } from './statistics.ts';
import { RCLONE, rcloneCommand, STORE_ENVIRONMENT, type StoreServer, startStore } from './store-server.ts';
import { count, markdownTable, megabytes, seconds, times } from './table.ts';

const USAGE = `Usage: npm run bench:publish -- [--quick] [--rounds <number>] [--write] [--cli <file>]

Publishes two catalogues to a local server with the protocol of S3, and copies the same files there with rclone, in turn.
rclone comes from the Debian package of that name.

  --quick            the smaller catalogue alone
  --rounds <number>  how often both take turns; 5 otherwise
  --write            puts the table into docs/performance.md
  --cli <file>       another compiled command line; lib/cli.js otherwise`;

const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));

/** About 20,000 and about 50,000 objects. */
const CASES: readonly Pick<CatalogueCase, 'properties' | 'sizes'>[] = [
  { properties: 9000, sizes: [25, 100] },
  { properties: 860, sizes: 'all' },
];
/** What the goals ask for: objects a second and processor time, ours by rclone's. */
const GOALS = { rate: 2, cpu: 0.5 };

type Options = {
  readonly quick: boolean;
  readonly rounds: number;
  readonly write: boolean;
  readonly cli: string;
};

function readArguments(args: string[]): Options {
  const { quick, rounds, write, cli } = readOptions(args, {
    quick: { type: 'boolean' },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean' },
    cli: { type: 'string', default: CLI },
  });
  if (!isCommandLine(String(cli)))
    throw new UsageError(`${cli} is no compiled command line: npm run compile`);
  if (!existsSync(RCLONE)) throw new UsageError('rclone is not there: apt-get install rclone');
  return {
    quick: quick === true,
    rounds: wholeNumber('rounds', String(rounds), 1),
    write: write === true,
    cli: String(cli),
  };
}

function publishCommand({ folder, cli }: Bench, { endpoint }: StoreServer): Command {
  const args = [
    cli,
    'publish',
    's3://stays/ours',
    '--endpoint',
    endpoint,
    '--out',
    'out',
    '--format',
    'json',
  ];
  return { file: process.execPath, args, cwd: folder, env: STORE_ENVIRONMENT };
}

type Turn = Taken & { readonly serverCpu: number };
type Series = { readonly ours: Turn[]; readonly theirs: Turn[] };
type Measured = {
  readonly objects: number;
  readonly bytes: number;
  readonly series: Series;
  readonly unchanged: number;
  readonly changed: { readonly requests: number; readonly written: number };
};

async function measureCase(
  bench: Bench,
  server: StoreServer,
  one: (typeof CASES)[number],
  rounds: number,
): Promise<Measured> {
  bench.say(`${one.properties} properties, page sizes ${one.sizes}: building`);
  makeContent(bench, one);
  await run(buildCommand(bench));
  const series: Series = { ours: [], theirs: [] };
  const turn = async (command: Command): Promise<Turn> => {
    await server.clear();
    const before = server.cpuSeconds();
    const taken = await run(command, { peak: true });
    return { ...taken, serverCpu: server.cpuSeconds() - before };
  };
  await inTurn(
    rounds,
    async () => series.ours.push(await turn(publishCommand(bench, server))),
    async () => series.theirs.push(await turn(rcloneCommand(server, 'out/public', bench.folder))),
  );
  await server.clear();
  const first = await publish(bench, server);
  const again = await publish(bench, server);
  await sleep(60);
  editableContent(join(bench.folder, 'content')).retitle(1 / one.properties);
  await run(buildCommand(bench));
  const changed = await publish(bench, server);
  await clear(bench, 'content', 'out');
  return { ...first, objects: first.written, series, unchanged: again.requests, changed };
}

/** Publishes, and counts requests and objects. */
async function publish(bench: Bench, server: StoreServer) {
  const before = await server.traffic();
  const { stdout } = await run(publishCommand(bench, server));
  // The one that asks.
  const requests = (await server.traffic()).requests - before.requests - 1;
  const { written, bytes } = JSON.parse(stdout) as { written: Record<string, number>; bytes: number };
  return { requests, bytes, written: Object.values(written).reduce((sum, some) => sum + some, 0) };
}

function tables(measured: readonly Measured[]): string {
  const rows = measured.flatMap(({ objects, bytes, series }) =>
    (['ours', 'theirs'] as const).map((name) => {
      const turns = series[name];
      const middle = (number: (turn: Turn) => number) => median(turns.map(number));
      return [
        `${count(objects)}, ${megabytes(bytes)}`,
        name === 'ours' ? '`publish`' : '`rclone copy --transfers 32`',
        count(objects / middle((turn) => turn.seconds)),
        seconds(middle((turn) => turn.cpuSeconds)),
        megabytes(Math.max(...turns.map(({ peakBytes }) => peakBytes ?? 0))),
        seconds(middle((turn) => turn.serverCpu)),
      ];
    }),
  );
  const judged = measured.flatMap(({ objects, series: { ours, theirs } }) => {
    const ratio = (number: (turn: Turn) => number) =>
      medianRatio(pairsOf(ours.map(number), theirs.map(number)));
    const rate = ratio((turn) => 1 / turn.seconds);
    const cpu = ratio((turn) => turn.cpuSeconds);
    const met = (isMet: boolean) => (isMet ? 'met' : '**not met**');
    return [
      [
        `Objects a second, ${count(objects)}`,
        `at least ${times(GOALS.rate)}`,
        times(rate),
        met(rate >= GOALS.rate),
      ],
      [`Processor time, ${count(objects)}`, `at most ${times(GOALS.cpu)}`, times(cpu), met(cpu <= GOALS.cpu)],
    ];
  });
  const requests = measured.map(({ objects, unchanged, changed }) => [
    count(objects),
    String(unchanged),
    `${changed.requests} (${changed.written})`,
  ]);
  return [
    markdownTable({ head: ['Against rclone', 'Limit', 'Measured', ''], rows: judged }),
    markdownTable({
      head: ['Objects', 'Takes', 'Objects a second', 'CPU time', 'Peak memory', 'CPU time of the server'],
      rows,
    }),
    markdownTable({
      head: ['Objects', 'Requests with nothing changed', 'With one title changed (objects written)'],
      rows: requests,
    }),
  ].join('\n\n');
}

async function measure({ quick, rounds, cli }: Options): Promise<string> {
  delete process.env.AWS_CA_BUNDLE;
  const place = makePlace(2e9);
  removeAtExit(place);
  const version = (await run({ file: RCLONE, args: ['version'] })).stdout.split('\n')[0];
  const machine = describeMachine(place.folder, []);
  const bench: Bench = { folder: place.folder, cli, say: (text) => console.error(text) };
  const server = await startStore();
  try {
    const measured: Measured[] = [];
    for (const one of quick ? CASES.slice(0, 1) : CASES)
      measured.push(await measureCase(bench, server, one, rounds));
    const head = [...machine, `- Beside: ${version}; pairs of each: ${rounds}`];
    return `${place.warning ? `${place.warning}\n\n` : ''}${head.join('\n')}\n\n${tables(measured)}`;
  } finally {
    await server.stop();
  }
}

await runBenchmark({ usage: USAGE, section: 'bench:publish', readArguments, measure });
