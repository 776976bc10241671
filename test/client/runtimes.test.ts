/** The client in a Worker; `runtimes.deep.test.ts` tries Node, Deno and Bun. */
import { readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';
import { expect, it } from 'vitest';
import { createClient } from '../../src/client/index.ts';
import { serveCatalogue } from '../support/served-catalogue.ts';
import { tryClient } from './program.mjs';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

it('gives a Worker the same results as Node', async () => {
  const catalogue = await serveCatalogue();
  const expected = await tryClient(createClient, catalogue.url);
  expect(expected).toMatchObject({ problem: 'ProblemError property-not-found' });
  expect(expected.count).toBe(expected.total);
  const program = `import { createClient } from './client.mjs';
    import { tryClient } from './program.mjs';
    export default { fetch: async () => Response.json(await tryClient(createClient, '${catalogue.url}')) };`;
  const worker = new Miniflare({
    modules: [
      { type: 'ESModule', path: 'worker.mjs', contents: program },
      { type: 'ESModule', path: 'client.mjs', contents: read('../../lib/client/index.js') },
      { type: 'ESModule', path: 'program.mjs', contents: read('program.mjs') },
    ],
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
});
