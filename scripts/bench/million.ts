/**
 * Fails if a client that lists all properties through the Worker misses one or gets one twice while a release goes
 * live.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Miniflare } from 'miniflare';
import { createClient } from '../../src/client/index.ts';
import { LISTENING, modulesOf } from '../../test/conformance/servers/workerd.ts';
import { count, megabytes } from '../table.ts';
import { makeContent, propertyFiles, withTitle } from './content.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { type Command, run, type Taken } from './process.ts';
import type { Limit, Row } from './row.ts';
import { hasRclone, rcloneCommand, STORE_ENVIRONMENT, type StoreServer, startStore } from './store-server.ts';

const MILLION = 1_000_000;
/** The local Worker's cache wrongly counts `stale-if-error` as freshness; Cloudflare's does not. */
const SETTINGS = '\nlayout: packed\ntargets: [cloudflare-worker]\ncache_control:\n  api: public, max-age=1\n';
const LIMITS: Readonly<Record<string, Limit>> = {
  'build from nothing': { seconds: 90, megabytes: 1500 },
  'build, nothing changed': { seconds: 6, megabytes: 500 },
  'build, one title': { seconds: 8, megabytes: 700 },
  'publish all': { seconds: 45, megabytes: 256 },
  'publish one title': { seconds: 2 },
  'roll back': { seconds: 1 },
};

