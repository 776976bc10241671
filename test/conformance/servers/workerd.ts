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
  start: async ({ edge, work, fixture }) => {
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
  start: async ({ edge, fixture }) => {
    const origin = await listening(plainServer(fixture));
    const main = `import { handle } from './handler.js';
export default { fetch: (request, environment, context) => handle(request, 'http://127.0.0.1:${origin.port}', context) };`;
    const { Miniflare } = await import('miniflare');
    const worker = new Miniflare({
      ...LISTENING,
      compatibilityDate,
      modulesRoot: edge,
      modules: [
        { type: 'ESModule', path: join(edge, 'main.js'), contents: main },
        {
          type: 'ESModule',
          path: join(edge, 'handler.js'),
          contents: readFileSync(join(edge, 'handler.js'), 'utf8'),
        },
      ],
    });
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
