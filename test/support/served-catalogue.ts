/** The catalogue of `content/`, built with few page sizes and served. */
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../src/compile/build.ts';
import { createHandler, type Handler } from '../../src/serve/handler.ts';
import { startServer } from '../../src/serve/server.ts';
import { ROOT } from './clone.ts';
import { serveLoopback } from './loopback.ts';
import { afterwards, sharedFolder } from './temporary.ts';

export type ServedCatalogue = {
  url: string;
  root: string;
};

/** Has no photos here, unlike all shipped properties. */
export const BARE = 'properties/ie/adare-farm-cottage.yaml';

export const SHIPPED = `${readFileSync(join(ROOT, 'content/catalogue.yaml'), 'utf8')}page_sizes: [1, 25, 100]\n`;

/**
 * Served until the test (outside of tests: the file's last one) ends. Tests of a run share builds. @param apiKeys
 * digests
 */
export async function serveCatalogue(
  settings = '',
  apiKeys: string[] = [],
  baseUrl?: string,
  shipped = SHIPPED,
  lines = '',
): Promise<ServedCatalogue> {
  const configuration = shipped + settings;
  const name = createHash('sha256')
    .update(JSON.stringify([configuration, baseUrl, lines]))
    .digest('hex');
  const folder = await sharedFolder(name, (made) => buildCatalogue(made, configuration, baseUrl, lines));
  const root = join(folder, 'dist/public');
  const { url, close } = await startServer({ root, port: 0, apiKeys });
  afterwards(close);
  return { url, root };
}

/** Makes `content` and `dist` in a folder. */
export async function buildCatalogue(
  folder: string,
  configuration = SHIPPED,
  baseUrl?: string,
  lines = '',
): Promise<void> {
  const content = join(folder, 'content');
  cpSync(join(ROOT, 'content'), content, { recursive: true });
  writeFileSync(join(content, 'catalogue.yaml'), configuration);
  const bare = join(content, BARE);
  writeFileSync(bare, readFileSync(bare, 'utf8').replace(/^photo:\n(?: .*\n)+/m, '') + lines);
  const { outcome } = await build({ content, out: join(folder, 'dist'), ...(baseUrl ? { baseUrl } : {}) });
  if (outcome !== 'published') throw new Error(`The catalogue of content/ was ${outcome}.`);
}

/** The folder may be published after this call. */
export function servePublished(root: string): Promise<string> {
  let handler: Handler | undefined;
  return serveLoopback((request, response) => {
    handler ??= createHandler({ root });
    handler(request, response);
  });
}
