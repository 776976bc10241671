/** Searches in Chromium over a phone's connection: the first answer, then each keystroke. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { findChromium } from '../../test/docs/chromium.ts';
import { count } from '../table.ts';
import { makeContent } from './content.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { run } from './process.ts';
import type { Row } from './row.ts';

const SIZES = [
  { properties: 10_000, megabytes: 0.7, first: 0.3, key: 0.03 },
  { properties: 50_000, megabytes: 3.5, first: undefined, key: 0.06 },
];
/** Milliseconds of one way, and bytes in a millisecond: a round trip of 60 ms, 20 Mbit/s down and 5 up. */
const LINE = { delay: 30, down: 2_500, up: 625 };
/**
 * Milliseconds between the page and the first search, and between two keys of a fast typist on a phone: what is not
 * read by then is waited for.
 */
const PAUSE = 200;
const TYPED = [
  'r',
  'ro',
  'ros',
  'rose',
  'rose c',
  'rose co',
  'rose cot',
  'rose cota',
  'rose cotag',
  'rose cotage',
];

const PAGE = `<!doctype html><title>Search</title><link rel="icon" href="data:,">
<script type="module">
import { createClient } from '/lib/client/index.js';
import { createSearch } from '/lib/client/search.js';
const client = createClient({ baseUrl: location.origin });
const wait = (pause) => new Promise((resolve) => setTimeout(resolve, pause));
const time = async (search, query) => {
  const start = performance.now();
  await search(query);
  return (performance.now() - start) / 1000;
};
const measure = async (texts, pause) => {
  const open = async () => {
    const search = createSearch(client);
    await wait(pause);
    return search;
  };
  const named = await time(await open(), { text: 'rose' });
  const search = await open();
  const first = await time(search, { filter: { bedrooms: { minimum: 0 } } });
  const keys = [];
  for (const text of texts) {
    await wait(pause);
    keys.push(await time(search, { text, facilities: ['wifi'], filter: { bedrooms: { minimum: 1 } } }));
  }
  return { named, first, start: keys[0], key: Math.max(...keys.slice(1)) };
};
const times = await measure(${JSON.stringify(TYPED)}, ${PAUSE}).catch((error) => ({ error: String(error) }));
await fetch('/times', { method: 'POST', body: JSON.stringify(times) });
</script>`;

export async function search(bench: Bench): Promise<Row[]> {
  const { folder, rounds } = bench;
  const rows: Row[] = [];
  for (const { properties, megabytes, first, key } of SIZES) {
    if (bench.properties !== undefined && properties > bench.properties) continue;
    makeContent(folder, properties, [25], 'declared');
    const settings = join(folder, 'declared/catalogue.yaml');
    const text = readFileSync(settings, 'utf8').replace(
      /^ {2}(bedrooms|max_guests|bathrooms): \{\}$/gm,
      '  $1: { filter: true }',
    );
    writeFileSync(settings, `${text}\nlayout: packed\n`);
    await run(catalogue(bench, 'build', '--content', 'declared', '--out', 'out'));
    const root = join(folder, 'out/public');
    const bytes = ['roots', 'chunks', 'facets'].flatMap((name) =>
      readdirSync(join(root, '_catalogue', name)).map(
        (file) => gzipSync(readFileSync(join(root, '_catalogue', name, file)), { level: 6 }).length,
      ),
    );
    const size = bytes.reduce((sum, one) => sum + one, 0) / 1e6;
    const server = await serveCompressed(root, dirname(bench.cli), folder);
    try {
      const times: Times[] = [];
      for (let round = 0; round < rounds; round++) times.push(await server.measure());
      const ours = (of: keyof Times) => times.map((one) => ({ seconds: one[of] }));
      const name = `${count(properties)} properties`;
      const outcome = `${size.toFixed(2)} MB, at most ${megabytes} ${size <= megabytes ? 'met' : '**not met**'}`;
      rows.push({
        ...{ name: `${name}: the first answer, to filters`, ours: ours('first'), outcome },
        ...(first !== undefined && { limit: { seconds: first } }),
      });
      rows.push({ name: `${name}: the first answer, to a name`, ours: ours('named') });
      rows.push({ name: `${name}: the first key, which needs all names`, ours: ours('start') });
      rows.push({ name: `${name}: the slowest other key`, ours: ours('key'), limit: { seconds: key } });
    } finally {
      server.close();
    }
    await clear(bench, 'declared', 'out');
  }
  return rows;
}

type Times = Readonly<Record<'first' | 'named' | 'start' | 'key', number>>;

/** Serves files with gzip over HTTP/2, as a CDN does, to Chromium at the end of a slow line. */
async function serveCompressed(root: string, lib: string, folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const kept = new Map<string, Buffer>();
  let onTimes: (times: Times) => void = () => {};
  const server = createSecureServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    async (request, response) => {
      const path = request.url.replace(/\?.*/, '');
      if (request.method === 'POST') {
        onTimes((await json(request)) as Times);
        response.end();
        return;
      }
      const type = path === '/' ? 'text/html' : path.endsWith('.js') ? 'text/javascript' : 'application/json';
      const read = () =>
        path === '/'
          ? Buffer.from(PAGE)
          : readFileSync(path.startsWith('/lib/') ? join(lib, path.slice(5)) : join(root, path));
      const bytes = kept.get(path) ?? gzipSync(read(), { level: 6 });
      kept.set(path, bytes);
      response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' });
      response.end(bytes);
    },
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const line = await openLine((server.address() as AddressInfo).port);
  return {
    /** Without DevTools, which take two milliseconds a request, and whose own slow line stops at times. */
    async measure(): Promise<Times> {
      const measured = new Promise<Times>((resolve) => {
        onTimes = resolve;
      });
      const profile = mkdtempSync(join(folder, 'profile-'));
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
      // Without a port it ends once the page is loaded.
      flags.push('--remote-debugging-port=0');
      const browser = spawn(
        findChromium()!,
        [
          ...flags,
          '--ignore-certificate-errors',
          `--user-data-dir=${profile}`,
          `https://localhost:${line.port}/`,
        ],
        { stdio: 'ignore' },
      );
      try {
        return await measured;
      } finally {
        const ended = once(browser, 'exit');
        browser.kill();
        await ended;
      }
    },
    close() {
      line.close();
      server.close();
    },
  };
}

/** Passes bytes on as late, and as slowly, as a phone's line does. */
async function openLine(to: number) {
  const sockets = new Set<Socket>();
  const pass = (from: Socket, into: Socket, rate: number) => {
    let free = 0;
    // One after another, since timers of different lengths may change places.
    let passed: Promise<unknown> = Promise.resolve();
    from.on('data', (bytes) => {
      free = Math.max(free, performance.now()) + bytes.length / rate;
      const due = free + LINE.delay;
      passed = passed
        .then(() => setTimeout(Math.max(0, due - performance.now())))
        .then(() => into.write(bytes));
    });
    from.on('error', () => into.destroy());
    from.on('close', () => into.destroy());
  };
  const server = createServer({ noDelay: true }, (phone) => {
    const far = connect({ port: to, host: '127.0.0.1', noDelay: true });
    sockets.add(phone).add(far);
    pass(phone, far, LINE.up);
    pass(far, phone, LINE.down);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
