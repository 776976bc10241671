/** Prism as a proxy before a catalogue: it compares each answer with the OpenAPI document. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createRandom, integerBetween, pick, type Random } from '../random.ts';

/** What to ask, and where. */
export type Asking = {
  /** Folder in which Prism is installed. */
  readonly folder: string;
  /** URL of the catalogue. */
  readonly url: string;
  readonly requests: number;
  /** The key of a catalogue that asks for one. */
  readonly key?: string;
};

type Ask = { readonly path: string; readonly method?: string; readonly headers?: Record<string, string> };

const LIST = '/api/v1/public/properties';
const FILES = [
  '/index.json',
  '/_catalogue/countries.json',
  '/_catalogue/countries/IE.json',
  '/_catalogue/points/IE.json',
  '/properties.geojson',
];
/** Prism would parse a part of a JSON file, which is not JSON: parts are asked of the others, or are the whole. */
const TEXTS = ['/properties.ndjson', '/properties.ndjson.gz', '/changes/2026-11.ndjson', '/changes/feed.xml'];

/** Asks through Prism. Returns a line for each violation of an answer, and for each answer that Prism could not judge. */
export async function violations({ folder, url, requests, key }: Asking): Promise<string[]> {
  const port = await freePort();
  const name = key ? 'keyed.json' : 'open.json';
  const headers: Record<string, string> = key ? { 'X-API-KEY': key } : {};
  writeFileSync(join(folder, name), await (await fetch(`${url}/openapi.json`)).text());
  const list = (await (await fetch(`${url}${LIST}?page[size]=100`, { headers })).json()) as {
    data: { id: string; city: string; country: string }[];
  };
  const args = ['node_modules/.bin/prism', 'proxy', name, url, '-p', String(port)];
  const prism = spawn(process.execPath, args, { cwd: folder, stdio: 'ignore' });
  try {
    await ready(prism, port);
    const random = createRandom(requests);
    const found: string[] = [];
    for (let number = 0; number < requests; number++) {
      const ask = await makeRequest(random, list.data, url, headers);
      const sent = { ...ask.headers, ...(key && integerBetween(random, 0, 4 - 1) > 0 ? headers : {}) };
      const answer = await fetch(`http://127.0.0.1:${port}${ask.path}`, {
        method: ask.method ?? 'GET',
        headers: sent,
      });
      const what = `${ask.method ?? 'GET'} ${ask.path} ${JSON.stringify(sent)}: ${answer.status}`;
      await answer.arrayBuffer();
      if (answer.status === 500) found.push(`${what}: Prism could not judge the answer`);
      const said = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as {
        location: string[];
        message: string;
      }[];
      // What is wrong with a request is meant to be.
      for (const { location, message } of said) {
        if (location[0] === 'response') found.push(`${what}: ${location.join('.')} ${message}`);
      }
    }
    return found;
  } finally {
    prism.kill();
    if (prism.exitCode === null && prism.signalCode === null) await once(prism, 'exit');
  }
}

/** One of many kinds of request: valid, invalid, conditional, of a part, past the end. */
async function makeRequest(
  random: Random,
  entries: readonly { id: string; city: string; country: string }[],
  url: string,
  key: Record<string, string>,
): Promise<Ask> {
  const entry = pick(random, entries);
  const query = (...pairs: [string, string | number][]) =>
    `${LIST}?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
  const conditional = async (path: string): Promise<Ask> => {
    const tag = (await fetch(url + path, { headers: key })).headers.get('ETag');
    return { path, headers: tag ? { 'If-None-Match': tag } : {} };
  };
  const kinds: (() => Ask | Promise<Ask>)[] = [
    () => ({ path: LIST }),
    () => ({ path: query(['filter[country]', entry.country], ['page[size]', pick(random, [1, 25, 100])]) }),
    () => ({ path: query(['filter[city]', entry.city]) }),
    () => ({ path: query(['filter[country]', entry.country], ['filter[city]', entry.city]) }),
    () => ({ path: query(['page[number]', 1 + integerBetween(random, 0, 30 - 1)]) }),
    () => ({ path: query(['page[number]', 100_000 + integerBetween(random, 0, 1000 - 1)]) }),
    () => ({ path: query(['filter[country]', 'ZZ']) }),
    () => ({ path: query(['page[size]', pick(random, ['0', '101', '-1', 'x', '1.5'])]) }),
    () => ({ path: query(['page[number]', pick(random, ['0', '-1', 'x'])]) }),
    () => ({ path: query(['filter[country]', pick(random, ['ie', 'IRL', 'I'])]) }),
    () => ({ path: query(['filter[contry]', 'IE']) }),
    () => ({ path: query(['page[size]', 25], ['page[size]', 25]) }),
    () => ({ path: `${LIST}?filter[city]=%E9` }),
    () => ({ path: `${LIST}/${entry.id}` }),
    () => ({ path: `${LIST}/${entry.id.toUpperCase()}` }),
    () => ({
      path: `${LIST}/00000000-0000-4000-8000-${String(integerBetween(random, 0, 1e9 - 1)).padStart(12, '0')}`,
    }),
    () => ({ path: pick(random, FILES) }),
    () => ({ path: pick(random, TEXTS) }),
    () => ({ path: '/changes/index.json' }),
    () => ({ path: '/changes/1999-01.ndjson' }),
    () => ({ path: '/_catalogue/points/ZZ.json' }),
    () => conditional(pick(random, [LIST, `${LIST}/${entry.id}`, ...FILES, ...TEXTS])),
    () => ({
      path: pick(random, TEXTS),
      headers: {
        Range: `bytes=${integerBetween(random, 0, 50 - 1)}-${50 + integerBetween(random, 0, 50 - 1)}`,
      },
    }),
    () => ({ path: pick(random, FILES), headers: { Range: 'bytes=0-' } }),
    () => ({ path: pick(random, TEXTS), headers: { Range: 'bytes=999999999-' } }),
    () => ({ path: LIST, headers: { 'X-API-KEY': 'wrong' } }),
  ];
  return pick(random, kinds)();
}

async function ready(prism: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (prism.exitCode !== null) throw new Error('Prism ended before it answered.');
    const isUp = await fetch(`http://127.0.0.1:${port}/index.json`).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('Prism does not answer.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}
