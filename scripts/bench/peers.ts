/** Measures other tools on the same catalogue, for the second table of docs/performance.md. See `USAGE`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMain, readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { runBenchmark } from './benchmark.ts';
import {
  type Bench,
  buildCommand,
  checkCommand,
  clear,
  isCommandLine,
  makeContent,
} from './catalogue-builds.ts';
import { type Command, run } from './child.ts';
import { type Goal, goalTable } from './goals.ts';
import { describeMachine } from './machine.ts';
import { contentCollections, velite } from './peers/blobs.ts';
import { eleventy } from './peers/eleventy.ts';
import { hugo } from './peers/hugo.ts';
import type { Peer } from './peers/peer.ts';
import { makePlace, removeAtExit } from './place.ts';
import { median, medianRatio, type Pair } from './statistics.ts';
import { count, markdownTable, megabytes, seconds, times } from './table.ts';

const USAGE = `Usage: npm run bench:peers -- [--large] [--properties <number>] [--rounds <number>] [--write] [--cli <file>]

Installs Hugo (with apt-get, when it is missing and this runs as root), Eleventy, Velite and content-collections in a
temporary folder, lets each do what it can of the same work, in turn with ours, and prints a table.

  --large                Hugo and Eleventy also with 10,000 properties: some minutes, and 12 GB of memory
  --properties <number>  all of them with that many only: to try something out
  --rounds <number>      how often both take turns; 3 otherwise
  --write                puts the table into docs/performance.md
  --cli <file>           another compiled command line; lib/cli.js otherwise`;

const PEERS: readonly Peer[] = [hugo, eleventy, velite, contentCollections];
const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));

type Options = {
  /** Numbers of properties for the tools that write pages. */
  readonly writers: readonly number[];
  /** Numbers of properties for the tools that only check. */
  readonly checkers: readonly number[];
  readonly rounds: number;
  readonly write: boolean;
  readonly cli: string;
};

type Outcome = {
  readonly peer: Peer;
  readonly properties: number;
  /** Ours first. */
  readonly pairs: readonly Pair[];
  readonly peakBytes: { readonly ours: number; readonly theirs: number };
  /** Files that the peer wrote; undefined when it writes one. */
  readonly files: number | undefined;
};

function readArguments(args: string[]): Options {
  const { large, properties, rounds, write, cli } = readOptions(args, {
    large: { type: 'boolean' },
    properties: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    write: { type: 'boolean' },
    cli: { type: 'string', default: CLI },
  });
  if (!isCommandLine(String(cli)))
    throw new UsageError(`${cli} is no compiled command line: npm run compile`);
  const one = properties === undefined ? undefined : wholeNumber('properties', String(properties), 1);
  return {
    writers: one !== undefined ? [one] : large ? [1000, 10_000] : [1000],
    checkers: one !== undefined ? [one] : [1000, 10_000],
    rounds: wholeNumber('rounds', String(rounds), 1),
    write: write === true,
    cli: String(cli),
  };
}

/** Installs all peers. Returns those that are there, with their versions. */
async function install({ folder, say }: Bench): Promise<Map<Peer, string>> {
  const packages = PEERS.flatMap((peer) => peer.packages);
  say(`installing ${packages.join(', ')}`);
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages];
  await run({ file: 'npm', args, cwd: folder }, { certificates: true });
  const versions = new Map<Peer, string>();
  for (const peer of PEERS) {
    const name = peer.packages[0]?.replace(/(?<=.)@.*$/, '');
    const version =
      name === undefined
        ? await hugoVersion(say)
        : JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version;
    if (version !== undefined) versions.set(peer, version);
  }
  return versions;
}

async function hugoVersion(say: (text: string) => void): Promise<string | undefined> {
  const version = async () =>
    /v([0-9.]+)/.exec((await run({ file: 'hugo', args: ['version'] })).stdout)?.[1] ?? 'unknown';
  try {
    return await version();
  } catch {
    if (process.getuid?.() !== 0) {
      say('There is no hugo, and only root can install it: left out.');
      return undefined;
    }
  }
  try {
    say('installing hugo');
    await run({ file: 'apt-get', args: ['install', '-y', '-q', 'hugo'] });
    return await version();
  } catch (error) {
    say(`hugo could not be installed, and is left out: ${(error as Error).message}`);
    return undefined;
  }
}