export async function million(bench: Bench): Promise<Row[]> {
  const { properties = MILLION, folder } = bench;
  const rows: Row[] = [];
  // The output takes 24 GB, too much for a folder in memory.
  const scratch = mkdtempSync(join(tmpdir(), 'catalogue-million-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  mkdirSync(join(folder, 'million'));
  const content = join(folder, 'million/content');
  makeContent(join(folder, 'million'), properties, 'all');
  appendFileSync(join(content, 'catalogue.yaml'), SETTINGS);
  const store = await startStore({ file: join(scratch, 'store') });
  const add = (name: string, taken: Taken, outcome: string) => {
    const row = { name, ours: [taken], outcome };
    rows.push(properties === MILLION ? { ...row, limit: LIMITS[name] } : row);
    console.error(`${row.name}: ${taken.seconds.toFixed(3)} s, ${outcome}`);
  };
  const trial = { bench: { ...bench, folder: scratch }, content, properties, store, add };
  try {
    await previewOfFew(trial);
    await steps(trial);
  } finally {
    await store.stop();
    rmSync(scratch, { recursive: true, force: true });
    await clear(bench, 'million');
  }
  return rows;
}

type Trial = {
  readonly bench: Bench;
  readonly content: string;
  readonly properties: number;
  readonly store: StoreServer;
  readonly add: (name: string, taken: Taken, outcome: string) => void;
};

async function steps(trial: Trial): Promise<void> {
  const { content, properties, store, add } = trial;
  const { dist, bucket, cli, build, publish } = commandsOf(trial);
  await build('build from nothing');
  await build('build, nothing changed');
  // A lower bound: the operating system's time to read the metadata of a million files.
  const find = { file: 'find', args: [content, '-size', '+1G'] };
  await measured(trial, 'find -size +1G', find, store);
  const first = await publish('publish all');
  await copyWithRclone(trial, join(dist, 'public'));
  await publish('publish, nothing changed');
  const worker = startWorker(join(dist, 'edge/cloudflare-worker'), store);
  try {
    const client = createClient({ baseUrl: (await worker.ready).origin });
    const timed = async (name: string, work: () => Promise<string>) => {
      const start = performance.now();
      const outcome = await work();
      add(name, { seconds: (performance.now() - start) / 1000 }, outcome);
    };
    const readList = () => readAll(client.iterateProperties({ size: 100 }), properties);
    await retitle(content, 'Preview');
    await build('build, one title');
    await publish('preview of one title', '--preview', 'pr-1');
    await retitle(content, 'Again');
    await build();
    let isLive = false;
    const reading = timed('pages, until the release is live', async () => {
      let outcome = '';
      for (let isLast = false; !isLast; ) {
        isLast = isLive;
        outcome = await readList();
      }
      return outcome;
    });
    // The client starts in one release and ends in the other.
    await sleep(200);
    const second = await publish('publish one title').finally(() => {
      isLive = true;
    });
    await reading;
    if (second.release === first.release) throw new Error('the change made no other release');
    await timed('download all', () => readAll(client.downloadProperties(), properties));
    await cli('roll back', 'rollback', ...bucket, first.release);
    await timed('until the release is served again', async () => {
      for (let second = 0; second < 180; second++) {
        if ((await client.getIndex()).release === first.release) return first.release.slice(0, 6);
        await sleep(1000);
      }
      throw new Error(`${first.release} is not served three minutes after the rollback`);
    });
    await cli('prune', 'prune', ...bucket, '--grace', '0', '--keep', '0', '--force');
    await timed('pages, after the prune', readList);
  } finally {
    await worker.dispose();
  }
}

/** A command with a name adds a row. */
function commandsOf(trial: Trial) {
  const { bench, content, store } = trial;
  const dist = join(bench.folder, 'dist');
  const bucket = ['s3://stays', '--endpoint', store.endpoint];
  const cli = async <Result>(name: string | undefined, ...args: string[]): Promise<Result> => {
    const command = { ...catalogue(bench, ...args, '--format', 'json'), env: STORE_ENVIRONMENT };
    if (name !== undefined) return JSON.parse(await measured(trial, name, command, store)) as Result;
    return JSON.parse((await run(command)).stdout) as Result;
  };
  return {
    dist,
    bucket,
    cli,
    build: (name?: string) => cli(name, 'build', '--content', content, '--out', dist),
    publish: (name?: string, ...args: string[]) =>
      cli<{ release: string }>(name, 'publish', ...bucket, '--out', dist, ...args),
  };
}

/** A preview of 10,000 properties with one changed title, to compare its bytes with those of a million. */
async function previewOfFew({ bench, properties: all, add }: Trial): Promise<void> {
  const folder = join(bench.folder, 'few');
  const content = join(folder, 'content');
  const properties = Math.min(10_000, all);
  makeContent(folder, properties, 'all');
  appendFileSync(join(content, 'catalogue.yaml'), SETTINGS);
  const own = await startStore({ file: join(folder, 'store') });
  try {
    const few = { bench: { ...bench, folder }, content, properties, store: own, add };
    const { build, publish } = commandsOf(few);
    await build();
    await publish();
    await retitle(content, 'Preview');
    await build();
    await publish(`${count(properties)}: preview of one title`, '--preview', 'pr-1');
  } finally {
    await own.stop();
    rmSync(folder, { recursive: true });
  }
}

async function retitle(content: string, title: string): Promise<void> {
  const files = propertyFiles(content);
  const path = files[files.length >> 1]!;
  writeFileSync(path, withTitle(readFileSync(path, 'utf8'), title));
  // A file that changes within the clock's resolution before a build is read again by the next build.
  await sleep(60);
}

async function measured({ add }: Trial, name: string, command: Command, store: StoreServer): Promise<string> {
  const before = await store.traffic();
  const { stdout, ...taken } = await run(command);
  const after = await store.traffic();
  const [writes, sent] = [after.writes - before.writes, after.bytes - before.bytes];
  // Minus the request for the traffic itself.
  const requests = after.requests - before.requests - 1;
  const traffic = `${count(requests)} requests, ${count(writes)} writes, ${megabytes(sent)}`;
  add(name, taken, requests > 0 ? traffic : '');
  return stdout;
}

async function copyWithRclone(trial: Trial, folder: string): Promise<void> {
  if (!hasRclone) return;
  const { folder: scratch } = trial.bench;
  const store = await startStore({ file: join(scratch, 'copied') });
  try {
    await measured(trial, 'rclone copy --transfers 32', rcloneCommand(store, folder, scratch), store);
  } finally {
    await store.stop();
    rmSync(join(scratch, 'copied'));
  }
}

/** @throws Error when a property is missing or occurs twice */
async function readAll(entries: AsyncIterable<{ readonly id: string }>, properties: number): Promise<string> {
  const ids = new Set<string>();
  let read = 0;
  for await (const { id } of entries) {
    ids.add(id);
    read++;
  }
  if (read === properties && ids.size === properties) return `${count(properties)} properties, each once`;
  throw new Error(`${read} properties, ${ids.size} of them distinct, instead of ${properties}`);
}

// Source of a module whose bucket binding reads from the store.
const BUCKET = (endpoint: string) => `import worker from './worker.js';
async function ask(key, method) {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const response = await fetch('${endpoint}/stays/' + path, { method });
  if (response.status === 404) {
    await response.body?.cancel();
    return null;
  }
  if (response.status !== 200) throw new Error('get: We encountered an internal error. Please try again. (10001)');
  const { headers, body } = response;
  return { httpEtag: headers.get('ETag'), size: Number(headers.get('Content-Length')), body };
}
const CATALOGUE = { get: (key) => ask(key, 'GET'), head: (key) => ask(key, 'HEAD') };
export default { fetch: (request, environment, context) => worker.fetch(request, { CATALOGUE }, context) };`;

function startWorker(edge: string, { endpoint }: StoreServer): Miniflare {
  return new Miniflare({ ...LISTENING, ...modulesOf(edge, BUCKET(endpoint), 'worker.js') });
}
