/** Searches in Chromium over a phone's connection: the first answer, then each keystroke. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startChromium } from '../../test/docs/chromium.ts';
import { count } from '../table.ts';
import { makeContent } from './content.ts';
import { type Bench, catalogue, clear } from './place.ts';
import { run } from './process.ts';
import type { Row } from './row.ts';

const SIZES = [
  { properties: 10_000, megabytes: 0.7, first: 0.3, key: 0.03 },
  { properties: 50_000, megabytes: 3.5, first: undefined, key: 0.06 },
];
/** 20 Mbit/s and 60 ms, as DevTools emulates them. */
const LINE = { offline: false, latency: 60, downloadThroughput: 20e6 / 8, uploadThroughput: 5e6 / 8 };
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
window.measure = async (texts) => {
  const search = createSearch(client);
  const times = [];
  for (const text of ['', ...texts]) {
    const start = performance.now();
    await search({ text, facilities: text ? ['wifi'] : [], filter: { bedrooms: { minimum: text ? 1 : 0 } } });
    times.push((performance.now() - start) / 1000);
  }
  return times;
};
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
      const firsts: { seconds: number }[] = [];
      const keys: { seconds: number }[] = [];
      for (let round = 0; round < rounds; round++) {
        const [one = 0, ...others] = await measure(server.url);
        firsts.push({ seconds: one });
        keys.push({ seconds: Math.max(...others) });
      }
      const name = `${count(properties)} properties`;
      const outcome = `${size.toFixed(2)} MB, at most ${megabytes} ${size <= megabytes ? 'met' : '**not met**'}`;
      rows.push({
        ...{ name: `${name}: the first answer`, ours: firsts, outcome },
        ...(first !== undefined && { limit: { seconds: first } }),
      });
      rows.push({ name: `${name}: the slowest keystroke`, ours: keys, limit: { seconds: key } });
    } finally {
      server.close();
    }
    await clear(bench, 'declared', 'out');
  }
  return rows;
}

async function measure(url: string): Promise<number[]> {
  const browser = await startChromium(['--ignore-certificate-errors']);
  try {
    const page = await browser.context.newPage();
    await page.goto(url);
    await page.waitForFunction('window.measure');
    const session = await browser.context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    return (await page.evaluate(`measure(${JSON.stringify(TYPED)})`)) as number[];
  } finally {
    await browser.close();
  }
}

/** Serves files with gzip over HTTP/2, as a CDN does. */
async function serveCompressed(root: string, lib: string, folder: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes', '-newkey', 'rsa:2048'];
  execFileSync('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  const kept = new Map<string, Buffer>();
  const server = createSecureServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (request, response) => {
      const path = request.url.replace(/\?.*/, '');
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
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}/`, close: () => server.close() };
}
