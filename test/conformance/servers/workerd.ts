/** The worker and the fetch handler in Cloudflare's runtime, through miniflare. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Miniflare } from 'miniflare';
import type { Fixture } from '../fixture.ts';
import { listening, type RunningServer, type ServerKind } from '../server.ts';

type Bucket = { put: (key: string, content: Buffer) => Promise<unknown> };

const OPTIONS = { host: '127.0.0.1', port: 0, compatibilityDate: '2026-01-01', cf: false } as const;

/** The Cloudflare Worker over an R2 bucket. */
export const workerServer: ServerKind = {
  target: 'cloudflare-worker',
  needs: [],
  start: async ({ edge, fixture }) => {
    const worker = new Miniflare({
      ...OPTIONS,
      modules: true,
      script: readFileSync(join(edge, 'worker.js'), 'utf8'),
      r2Buckets: ['CATALOGUE'],
    });
    const bucket = (await worker.getR2Bucket('CATALOGUE')) as unknown as Bucket;
    const files = [...fixture.files];
    const put = async () => {
      for (let file = files.pop(); file; file = files.pop()) await bucket.put(file[0], file[1]);
    };
    await Promise.all(Array.from({ length: 16 }, put));
    return running(worker);
  },
};

/** The fetch handler over a plain HTTP server. */
export const fetchServer: ServerKind = {
  target: 'fetch-handler',
  needs: [],
  start: async ({ edge, fixture }) => {
    const origin = await listening(plainServer(fixture));
    const main = `import { handle } from './handler.js';
export default { fetch: (request) => handle(request, 'http://127.0.0.1:${origin.port}') };`;
    const worker = new Miniflare({
      ...OPTIONS,
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
  return createServer((request, response) => {
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
}
