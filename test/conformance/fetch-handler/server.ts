import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Fixture } from '../fixture.ts';
import { FEWER_SIZES, listening, type ServerKind } from '../server.ts';
import { LISTENING, modulesOf, running } from '../servers/workerd.ts';

/** The fetch handler over a plain HTTP server. */
export const fetchServer: ServerKind<'fetch-handler'> = {
  target: 'fetch-handler',
  benchmark: 'own paths',
  cutsPages: true,
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
  // The runtime keeps connections, and would fail on one that is closed at the moment of a write.
  server.keepAliveTimeout = 0;
  return server;
}
