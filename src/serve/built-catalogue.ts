import { join } from 'node:path';
import { outputFolder } from '../compile/output-folder.ts';
import { EXPLORER_KEY } from '../contract/document-keys.ts';
import { CURRENT_KEY, chunkKey, LIST_PATH, rootKey } from '../contract/object-keys.ts';
import type { Summary } from '../contract/property.ts';
import { UsageError } from '../errors/errors.ts';
import { readFileIfPresent } from '../files/files-and-folders.ts';
import { digestOf } from '../release/digest.ts';
import { type ParsedRoot, parseWholeRoot } from '../release/read-release.ts';
import { summaryAt } from '../release/release.ts';
import { parseCurrent } from '../release/root-contents.ts';
import { readConfiguration } from '../source/configuration-file.ts';
import { parseChunk } from '../tree/format/chunk.ts';

export type BuiltCatalogue = {
  readonly root: string;
  /** SHA-256 digests from the configuration, since a release does not include them. */
  readonly apiKeys: readonly string[];
  readonly urls: readonly string[];
};

/** @throws UsageError `nothing-built` if the output folder has no release, `dist-damaged` if it cannot be read */
export function openBuiltCatalogue(out: string, content: string): BuiltCatalogue {
  const { public: root } = outputFolder(out);
  const path = join(root, CURRENT_KEY);
  const bytes = readFileIfPresent(path);
  if (!bytes) {
    throw new UsageError('nothing-built', `There is no catalogue in ${root}. Run "catalogue build" first.`);
  }
  const name = parseCurrent(bytes)?.release;
  const found = name && readFileIfPresent(join(root, rootKey(name)));
  const parsed = found ? parseWholeRoot(found, name) : undefined;
  if (!parsed) throw damaged(path);
  const isKeyed = parsed.contents.settings.api_keys;
  const apiKeys = isKeyed ? (readConfiguration(content).configuration?.api_keys ?? []) : [];
  return { root, apiKeys, urls: urlsOf(root, parsed) };
}

function urlsOf(root: string, parsed: ParsedRoot): string[] {
  const { settings, documents } = parsed.contents;
  const first = firstOf(root, parsed);
  const list = settings.base + LIST_PATH;
  const urls = Object.hasOwn(documents, EXPLORER_KEY) ? [`${settings.base}/`, list] : [list];
  if (!first) return urls;
  const { id, country, city } = first;
  const filter = `filter[country]=${country}&filter[city]=${encodeURIComponent(city)}`;
  return [...urls, `${list}?${filter}&page[number]=1&page[size]=25`, `${list}/${id}`];
}

function firstOf(folder: string, { root }: ParsedRoot): Summary | undefined {
  const [first] = root.chunks;
  if (!first) return undefined;
  const path = join(folder, chunkKey(first.digest));
  const bytes = readFileIfPresent(path);
  const chunk = bytes && digestOf(bytes) === first.digest ? parseChunk(bytes) : undefined;
  if (!chunk) throw damaged(path);
  return JSON.parse(summaryAt(chunk, 0)) as Summary;
}

function damaged(path: string): UsageError {
  return new UsageError(
    'dist-damaged',
    `${path} is not what a build of this version writes. Run "catalogue build --force" first.`,
  );
}
