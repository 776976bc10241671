/**
 * Measures `catalogue dev`: from the moment a file is saved to the moment the server answers with what was saved, what
 * memory a thousand saves leave taken, and whether the output is that of a clean build in the end. See `USAGE`.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isMain, readOptions, wholeNumber } from '../command-line.ts';
import { makeCatalogue } from '../make-catalogue.ts';
import { runBenchmark } from './benchmark.ts';
import { CLI, createTitleSave, type DevProcess, pause, startDevProcess } from './dev-session.ts';
import { describeMachine } from './machine.ts';
import { makePlace, removeAtExit } from './place.ts';
import { median } from './statistics.ts';
import { count, markdownTable } from './table.ts';
import { takeSnapshot } from './written-files.ts';

const USAGE = `Usage: npm run bench:dev -- [--count <properties>] [--rounds <number>] [--saves <number>] [--write]

Makes a catalogue, edits it under a running "catalogue dev", and prints how long each kind of save took to be answered,
what memory many saves take, and whether the output is that of a clean build afterwards. Exits with 1 where a goal is missed.`;

/** The goal for the median, in milliseconds. */
const GOAL = 200;
/** What may be alive after all saves, by what was after a tenth of them: the first ones compile code, and fill bounded lists. */
const GROWTH = 1.1;

type Options = {
  readonly count: number;
  readonly rounds: number;
  readonly saves: number;
  readonly write: boolean;
};

function readArguments(args: string[]): Options {
  const given = readOptions(args, {
    count: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '10' },
    saves: { type: 'string', default: '1000' },
    write: { type: 'boolean' },
  });
  return {
    count: wholeNumber('count', String(given.count), 1),
    rounds: wholeNumber('rounds', String(given.rounds), 1),
    saves: wholeNumber('saves', String(given.saves), 10),
    write: given.write === true,
  };
}

/** Waits until the list, or a property, is as it should be. Returns the milliseconds since a time. */
async function until(started: number, isFresh: () => Promise<boolean>): Promise<number> {
  // A server ends connections that were idle while the machine was busy.
  while (!(await isFresh().catch(() => false))) await pause(1);
  return performance.now() - started;
}

/** One way to save: does it, and waits for what was saved. */
type Save = (round: number) => Promise<number>;

type Ways = {
  readonly kinds: Record<string, { save: Save; rest: number }>;
  readonly inPage: (title: string) => Promise<string>;
};

/** A property that comes, and goes again. `added`: path of its file, which says what `yaml` does but for the id. */
function comingAndGoing(list: string, added: string, yaml: string): { add: Save; remove: Save } {
  const total = async () =>
    ((await (await fetch(list)).json()) as { meta: { pagination: { total_entries: number } } }).meta
      .pagination.total_entries;
  return {
    async add() {
      const before = await total();
      const started = performance.now();
      writeFileSync(added, yaml.replace(/^id: .*$/m, 'id: 00000000-0000-4000-8000-000000000001'));
      return until(started, async () => (await total()) > before);
    },
    async remove() {
      const before = await total();
      const started = performance.now();
      unlinkSync(added);
      return until(started, async () => (await total()) < before);
    },
  };
}

function waysToSave(folder: string, server: DevProcess): Ways {
  const { url } = server;
  const root = join(folder, 'content/properties');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .sort()
    .map((path) => join(root, path));
  const path = paths[Math.floor(paths.length / 2)]!;
  const yaml = readFileSync(path, 'utf8');
  const id = /^id: (.*)$/m.exec(yaml)![1]!;
  const list = `${url}/api/v1/public/properties`;
  const retitled = (title: string) => yaml.replace(/^title: .*$/m, `title: ${title}`);
  const shows = async (id: string, title: string) =>
    (await (await fetch(`${list}/${id}`)).text()).includes(title);
  const write: Save = async (round) => {
    const title = `Saved ${round} ${Math.random()}`;
    const started = performance.now();
    writeFileSync(path, retitled(title));
    return until(started, () => shows(id, title));
  };
  const rename: Save = async (round) => {
    const title = `Renamed ${round} ${Math.random()}`;
    const temporary = join(dirname(path), '.saving');
    writeFileSync(temporary, retitled(title));
    const started = performance.now();
    renameSync(temporary, path);
    return until(started, () => shows(id, title));
  };
  const { add, remove } = comingAndGoing(list, join(dirname(path), 'added.yaml'), yaml);
  const inPage = createTitleSave(server, relative(join(folder, 'content'), paths[0]!).split(sep).join('/'));
  const saveInPage: Save = async (round) => {
    const title = `Page ${round} ${Math.random()}`;
    const started = performance.now();
    const id = await inPage(title);
    return until(started, () => shows(id, title));
  };
  const kinds = {
    'a field, while idle': { save: write, rest: 2500 },
    'a field in the page, while idle': { save: saveInPage, rest: 2500 },
    'a field, at once after the last': { save: write, rest: 0 },
    'a field, while the output is brought up to date': { save: write, rest: 500 },
    'a field, by an atomic rename': { save: rename, rest: 2500 },
    'a new property, then': { save: add, rest: 100 },
    'a property removed': { save: remove, rest: 100 },
  };
  return { kinds, inPage };
}

