/**
 * Tries publishing with real processes: the command line against a store over HTTP that delays and loses requests and
 * refuses what has expired; processes are stopped past their lease and killed, and their clocks are wrong.
 *
 *     npm run trial:publish -- --runs 8 --seed 1 --only stopped,late --jobs 4
 *
 * Clocks and timers of all processes run `--pace` times as fast as true ones (1: as they are), so that a lease of a
 * minute is over in seconds. `--without-expiry` makes a store that takes late requests: the trial has to find that. A
 * failing run is played again by `--only <scenario> --seed <its seed> --runs 1`: with the same clocks and the same faults
 * at the same requests, as far as real processes are ever the same.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOptions, UsageError, wholeNumber } from '../command-line.ts';
import { createRandom } from '../random.ts';
import { type Pace, startClient } from './publishing/client.ts';
import { buildReleases } from './publishing/releases.ts';
import { DESCRIPTIONS, SCENARIOS } from './publishing/scenarios.ts';
import { type Outcome, play, type Trial } from './publishing/stage.ts';
import { type StoreServer, startStore } from './publishing/store.ts';
import { type Reference, releaseObjects } from './publishing/watch.ts';

const USAGE =
  'Usage: npm run trial:publish -- [--runs 8] [--seed 1] [--only <scenario>,...] [--jobs 4] [--pace 10] [--minutes 12] [--without-expiry]';
const HOUR = 3_600_000;
/** Its multiples leave no gap between 0 and 1, however many they are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

type Options = {
  runs: number;
  seed: number;
  scenarios: string[];
  jobs: number;
  pace: number;
  minutes: number;
  mayBeLate: boolean;
};

/** One run, to be played. */
type Planned = { readonly scenario: string; readonly seed: number };

