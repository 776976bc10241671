import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FEWER_SIZES, type RunningServer, type ServerKind } from '../server.ts';
import { compatibilityDate, isStored, LISTENING, modulesOf, running } from '../servers/workerd.ts';

// Puts files into the bucket from within the runtime, which is much faster than from outside.
const FILLER = `export default { async fetch(request, { CATALOGUE }) {
  for (const [key, content] of await request.json())
    await CATALOGUE.put(key, Uint8Array.from(atob(content), (character) => character.charCodeAt(0)));
  return new Response(null);
} };`;

/** The Cloudflare Worker over an R2 bucket. */
export const workerServer: ServerKind<'cloudflare-worker'> = {
  target: 'cloudflare-worker',
  benchmark: 'own paths',
  cutsPages: true,
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

// The bucket fails with the origin: R2 returns null for a missing key, and rejects otherwise.
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
