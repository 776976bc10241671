import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../../src/files/files-and-folders.ts';
import { FEWER_SIZES, type RunningServer, type ServerKind } from '../server.ts';
import { compatibilityDate, isStored, LISTENING, modulesOf, running } from '../servers/workerd.ts';

/** The Cloudflare Worker over its static assets, whose folder the runtime reads as a deployment uploads it. */
export const assetsServer: ServerKind<'cloudflare-assets'> = {
  target: 'cloudflare-assets',
  benchmark: 'own paths',
  cutsPages: true,
  needs: [],
  behindProxy: true,
  sizes: FEWER_SIZES,
  origin: {},
  start: async ({ edge, work, fixture, origin }) => {
    if (origin !== undefined) return startFailingAssets(edge, origin);
    const directory = join(work, 'public');
    for (const [key, content] of fixture.files) {
      if (!isStored(key)) continue;
      makeFolder(dirname(join(directory, key)));
      writeFileSync(join(directory, key), content);
    }
    return startAssets(edge, directory);
  },
};

/** Starts the worker of an edge folder over the files of another, as `wrangler.jsonc` says. */
export async function startAssets(edge: string, directory: string): Promise<RunningServer> {
  const { Miniflare } = await import('miniflare');
  const text = readFileSync(join(edge, 'wrangler.jsonc'), 'utf8').replace(/^\s*\/\/.*$/gm, '');
  const { main, assets } = JSON.parse(text) as {
    main: string;
    assets: { binding: string; run_worker_first: boolean };
  };
  return running(
    new Miniflare({
      ...LISTENING,
      name: 'catalogue',
      modules: true,
      script: readFileSync(join(edge, main), 'utf8'),
      compatibilityDate,
      assets: {
        workerName: 'catalogue',
        directory,
        binding: assets.binding,
        routerConfig: { invoke_user_worker_ahead_of_assets: assets.run_worker_first, has_user_worker: true },
      },
    }),
  );
}

// Assets that fail with the origin.
const FAILING_ASSETS = (origin: number) => `import worker from './worker.js';
const ASSETS = { fetch: (url) => fetch(url.replace('https://assets', 'http://127.0.0.1:${origin}'), { redirect: 'manual' }) };
export default { fetch: (request, environment, context) => worker.fetch(request, { ASSETS }, context) };`;

async function startFailingAssets(edge: string, origin: number): Promise<RunningServer> {
  const { Miniflare } = await import('miniflare');
  return running(new Miniflare({ ...LISTENING, ...modulesOf(edge, FAILING_ASSETS(origin), 'worker.js') }));
}