async function measure(bench: Bench, peer: Peer, properties: number, rounds: number): Promise<Outcome> {
  const folder = join(bench.folder, peer.name);
  makeContent(bench, { properties, sizes: 'all' });
  peer.prepare(folder, join(bench.folder, 'content'));
  const pairs: Pair[] = [];
  const peakBytes = { ours: 0, theirs: 0 };
  let files: number | undefined;
  const timed = async (command: Command, side: keyof Pair) => {
    const taken = await run(command, { peak: true });
    peakBytes[side] = Math.max(peakBytes[side], taken.peakBytes ?? 0);
    return taken.seconds;
  };
  for (let round = 0; round < rounds; round++) {
    bench.say(`${peer.name}, ${properties} properties, ${round + 1} of ${rounds}`);
    const ours = await timed((peer.against === 'build' ? buildCommand : checkCommand)(bench), 'ours');
    await clear(bench, 'out');
    const theirs = await timed(peer.command(folder), 'theirs');
    pairs.push({ ours, theirs });
    if (peer.output !== undefined) files = countFiles(join(folder, peer.output));
    await clear(bench, ...peer.makes.map((name) => join(peer.name, name)));
  }
  await clear(bench, 'content', peer.name);
  return { peer, properties, pairs, peakBytes, files };
}

function countFiles(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return entries.filter((path) => path.endsWith('.json')).length;
}

const faster = ({ pairs }: Outcome): number => 1 / medianRatio(pairs);

function report(
  machine: readonly string[],
  versions: ReadonlyMap<Peer, string>,
  outcomes: readonly Outcome[],
): string {
  const goals: Goal[] = [
    {
      number: 1,
      text: 'Faster than Hugo, 10,000 properties from nothing',
      limit: { least: 8 },
      format: times,
    },
    { number: 2, text: '`check` faster than Velite, 10,000 properties', limit: { least: 5 }, format: times },
  ];
  const judged = goals.map((goal, index) => {
    const peer = [hugo, velite][index];
    const outcome = outcomes.find((one) => one.peer === peer && one.properties === 10_000);
    return { goal, value: outcome && faster(outcome) };
  });
  const table = markdownTable({
    head: ['', 'Properties', 'Takes', 'Ours', 'Ours is faster', 'Its peak memory', 'Ours', 'Files it writes'],
    rows: outcomes.map((one) => [
      `${one.peer.name} ${versions.get(one.peer)} / \`${one.peer.against}\``,
      count(one.properties),
      seconds(median(one.pairs.map(({ theirs }) => theirs))),
      seconds(median(one.pairs.map(({ ours }) => ours))),
      times(faster(one)),
      megabytes(one.peakBytes.theirs),
      megabytes(one.peakBytes.ours),
      one.files === undefined ? 'one' : count(one.files),
    ]),
  });
  const limits = [...versions.keys()].map(({ name, cannot }) => `- ${name}: ${cannot}.`);
  return [
    machine.join('\n'),
    'Goals:',
    markdownTable(goalTable(judged), { numbers: false }),
    table,
    'What they leave out of it:',
    limits.join('\n'),
  ].join('\n\n');
}

async function main({ writers, checkers, rounds, cli }: Options): Promise<string> {
  const place = makePlace(12e9 * (Math.max(...writers) / 10_000) + 1e9);
  removeAtExit(place);
  const bench: Bench = { folder: place.folder, cli, say: (text) => console.error(text) };
  const machine = describeMachine(place.folder.replace(/\/[^/]*$/, ''), []);
  if (place.warning) machine.push(`- ${place.warning}`);
  const versions = await install(bench);
  const outcomes: Outcome[] = [];
  for (const peer of versions.keys()) {
    for (const properties of peer.against === 'build' ? writers : checkers) {
      outcomes.push(await measure(bench, peer, properties, rounds));
    }
  }
  return report(machine, versions, outcomes);
}

if (isMain(import.meta.url)) {
  await runBenchmark({ usage: USAGE, section: 'bench:peers', readArguments, measure: main });
}
