/** Publishes a catalogue of small objects beside rclone, for a table of docs/performance.md. See `USAGE`. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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
import { count, markdownTable, megabytes, seconds, times } from './table.ts';

const USAGE = `Usage: npm run bench:publish -- [--quick] [--rounds <number>] [--write] [--cli <file>]

Publishes two catalogues to a local server with the protocol of S3, and copies the same files there with rclone, in turn.
rclone comes from the Debian package of that name.

  --quick            the smaller catalogue alone
  --rounds <number>  how often both take turns; 5 otherwise
  --write            puts the table into docs/performance.md
  --cli <file>       another compiled command line; lib/cli.js otherwise`;

const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));
const STORE = fileURLToPath(new URL('./object-store.ts', import.meta.url));
const RCLONE = '/usr/bin/rclone';

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

/** The server, and what it takes. */
type Server = {
  readonly endpoint: string;
  /** Requests so far. */
  readonly requests: () => Promise<number>;
  /** Seconds of CPU so far. */
  readonly cpuSeconds: () => number;
  /** Removes all objects. */
  readonly clear: () => Promise<unknown>;
  readonly stop: () => void;
};

async function startServer(): Promise<Server> {
  const args = ['--import', import.meta.resolve('tsx'), STORE];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await createInterface({ input: child.stdout })
    [Symbol.asyncIterator]()
    .next()
    .then(({ value }) => [Number(value)]);
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    endpoint,
    requests: async () => Number(await (await fetch(endpoint)).text()),
    cpuSeconds() {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
    clear: () => fetch(endpoint, { method: 'DELETE' }),
    stop: () => void child.kill(),
  };
}

/** Credentials for both; no certificates of a company, which rclone does not take for a host without TLS. */
const ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench', AWS_REGION: 'us-east-1' };

function publishCommand({ folder, cli }: Bench, { endpoint }: Server): Command {
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
  return { file: process.execPath, args, cwd: folder, env: ENVIRONMENT };
}

function rcloneCommand({ folder }: Bench, { endpoint }: Server): Command {
  const env = {
    ...ENVIRONMENT,
    RCLONE_CONFIG: '/dev/null',
    RCLONE_CONFIG_STORE_TYPE: 's3',
    RCLONE_CONFIG_STORE_PROVIDER: 'Other',
    RCLONE_CONFIG_STORE_ENV_AUTH: 'true',
    RCLONE_CONFIG_STORE_REGION: 'us-east-1',
    RCLONE_CONFIG_STORE_ENDPOINT: endpoint,
  };
  const args = ['copy', '--transfers', '32', 'out/public', 'store:stays/theirs'];
  return { file: RCLONE, args, cwd: folder, env };
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
  server: Server,
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
    async () => series.theirs.push(await turn(rcloneCommand(bench, server))),
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
async function publish(bench: Bench, server: Server) {
  const before = await server.requests();
  const { stdout } = await run(publishCommand(bench, server));
  // The one that asks.
  const requests = (await server.requests()) - before - 1;
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
  const server = await startServer();
  try {
    const measured: Measured[] = [];
    for (const one of quick ? CASES.slice(0, 1) : CASES)
      measured.push(await measureCase(bench, server, one, rounds));
    const head = [...machine, `- Beside: ${version}; pairs of each: ${rounds}`];
    return `${place.warning ? `${place.warning}\n\n` : ''}${head.join('\n')}\n\n${tables(measured)}`;
  } finally {
    server.stop();
  }
}

await runBenchmark({ usage: USAGE, section: 'bench:publish', readArguments, measure });
