/** Measures the time from a save until `catalogue dev` serves it, and memory after many saves. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../src/compile/build.ts';
import { count } from '../table.ts';
import { digestOf, makeContent, propertyFiles, withTitle } from './content.ts';
import { type Bench, catalogue, clear } from './place.ts';
import type { Taken } from './process.ts';
import type { Row } from './row.ts';

/** `limit`: seconds. */
const CASES = [
  { properties: 400, limit: 0.3 },
  { properties: 10_000, limit: 0.6 },
];
const LIST = '/api/v1/public/properties';

/** @throws Error when the final output differs from a clean build */
export async function dev(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { properties, limit } of bench.isQuick || bench.properties ? CASES.slice(0, 1) : CASES) {
    const own = bench.properties ?? properties;
    makeContent(bench.folder, own, 'all');
    const name = `Save to page, ${count(own)}`;
    rows.push(
      ...(await rowsOf(bench, own)).map((row) => ({
        ...row,
        name: `${name}: ${row.name}`,
        limit: { seconds: limit },
      })),
    );
    await clear(bench, 'content', 'out', 'clean');
  }
  return rows;
}

async function rowsOf(bench: Bench, properties: number): Promise<Row[]> {
  const { folder, rounds } = bench;
  const { file, args } = catalogue(bench, 'dev', '--content', 'content', '--out', 'out', '--port', '0');
  const child = spawn(file, args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  process.on('exit', () => child.kill());
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    said += text;
  });
  const url = await until(async () => /(http:\/\/\S+?)\/_edit\//.exec(said)?.[1]);
  const saves = savesOf(join(folder, 'content'), url, properties);
  await saves.ready();
  const idle = await timed(2 * rounds, 2500, saves.retitle);
  const resident = residentBytes(child.pid!);
  const busy = await timed(2 * rounds, 0, saves.retitle);
  const comings: Taken[] = [];
  const goings: Taken[] = [];
  for (let round = 0; round < 2 * rounds; round++) {
    comings.push(...(await timed(1, 100, saves.add)));
    goings.push(...(await timed(1, 100, saves.remove)));
  }
  const many = await timed(100 * rounds, 0, saves.retitle);
  const peakBytes = residentBytes(child.pid!);
  const grown = peakBytes && resident ? `memory ${(peakBytes / resident).toFixed(2)} x at the end` : '';

  // The last build may still look for changes that it missed.
  await sleep(5000);
  child.kill('SIGINT');
  await once(child, 'exit');
  await build({ content: join(folder, 'content'), out: join(folder, 'clean'), preview: true });
  const [own, clean] = ['out', 'clean'].map((out) => digestOf(join(folder, out, 'dev'), ['public']));
  if (own !== clean) throw new Error('the output of dev differs from that of a clean build');
  return [
    { name: 'a title, idle', ours: idle },
    { name: 'a title, at once after the last', ours: busy },
    { name: 'a new property', ours: comings },
    { name: 'a property removed', ours: goings },
    {
      name: `${count(many.length)} titles`,
      ours: many.map((one) => ({ ...one, peakBytes })),
      outcome: grown,
    },
  ];
}

/** Each save resolves once the server responds with the saved values. */
function savesOf(content: string, url: string, properties: number) {
  const ask = async (path: string) => (await fetch(url + path)).text();
  const total = async () => Number(/"total_entries": ?(\d+)/.exec(await ask(LIST))?.[1]);
  const files = propertyFiles(content);
  const path = files[files.length >> 1]!;
  const yaml = readFileSync(path, 'utf8');
  const [, id] = /^id: (.*)$/m.exec(yaml)!;
  const added = join(dirname(path), 'added.yaml');
  let serial = 0;
  return {
    ready: () => until(async () => (await total()) === properties),
    retitle() {
      const title = `Saved ${++serial}.`;
      writeFileSync(path, withTitle(yaml, title));
      return until(async () => (await ask(`${LIST}/${id}`)).includes(title));
    },
    add() {
      writeFileSync(added, yaml.replace(/^id: .*$/m, 'id: 00000000-0000-4000-8000-000000000001'));
      return until(async () => (await total()) > properties);
    },
    remove() {
      unlinkSync(added);
      return until(async () => (await total()) === properties);
    },
  };
}

/** @param rest milliseconds before each save */
async function timed(saves: number, rest: number, save: () => Promise<unknown>): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (let place = 0; place < saves; place++) {
    await sleep(rest);
    const start = performance.now();
    await save();
    taken.push({ seconds: (performance.now() - start) / 1000 });
  }
  return taken;
}

/** Polls until `ask` returns something. @throws Error after two minutes */
async function until<Answer>(ask: () => Promise<Answer | undefined>): Promise<NonNullable<Answer>> {
  for (const start = performance.now(); performance.now() - start < 120_000; ) {
    // The server closes connections that are idle while the machine is busy.
    const answer = await ask().catch(() => undefined);
    if (answer) return answer;
    await sleep(1);
  }
  throw new Error('catalogue dev does not show what was saved');
}

function residentBytes(pid: number): number | undefined {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return undefined;
  return 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1]);
}
