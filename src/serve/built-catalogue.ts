import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfiguration } from '../compile/inputs/configuration.ts';
import { outputFolder } from '../compile/output-folder.ts';
import { EXPLORER_KEY } from '../contract/document-keys.ts';
import { chunkKey, LIST_PATH, MANIFEST_KEY, rootKey } from '../contract/object-keys.ts';
import type { Summary } from '../contract/property.ts';
import { UsageError } from '../errors/errors.ts';
import { readFileIfPresent } from '../files/folder.ts';
import { parseChunk } from '../packed/format/chunk.ts';
import { parseRoot } from '../packed/format/root.ts';
import type { Manifest } from '../release/manifest.ts';
import { parseManifest } from '../release/read.ts';
import { summaryAt } from '../release/release.ts';

export type BuiltCatalogue = {
  readonly root: string;
  /** SHA-256 digests from the configuration, since a release does not include them. */
  readonly apiKeys: readonly string[];
  readonly urls: readonly string[];
};

/** @throws UsageError `nothing-built` if the output folder has no release, `dist-damaged` if it cannot be read */
export function openBuiltCatalogue(out: string, content: string): BuiltCatalogue {
  const { public: root } = outputFolder(out);
  const path = join(root, MANIFEST_KEY);
  const bytes = readFileIfPresent(path);
  if (!bytes) {
    throw new UsageError('nothing-built', `There is no catalogue in ${root}. Run "catalogue build" first.`);
  }
  const manifest = parseManifest(bytes);
  if (!manifest) {
    throw new UsageError(
      'dist-damaged',
      `${path} is not what a build of this version writes. Run "catalogue build --force" first.`,
    );
  }
  const apiKeys = manifest.api.api_keys ? (readConfiguration(content).configuration?.api_keys ?? []) : [];
  return { root, apiKeys, urls: urlsOf(root, manifest) };
}

function urlsOf(root: string, manifest: Manifest): string[] {
  const { api, documents } = manifest;
  const first = firstOf(root, manifest);
  const list = api.base + LIST_PATH;
  const urls = Object.hasOwn(documents, EXPLORER_KEY) ? [`${api.base}/`, list] : [list];
  if (!first) return urls;
  const { id, country, city } = first;
  const filter = `filter[country]=${country}&filter[city]=${encodeURIComponent(city)}`;
  return [...urls, `${list}?${filter}&page[number]=1&page[size]=25`, `${list}/${id}`];
}

function firstOf(folder: string, { release }: Manifest): Summary | undefined {
  const [first] = parseRoot(readFileSync(join(folder, rootKey(release))), release)?.chunks ?? [];
  const chunk = first && parseChunk(readFileSync(join(folder, chunkKey(first.digest))));
  return chunk && (JSON.parse(summaryAt(chunk, 0)) as Summary);
}
