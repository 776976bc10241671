/**
 * Measures `catalogue dev`: from the moment a file is saved to the moment the server answers with what was saved.
 * See `USAGE`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API_PATH, type Edit, type PropertyAnswer, TOKEN_HEADER } from '../../src/editor/api.ts';
import { isMain, readOptions, runScript, wholeNumber } from '../command-line.ts';
import { makeCatalogue } from '../make-catalogue.ts';
import { describeMachine } from './machine.ts';
import { makePlace, removeAtExit } from './place.ts';
import { median } from './statistics.ts';

const USAGE = `Usage: npm run bench:dev -- [--count <properties>] [--rounds <number>]

Makes a catalogue, edits it under a running "catalogue dev", and prints how long each kind of save took to be answered.`;

/** The goal for the median, in milliseconds. */
const GOAL = 200;
const CLI = fileURLToPath(new URL('../../lib/cli.js', import.meta.url));
const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Server = { readonly url: string; readonly token: string; readonly child: ChildProcess };

async function startServer(folder: string): Promise<Server> {
  const args = [CLI, 'dev', '--content', 'content', '--out', 'out', '--port', '0'];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    const [, url, token] = /(http:\/\/\S+?)\/_edit\/#(\S+)/.exec(text) ?? [];
    if (url && token) return { url, token, child };
  }
  throw new Error(`catalogue dev ended: ${text}`);
}

/** Waits until the list, or a property, is as it should be. Returns the milliseconds since a time. */
async function until(started: number, isFresh: () => Promise<boolean>): Promise<number> {
  while (!(await isFresh())) await pause(1);
  return performance.now() - started;
}

/** Asks as the page that edits does. */
async function ask<Answer>({ url, token }: Server, name: string, body?: object): Promise<Answer> {
  const headers = { [TOKEN_HEADER]: token, 'Content-Type': 'application/json' };
  const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const response = await fetch(url + API_PATH + name, request);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Makes what saves titles of a property in the page that edits: by itself, and until the detail has what was saved. */
function pageSave(server: Server, path: string) {
  let last: PropertyAnswer | undefined;
  const write = async (title: string) => {
    last ??= await ask<PropertyAnswer>(server, `property?path=${path}`);
    const edits: Edit[] = [{ kind: 'set', path: ['title'], value: title }];
    last = await ask<PropertyAnswer>(server, 'save', { path, version: last.version, edits });
  };
  const save: Save = async (round) => {
    const title = `Page ${round} ${Math.random()}`;
    const started = performance.now();
    await write(title);
    const detail = `${server.url}/api/v1/public/properties/${last?.values.id}`;
    return until(started, async () => (await (await fetch(detail)).text()).includes(title));
  };
  return { write, save };
}

/** Saves in the page that are counted in memory. */
const MANY = 1000;

/** Resident memory of a process in MiB, as Linux counts it; undefined elsewhere. */
function memoryOf({ pid }: ChildProcess): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024;
}

/** What memory a series of saves leaves taken: after each tenth of it. */
async function memorySeries({ child }: Server, save: (title: string) => Promise<void>): Promise<string[]> {
  const series: string[] = [];
  for (let round = 1; round <= MANY; round++) {
    await save(`Round ${round}`);
    if (round % (MANY / 10) === 0) series.push(memoryOf(child)?.toFixed(0) ?? 'unknown');
  }
  return series;
}

/** One way to save: does it, and waits for what was saved. */
type Save = (round: number) => Promise<number>;

type Ways = {
  readonly kinds: Record<string, { save: Save; rest: number }>;
  readonly inPage: (title: string) => Promise<void>;
};

function saves(folder: string, server: Server): Ways {
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
  const total = async () =>
    ((await (await fetch(list)).json()) as { meta: { pagination: { total_entries: number } } }).meta
      .pagination.total_entries;
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
  const added = join(dirname(path), 'added.yaml');
  const add: Save = async () => {
    const before = await total();
    const started = performance.now();
    writeFileSync(added, yaml.replace(/^id: .*$/m, 'id: 00000000-0000-4000-8000-000000000001'));
    return until(started, async () => (await total()) > before);
  };
  const remove: Save = async () => {
    const before = await total();
    const started = performance.now();
    unlinkSync(added);
    return until(started, async () => (await total()) < before);
  };
  const page = pageSave(server, relative(join(folder, 'content'), paths[0]!).split(sep).join('/'));
  const kinds = {
    'a field, while idle': { save: write, rest: 2500 },
    'a field in the page, while idle': { save: page.save, rest: 2500 },
    'a field, at once after the last': { save: write, rest: 0 },
    'a field, while the output is brought up to date': { save: write, rest: 500 },
    'a field, by an atomic rename': { save: rename, rest: 2500 },
    'a new property, then': { save: add, rest: 100 },
    'a property removed': { save: remove, rest: 100 },
  };
  return { kinds, inPage: page.write };
}

if (isMain(import.meta.url)) {
  runScript(USAGE, async () => {
    const options = readOptions(process.argv.slice(2), {
      count: { type: 'string', default: '10000' },
      rounds: { type: 'string', default: '10' },
    });
    const count = wholeNumber('count', String(options.count), 1);
    const rounds = wholeNumber('rounds', String(options.rounds), 1);
    const place = makePlace(count * 120_000);
    removeAtExit(place);
    for (const line of describeMachine(place.folder, ['chokidar'])) console.log(line);
    if (place.warning) console.log(`- ${place.warning}`);
    makeCatalogue({ folder: join(place.folder, 'content'), count });
    const server = await startServer(place.folder);
    await until(0, async () => (await fetch(`${server.url}/api/v1/public/properties`)).ok);
    await pause(3000);
    const { kinds, inPage } = saves(place.folder, server);
    const times: Record<string, number[]> = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
    for (const pair of [
      ['a new property, then', 'a property removed'],
      ...Object.keys(kinds)
        .slice(0, 5)
        .map((kind) => [kind]),
    ]) {
      for (let round = 0; round < rounds; round++) {
        for (const kind of pair) {
          await pause(kinds[kind]!.rest);
          times[kind]!.push(await kinds[kind]!.save(round));
        }
      }
    }
    console.log('\n| Saved | Median | Slowest |\n|---|---|---|');
    for (const [kind, list] of Object.entries(times)) {
      const shown = [median(list), Math.max(...list)].map((value) => `${value.toFixed(0)} ms`);
      console.log(`| ${kind} | ${shown.join(' | ')} |`);
    }
    const middle = Math.max(
      median(times['a field, while idle']!),
      median(times['a field in the page, while idle']!),
    );
    console.log(
      `\nGoal: ${GOAL} ms for a field at ${count} properties: ${middle <= GOAL ? 'met' : 'missed'}, ${(middle / GOAL).toFixed(2)} of it.`,
    );
    const series = await memorySeries(server, inPage);
    console.log(`\nMemory over ${MANY} saves in the page, in MiB: ${series.join(', ')}.`);
    server.child.kill('SIGTERM');
    await new Promise((resolve) => server.child.once('exit', resolve));
    process.exit(middle <= GOAL ? 0 : 1);
  });
}
