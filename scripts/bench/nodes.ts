/** Measures the same builds on several versions of Node, for a table of docs/performance.md. See `USAGE`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMain, readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { runBenchmark } from './benchmark.ts';
import { type Bench, buildCommand, clear, isCommandLine, makeContent } from './catalogue-builds.ts';
import { cpuSeconds, run } from './child.ts';
import { editableContent } from './edits.ts';
import { goalTable } from './goals.ts';
import { describeMachine } from './machine.ts';
import { makePlace, removeAtExit } from './place.ts';
import { median, medianRatio, pairsOf } from './statistics.ts';
import { count, markdownTable, seconds, times } from './table.ts';

const USAGE = `Usage: npm run bench:nodes -- [--properties <number>] [--rounds <number>] [--write] [--cli <file>]

Installs other versions of Node in a temporary folder, lets each of them build the same catalogue in turn with the one
that runs this, and prints a table.

  --properties <number>  size of the catalogue; 10,000 otherwise
  --rounds <number>      how often they take turns; 5 otherwise
  --write                puts the table into docs/performance.md
  --cli <file>           another compiled command line; lib/cli.js otherwise`;

/** What else the product runs on. */
const OTHER_VERSIONS = [22, 24];
/** The size of the catalogue for which the goals are. */
const GOAL_PROPERTIES = 10_000;
/** Runs that the CPU time of `--help` is the mean of. */
const HELP_RUNS = 20;
const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));

type Options = {
  readonly properties: number;
  readonly rounds: number;
  readonly write: boolean;
  readonly cli: string;
};

/** What is measured, each once a round; seconds. */
const BUILDS = ['from nothing', 'nothing changed', 'one title'] as const;
type Build = (typeof BUILDS)[number];

/** A version of Node, and what it took. */
type Measured = {
  readonly file: string;
  readonly version: string;
  readonly taken: Readonly<Record<Build, number[]>>;
};

function readArguments(args: string[]): Options {
  const { properties, rounds, write, cli } = readOptions(args, {
    properties: { type: 'string', default: String(GOAL_PROPERTIES) },
    rounds: { type: 'string', default: '5' },
    write: { type: 'boolean' },
    cli: { type: 'string', default: CLI },
  });
  if (!isCommandLine(String(cli)))
    throw new UsageError(`${cli} is no compiled command line: npm run compile`);
  return {
    properties: wholeNumber('properties', String(properties), 1),
    rounds: wholeNumber('rounds', String(rounds), 1),
    write: write === true,
    cli: String(cli),
  };
}

/** Installs the other versions. Returns the files to run, this one's first. */
async function install({ folder, say }: Bench): Promise<string[]> {
  const files = [process.execPath];
  for (const version of OTHER_VERSIONS) {
    say(`installing Node ${version}`);
    const prefix = join(folder, `node-${version}`);
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--prefix', prefix];
    await run({ file: 'npm', args: [...args, `node@${version}`] }, { certificates: true });
    const file = join(prefix, 'node_modules/node/bin/node');
    if (existsSync(file)) files.push(file);
    else say('It could not be installed, and is left out.');
  }
  return files;
}

/** Builds from nothing and after changes, with each version in turn. */
async function measure(bench: Bench, files: readonly string[], { properties, rounds }: Options) {
  makeContent(bench, { properties, sizes: 'all' });
  const content = editableContent(join(bench.folder, 'content'));
  const measured: Measured[] = [];
  for (const file of files) {
    const version = (await run({ file, args: ['-p', 'process.versions.node'] })).stdout.trim();
    measured.push({ file, version, taken: { 'from nothing': [], 'nothing changed': [], 'one title': [] } });
  }
  for (let round = 0; round < rounds; round++) {
    // The first one finds the machine in another state.
    for (const { file, version, taken } of round % 2 === 0 ? measured : measured.toReversed()) {
      bench.say(`Node ${version}, ${round + 1} of ${rounds}`);
      const build = async (kind: Build) => {
        taken[kind].push((await run({ ...buildCommand(bench), file })).seconds);
      };
      await clear(bench, 'out');
      await build('from nothing');
      await sleep(5000);
      await build('nothing changed');
      content.retitle(1 / properties);
      await sleep(60);
      await build('one title');
    }
  }
  return measured;
}

async function main(options: Options): Promise<string> {
  const place = makePlace(3e9);
  removeAtExit(place);
  const bench: Bench = { folder: place.folder, cli: options.cli, say: (text) => console.error(text) };
  const machine = describeMachine(place.folder.replace(/\/[^/]*$/, ''), []);
  if (place.warning) machine.push(`- ${place.warning}`);
  const measured = await measure(bench, await install(bench), options);
  const [own] = measured;
  const rows: string[][] = [];
  for (const { file, version, taken } of measured) {
    const help = await cpuSeconds({ file, args: [options.cli, '--help'] }, HELP_RUNS);
    const cells = BUILDS.flatMap((kind) => [
      seconds(median(taken[kind])),
      times(medianRatio(pairsOf(taken[kind], own!.taken[kind]))),
    ]);
    rows.push([version, ...cells, `${Math.round(1000 * help)} ms`]);
  }
  const head = ['Node', ...BUILDS.flatMap((kind) => [kind, 'ratio']), 'CPU time of `--help`'];
  const judged = measured.map(({ version, taken }) => ({
    goal: {
      number: 4 as const,
      text: `One title changed, Node ${version}`,
      limit: { most: version.startsWith('20.') ? 0.4 : 0.3 },
      format: seconds,
    },
    value: options.properties === GOAL_PROPERTIES ? median(taken['one title']) : undefined,
  }));
  return [
    machine.join('\n'),
    markdownTable(goalTable(judged), { numbers: false }),
    `${count(options.properties)} properties, all page sizes:`,
    markdownTable({ head, rows }),
  ].join('\n\n');
}

if (isMain(import.meta.url)) {
  await runBenchmark({ usage: USAGE, section: 'bench:nodes', readArguments, measure: main });
}