try {
  process.exitCode = await runTrial(optionsOf(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

function optionsOf(args: string[]): Options {
  const values = readOptions(args, {
    runs: { type: 'string', default: '8' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: Object.keys(SCENARIOS).join(',') },
    jobs: { type: 'string', default: '4' },
    pace: { type: 'string', default: '10' },
    minutes: { type: 'string', default: '12' },
    'without-expiry': { type: 'boolean', default: false },
  });
  const number = (name: string, least = 1) => wholeNumber(name, String(values[name]), least);
  const scenarios = String(values.only).split(',');
  const unknown = scenarios.find((name) => !Object.hasOwn(SCENARIOS, name));
  if (unknown !== undefined) {
    throw new UsageError(`--only knows ${Object.keys(SCENARIOS).join(', ')}, and not "${unknown}"`);
  }
  return {
    runs: number('runs'),
    seed: number('seed', 0),
    scenarios,
    jobs: number('jobs'),
    pace: number('pace'),
    minutes: number('minutes'),
    mayBeLate: values['without-expiry'] === true,
  };
}

/** Returns the exit code. */
async function runTrial(options: Options): Promise<number> {
  const { runs, seed, scenarios, pace, minutes } = options;
  const folder = mkdtempSync(join(tmpdir(), 'catalogue-trial-'));
  const clock: Pace = { pace, origin: Date.now() };
  const server = await startStore(() => clock.origin + (Date.now() - clock.origin) * pace, options.mayBeLate);
  try {
    const trial = await prepare(folder, server, clock);
    console.log(`A publish is ${trial.requests} requests. Seed ${seed}, pace ${pace}.`);
    const planned = Array.from({ length: runs }, (_, index) =>
      scenarios.map((scenario) => ({ scenario, seed: seed + index })),
    ).flat();
    const outcomes = await playAll(trial, planned, options);
    console.log(tableOf(outcomes, scenarios));
    if (outcomes.size < planned.length) {
      console.log(`${planned.length - outcomes.size} runs were left out after ${minutes} minutes.`);
    }
    return [...outcomes.values()].every(isGood) ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Builds the releases, and publishes each to an empty bucket. */
async function prepare(folder: string, server: StoreServer, clock: Pace): Promise<Trial> {
  const outs = await buildReleases(folder);
  let accounts = 0;
  const bring = async (bucket: string, out: string): Promise<string> => {
    const args = ['publish', `s3://${bucket}`, '--endpoint', server.endpoint, '--out', out, '--allow-shrink'];
    const { code, stderr, release } = await startClient(`clean-${++accounts}`, args, clock, { shift: 0 })
      .ended;
    if (code !== 0 || release === undefined) throw new Error(`a clean publish failed: ${stderr}`);
    return release;
  };
  const references: Reference[] = [];
  for (const [index, out] of outs.entries()) {
    const bucket = server.open(`clean-${index}`, 0);
    const name = await bring(bucket.name, out);
    references.push({ name, objects: releaseObjects(bucket.objects) });
  }
  // Before anything that is to come, on the slowest clock as well.
  const used = server.open('used', -2 * HOUR);
  await bring(used.name, outs[0]!);
  await bring(used.name, outs[1]!);
  const snapshot = new Map(used.objects);
  let requests = 0;
  used.onArrival = () => {
    requests++;
    return undefined;
  };
  await bring(used.name, outs[2]!);
  return { ...clock, server, outs, references, snapshot, requests };
}

/** Plays several runs at a time; those that time is left for. */
async function playAll(
  trial: Trial,
  planned: readonly Planned[],
  { jobs, minutes }: Options,
): Promise<Map<Planned, Outcome & { seconds: number }>> {
  const outcomes = new Map<Planned, Outcome & { seconds: number }>();
  const end = Date.now() + minutes * 60_000;
  const queue = [...planned.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next && Date.now() < end; next = queue.shift()) {
      const [index, run] = next;
      const { scenario, seed } = run;
      const started = performance.now();
      const outcome = await play(trial, SCENARIOS[scenario]!, {
        name: `run-${index}`,
        seed,
        random: createRandom(seed),
        place: (seed * GOLDEN) % 1,
      });
      outcomes.set(run, { ...outcome, seconds: (performance.now() - started) / 1000 });
      if (!isGood(outcome)) console.log(explain(scenario, outcome));
      process.stderr.write(`\r${outcomes.size} of ${planned.length} runs`);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  process.stderr.write('\n');
  return outcomes;
}

function isGood({ damage, breaks }: Outcome): boolean {
  return damage.length === 0 && breaks.length === 0;
}

function explain(scenario: string, { seed, damage, breaks, story }: Outcome): string {
  const found = [...new Set([...damage, ...breaks])];
  return [
    `${scenario}, seed ${seed}:`,
    ...found.slice(0, 20).map((line) => `  ${line}`),
    ...story.map((line) => `    ${line}`),
  ].join('\n');
}

function tableOf(
  outcomes: ReadonlyMap<Planned, Outcome & { seconds: number }>,
  scenarios: readonly string[],
): string {
  const rowOf = (name: string, cells: (string | number)[]) => `| ${[name, ...cells].join(' | ')} |`;
  const cellsOf = (chosen: readonly (Outcome & { seconds: number })[]) => {
    const sum = (count: (outcome: Outcome & { seconds: number }) => number) =>
      chosen.reduce((total, outcome) => total + count(outcome), 0);
    return [
      chosen.length,
      sum(({ taken }) => taken),
      sum(({ expired }) => expired),
      sum(({ damage }) => Number(damage.length > 0)),
      sum(({ breaks }) => breaks.length),
      sum(({ seconds }) => seconds).toFixed(0),
    ];
  };
  const rows = scenarios.map((scenario) => {
    const chosen = [...outcomes].filter(([run]) => run.scenario === scenario).map(([, outcome]) => outcome);
    return rowOf(`\`${scenario}\`: ${DESCRIPTIONS[scenario]}`, cellsOf(chosen));
  });
  return [
    rowOf('Scenario', [
      'Runs',
      'Leases taken over',
      'Late requests refused',
      'Damaged',
      'False breaks',
      'Seconds',
    ]),
    '| --- | --: | --: | --: | --: | --: | --: |',
    ...rows,
    rowOf('all', cellsOf([...outcomes.values()])),
  ].join('\n');
}
