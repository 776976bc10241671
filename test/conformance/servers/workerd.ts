/** The worker and the fetch handler in Cloudflare's runtime, through miniflare. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Miniflare } from 'miniflare';
import type { Fixture } from '../fixture.ts';
import { FEWER_SIZES, listening, type RunningServer, type ServerKind } from '../server.ts';

/** The runtime writes a stack trace for each request that is no legal HTTP. */
function handleRuntimeStdio(...outputs: Readable[]): void {
  for (const output of outputs) output.resume();
}

const LISTENING = { host: '127.0.0.1', port: 0, cf: false, handleRuntimeStdio } as const;
const compatibilityDate = '2026-01-01';

// Puts files into the bucket from within the runtime, which is much faster than from without.
const FILLER = `export default { async fetch(request, { CATALOGUE }) {
  for (const [key, content] of await request.json())
    await CATALOGUE.put(key, Uint8Array.from(atob(content), (character) => character.charCodeAt(0)));
  return new Response(null);
} };`;

/** The Cloudflare Worker over an R2 bucket. */
export const workerServer: ServerKind = {
  target: 'cloudflare-worker',
  needs: [],
  behindProxy: true,
  sizes: FEWER_SIZES,
  origin: {},
  start: async ({ edge, work, fixture, origin }) => {
    if (origin !== undefined) return startFailingWorker(edge, origin);
    const shared = { modules: true, r2Buckets: { CATALOGUE: 'catalogue' }, compatibilityDate } as const;
    const { Miniflare } = await import('miniflare');
    const worker = new Miniflare({
      ...LISTENING,
      r2Persist: join(work, 'r2'),
      cachePersist: join(work, 'cache'),
      workers: [
        { name: 'worker', script: readFileSync(join(edge, 'worker.js'), 'utf8'), ...shared },
        { name: 'filler', script: FILLER, ...shared },
      ],
    });
    const filler = (await worker.getWorker('filler')) as unknown as { fetch: typeof fetch };
    const files = [...fixture.files]
      .filter(([key]) => isStored(key))
      .map(([key, content]) => [key, content.toString('base64')]);
    await filler.fetch('http://filler/', { method: 'POST', body: JSON.stringify(files) });
    return running(worker);
  },
};

// A bucket that fails when the origin does: R2 gives null for a key that it does not have, and rejects otherwise.
const FAILING_BUCKET = (origin: number) => `import worker from './worker.js';
async function ask(key) {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const response = await fetch('http://127.0.0.1:${origin}/' + path, { redirect: 'manual' });
  if (response.status === 200) {
    return { httpEtag: response.headers.get('ETag'), size: Number(response.headers.get('Content-Length')), body: response.body };
  }
  await response.body?.cancel();
  if (response.status === 404) return null;
  throw new Error('get: We encountered an internal error. Please try again. (10001)');
}
export default {
  fetch: (request, environment, context) => worker.fetch(request, { CATALOGUE: { get: ask, head: ask } }, context),
};`;

async function startFailingWorker(edge: string, origin: number): Promise<RunningServer> {
  const { Miniflare } = await import('miniflare');
  return running(new Miniflare({ ...LISTENING, ...modulesOf(edge, FAILING_BUCKET(origin), 'worker.js') }));
}

/** A module around a generated one. */
function modulesOf(edge: string, main: string, name: string) {
  return {
    compatibilityDate,
    modulesRoot: edge,
    modules: [
      { type: 'ESModule' as const, path: join(edge, 'main.js'), contents: main },
      { type: 'ESModule' as const, path: join(edge, name), contents: readFileSync(join(edge, name), 'utf8') },
    ],
  };
}

function isStored(key: string): boolean {
  const size = /\/(\d+)-\d+\.json$/.exec(key)?.[1];
  return size === undefined || FEWER_SIZES.includes(Number(size));
}

/** The fetch handler over a plain HTTP server. */
export const fetchServer: ServerKind = {
  target: 'fetch-handler',
  needs: [],
  behindProxy: true,
  sizes: FEWER_SIZES,
  origin: { isBucketBySetting: true },
  start: async ({ edge, fixture, origin: other }) => {
    const origin =
      other === undefined ? await listening(plainServer(fixture)) : { port: other, stop: async () => {} };
    const main = `import { handle } from './handler.js';
export default { fetch: (request, environment, context) => handle(request, 'http://127.0.0.1:${origin.port}', context) };`;
    const { Miniflare } = await import('miniflare');
    const worker = new Miniflare({ ...LISTENING, ...modulesOf(edge, main, 'handler.js') });
    const { port, stop } = await running(worker);
    return {
      port,
      stop: async () => {
        await stop();
        await origin.stop();
      },
    };
  },
};

async function running(worker: Miniflare): Promise<RunningServer> {
  const { port } = await worker.ready;
  return { port: Number(port), stop: () => worker.dispose() };
}

/** A server of plain files with entity tags, as any static host is one. */
function plainServer({ files }: Fixture) {
  const server = createServer((request, response) => {
    const body = files.get(decodeURIComponent((request.url ?? '').slice(1)));
    if (!body) {
      response.writeHead(404);
      response.end('nothing here');
      return;
    }
    const tag = `"${createHash('md5').update(body).digest('hex')}"`;
    response.writeHead(200, { ETag: tag, 'Content-Length': body.length });
    response.end(body);
  });
  // The runtime keeps connections, and would fail on one that is closed at the moment at which it writes to it.
  server.keepAliveTimeout = 0;
  return server;
}
