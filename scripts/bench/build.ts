/** Measures builds and checks, and writes the table of docs/performance.md. See `USAGE`. */
import { fileURLToPath } from 'node:url';
import { isMain, readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { runBenchmark } from './benchmark.ts';
import {
  type Bench,
  type CatalogueCase,
  countNeedlessWrites,
  isCommandLine,
  type Measured,
  measureCatalogue,
} from './catalogue-builds.ts';
import { cpuSeconds } from './child.ts';
import { type MeasuredGrowth, measureGrowth } from './growth.ts';
import { describeMachine } from './machine.ts';
import { makePlace, removeAtExit } from './place.ts';
import { type Results, report } from './report.ts';
import { measureYardstick } from './yardstick.ts';

const USAGE = `Usage: npm run bench -- [--quick] [--properties <number>] [--write] [--cli <file>]

Builds catalogues of 1,000, 10,000 and 100,000 properties from nothing and after changes, next to cp, tar and a minimal
writer, and prints a table. Takes about half an hour on an idle machine of two cores, and 8 GB in /dev/shm.

  --quick                1,000 and 10,000 properties, one round: two minutes
  --properties <number>  only one catalogue, with every page size: to try something out
  --write                puts the table into docs/performance.md
  --cli <file>           another compiled command line; lib/cli.js otherwise`;

/** Page sizes of the catalogues that are too large for all of them. */
const TWO_SIZES = [25, 100];

const FULL: readonly CatalogueCase[] = [
  { properties: 1000, sizes: 'all', rounds: 5, edits: 5 },
  { properties: 10_000, sizes: 'all', rounds: 5, edits: 5 },
  { properties: 1000, sizes: TWO_SIZES, rounds: 5, edits: 5 },
  { properties: 10_000, sizes: TWO_SIZES, rounds: 5, edits: 5 },
  { properties: 100_000, sizes: TWO_SIZES, rounds: 3, edits: 3 },
];

const QUICK: readonly CatalogueCase[] = [
  { properties: 1000, sizes: 'all', rounds: 1, edits: 1 },
  { properties: 10_000, sizes: 'all', rounds: 1, edits: 1 },
];

/** What the largest catalogue needs at once: its content, two trees of its output and an archive. */
const BYTES = 8e9;

const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));

type Options = {
  readonly cases: readonly CatalogueCase[];
  readonly write: boolean;
  readonly cli: string;
};

function readArguments(args: string[]): Options {
  const { quick, properties, write, cli } = readOptions(args, {
    quick: { type: 'boolean' },
    properties: { type: 'string' },
    write: { type: 'boolean' },
    cli: { type: 'string', default: CLI },
  });
  if (!isCommandLine(String(cli)))
    throw new UsageError(`${cli} is no compiled command line: npm run compile`);
  const one = properties === undefined ? undefined : wholeNumber('properties', String(properties), 1);
  const cases: readonly CatalogueCase[] =
    one !== undefined ? [{ properties: one, sizes: 'all', rounds: 2, edits: 2 }] : quick ? QUICK : FULL;
  return {
    cases,
    write: write === true,
    cli: String(cli),
  };
}

async function measure({ cases, cli }: Options): Promise<Results> {
  const place = makePlace(BYTES);
  removeAtExit(place);
  const bench: Bench = { folder: place.folder, cli, say: (text) => console.error(text) };
  if (place.warning) bench.say(place.warning);
  const machine = describeMachine(place.folder.replace(/\/[^/]*$/, ''), ['yaml', 'zod']);
  if (place.warning) machine.push(`- ${place.warning}`);

  const yardstick = await measureYardstick();
  const helpCpu = await cpuSeconds({ file: process.execPath, args: [cli, '--help'] }, 20);
  const needless = await countNeedlessWrites(bench, cases === FULL ? 1000 : 200);
  const catalogues: Measured[] = [];
  for (const one of cases) catalogues.push(await measureCatalogue(bench, one));
  const growth: MeasuredGrowth[] = [];
  for (const group of growing(cases)) growth.push(await measureGrowth(bench, group, group.rounds));
  return { machine, yardstick, helpCpu, needless, catalogues, growth };
}

/** The numbers of properties of cases with the same page sizes. */
function growing(cases: readonly CatalogueCase[]) {
  const isAll = ({ sizes }: CatalogueCase) => sizes === 'all';
  return [cases.filter(isAll), cases.filter((one) => !isAll(one))].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const rounds = Math.min(...group.map((one) => one.rounds));
    return [{ sizes: first.sizes, rounds, properties: group.map(({ properties }) => properties) }];
  });
}

if (isMain(import.meta.url)) {
  await runBenchmark({
    usage: USAGE,
    section: 'bench',
    readArguments,
    measure: async (options) => report(await measure(options)),
  });
}
