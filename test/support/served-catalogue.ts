/** The catalogue of `content/`, built and served; with few page sizes, since tests need no more. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '../../src/build/build.ts';
import { startServer } from '../../src/serve/server.ts';
import { temporaryFolder } from './temporary.ts';

const CONTENT = fileURLToPath(new URL('../../content', import.meta.url));

export type ServedCatalogue = {
  /** Base URL of the catalogue. */
  url: string;
  /** Folder of everything: `content` and `dist`. */
  folder: string;
  /** The folder `dist/public`. */
  root: string;
  close: () => Promise<void>;
};

/**
 * Builds and serves it. `configuration` is added to `catalogue.yaml`, which `edit` may change; `apiKeys` are digests;
 * `baseUrl` stands above the one of the configuration.
 */
export async function serveCatalogue(
  configuration = '',
  apiKeys: string[] = [],
  baseUrl?: string,
  edit = (text: string) => text,
): Promise<ServedCatalogue> {
  const folder = temporaryFolder();
  const content = join(folder, 'content');
  cpSync(CONTENT, content, { recursive: true });
  removePhotos(join(content, 'properties/ie/adare-farm-cottage.yaml'));
  const sizes = configuration.includes('page_sizes') ? '' : 'page_sizes: [1, 25, 100]\n';
  const settings = join(content, 'catalogue.yaml');
  writeFileSync(settings, `${edit(readFileSync(settings, 'utf8'))}${sizes}${configuration}`);
  const out = join(folder, 'dist');
  const { outcome } = await build({ content, out, ...(baseUrl ? { baseUrl } : {}) });
  if (outcome !== 'published') throw new Error(`The catalogue of content/ was ${outcome}.`);
  const root = join(out, 'public');
  const { url, close } = await startServer({ root, port: 0, apiKeys });
  return {
    url,
    folder,
    root,
    close: async () => {
      await close();
    },
  };
}

/** Takes the photos out of a property: each shipped one has some. */
function removePhotos(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^photo:\n(?: .*\n)+/m, ''));
}
