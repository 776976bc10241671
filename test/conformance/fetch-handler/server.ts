import { createServer } from 'node:http';
import type { Fixture } from '../fixture.ts';
import { FEWER_SIZES, listening, type ServerKind } from '../server.ts';
import { sendPlainFile } from '../servers/plain-file.ts';
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
function plainServer(fixture: Fixture) {
  const server = createServer((request, response) => {
    const key = decodeURIComponent((request.url ?? '').slice(1));
    if (sendPlainFile(fixture, key, request, response)) return;
    response.writeHead(404);
    response.end('nothing here');
  });
  // The runtime keeps connections, and would fail on one that is closed at the moment of a write.
  server.keepAliveTimeout = 0;
  return server;
}
