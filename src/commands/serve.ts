/** `catalogue serve`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfigurationBytes } from '../build/inputs/scan.ts';
import { outputFolder } from '../build/output-folder.ts';
import { EXPLORER_KEY } from '../contract/document-keys.ts';
import { LIST_PATH, MANIFEST_KEY } from '../contract/keys.ts';
import { UsageError } from '../errors.ts';
import { printable } from '../printable.ts';
import type { Manifest } from '../release/manifest.ts';
import { startServer } from '../serve/server.ts';
import { checkConfiguration } from '../source/configuration-file.ts';
import { terminal } from './terminal.ts';

/** The options, as the command line gives them. */
export type ServeArguments = {
  content: string;
  out: string;
  port: number;
  host: string;
  allowedHost: string[];
};

/** Serves until the process is told to end. Returns the exit code. */
export async function runServe(args: ServeArguments): Promise<number> {
  const { content, out, port, host, allowedHost: allowedHosts } = args;
  const { public: root } = outputFolder(out);
  const manifestPath = join(root, MANIFEST_KEY);
  if (!existsSync(manifestPath)) {
    throw new UsageError('nothing-built', `There is no catalogue in ${root}. Run "catalogue build" first.`);
  }
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8')) as Manifest;
  const server = await startServer({
    root,
    port,
    host,
    allowedHosts,
    apiKeys: apiKeysOf(manifest, content),
  });
  const { out: print } = terminal();
  print(`Serving ${printable(root)}\n`);
  const base = server.url + manifest.api.base;
  if (Object.hasOwn(manifest.documents, EXPLORER_KEY)) print(`  ${base}/\n`);
  for (const url of examples(manifest, base)) print(`  ${printable(url)}\n`);
  print('Press Ctrl+C to end.\n');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await server.close();
  return 0;
}

/** The digests of the keys, which a release does not hold. */
function apiKeysOf(manifest: Manifest, content: string): readonly string[] {
  if (!manifest.api.api_keys) return [];
  return checkConfiguration(readConfigurationBytes(content)).configuration?.api_keys ?? [];
}

/** URLs that work: the list, a filtered page, and a property. */
function examples({ sequence }: Manifest, base: string): string[] {
  const urls = [base + LIST_PATH];
  const [entry] = sequence;
  if (entry) {
    const [id, country, city] = entry;
    urls.push(
      `${base}${LIST_PATH}?filter[country]=${country}&filter[city]=${encodeURIComponent(city)}&page[number]=1&page[size]=25`,
      `${base}${LIST_PATH}/${id}`,
    );
  }
  return urls;
}