/** Saves of each kind, in milliseconds. */
async function measureSaves({ kinds }: Ways, rounds: number): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  const [added, removed] = ['a new property, then', 'a property removed'];
  const others = Object.keys(kinds).filter((kind) => kind !== added && kind !== removed);
  for (const group of [[added, removed], ...others.map((kind) => [kind])]) {
    for (let round = 0; round < rounds; round++) {
      for (const kind of group) {
        await pause(kinds[kind]!.rest);
        times[kind]!.push(await kinds[kind]!.save(round));
      }
    }
  }
  return times;
}

/** What is alive, and what is resident, after each tenth of many saves: in MiB. */
async function measureMemory(server: DevProcess, { inPage }: Ways, saves: number) {
  const live: number[] = [];
  const resident: number[] = [];
  for (let save = 1; save <= saves; save++) {
    await inPage(`Round ${save}`);
    if (save % Math.floor(saves / 10) !== 0) continue;
    live.push((await server.liveBytes()) / 2 ** 20);
    resident.push((server.residentBytes() ?? 0) / 2 ** 20);
  }
  return { live, resident };
}

/** Files of the output that differ from those of a clean build of the same content. */
function differences(folder: string): string[] {
  execFileSync(process.execPath, [CLI, 'build', '--content', 'content', '--out', 'clean'], {
    cwd: folder,
    stdio: 'ignore',
  });
  return ['public', 'edge'].flatMap((part) => {
    const [ours, clean] = ['out', 'clean'].map((out) => takeSnapshot(join(folder, out, part))) as [
      ReturnType<typeof takeSnapshot>,
      ReturnType<typeof takeSnapshot>,
    ];
    return [...new Set([...ours.keys(), ...clean.keys()])].filter(
      (path) => ours.get(path)?.digest !== clean.get(path)?.digest,
    );
  });
}

async function measure({ count: properties, rounds, saves: many }: Options): Promise<string> {
  const place = makePlace(properties * 240_000);
  removeAtExit(place);
  const machine = describeMachine(place.folder.replace(/\/[^/]*$/, ''), ['chokidar']);
  if (place.warning) machine.push(`- ${place.warning}`);
  makeCatalogue({ folder: join(place.folder, 'content'), count: properties });
  const server = await startDevProcess(place.folder);
  await until(0, async () => (await fetch(`${server.url}/api/v1/public/properties`)).ok);
  await pause(3000);
  const ways = waysToSave(place.folder, server);
  const times = await measureSaves(ways, rounds);
  const { live, resident } = await measureMemory(server, ways, many);
  await untilSettled(place.folder, ways);
  await server.end();
  const differing = differences(place.folder);

  const rows = Object.entries(times).map(([kind, list]) => [
    kind,
    ...[median(list), Math.max(...list)].map((value) => `${value.toFixed(0)} ms`),
  ]);
  const middle = Math.max(
    ...['a field, while idle', 'a field in the page, while idle'].map((kind) => median(times[kind]!)),
  );
  const growth = live.at(-1)! / live[0]!;
  if (middle > GOAL || growth > GROWTH || differing.length > 0) process.exitCode = 1;
  const mebibytes = (list: readonly number[]) => list.map((value) => value.toFixed(0)).join(', ');
  return `${machine.join('\n')}

${markdownTable({ head: [`Saved, among ${count(properties)} properties`, 'Median', 'Slowest'], rows })}

- The slower median of a field while idle is ${middle.toFixed(0)} ms (goal: ${GOAL} ms).
- Memory after each tenth of ${count(many)} saves in the page, in MiB: alive ${mebibytes(live)}, ${growth.toFixed(2)} times as much at
  the end (goal: ${GROWTH}); resident ${mebibytes(resident)}.
- Files of the output that differ from those of a clean build afterwards: ${differing.length === 0 ? 'none' : differing.slice(0, 5).join(', ')}.`;
}

/** Waits until the output has a last change. */
async function untilSettled(folder: string, { inPage }: Ways): Promise<void> {
  const title = `Last ${Math.random()}`;
  const id = await inPage(title);
  const detail = join(folder, 'out/public/_catalogue/properties', `${id}.json`);
  await until(0, async () => readFileSync(detail, 'utf8').includes(title));
  // The manifest is written last.
  await pause(5000);
}

if (isMain(import.meta.url)) {
  await runBenchmark({ usage: USAGE, page: 'dev.md', section: 'bench:dev', readArguments, measure });
}
