/** The client in a Worker; `scripts/client-runtimes.ts` tries Node, Deno and Bun. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { serveCatalogue } from '../served-catalogue.ts';
import { tryClient } from './program.mjs';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));

it('gives a Worker the same results as Node', async () => {
  const catalogue = await serveCatalogue();
  try {
    const expected = await tryClient(createClient, catalogue.url);
    expect(expected).toMatchObject({ problem: 'ProblemError property-not-found' });
    expect(expected.count).toBe(expected.total);
    const { outputFiles } = await build({
      stdin: {
        contents: `import { createClient } from '../../src/client/index.ts';
          import { tryClient } from './program.mjs';
          export default { fetch: async () => Response.json(await tryClient(createClient, '${catalogue.url}')) };`,
        resolveDir: FOLDER,
      },
      bundle: true,
      format: 'esm',
      write: false,
    });
    const worker = new Miniflare({
      modules: true,
      script: outputFiles[0]!.text,
      compatibilityDate: '2026-01-01',
      host: '127.0.0.1',
      port: 0,
      cf: false,
    });
    try {
      const response = await worker.dispatchFetch('http://worker/');
      expect(await response.json()).toEqual(expected);
    } finally {
      await worker.dispose();
    }
  } finally {
    await catalogue.close();
  }
});
