/** Where the summaries of a release are: pages or chunks in a folder, or the list of a live catalogue. */
import { API_KEY_HEADER } from '../contract/headers.ts';
import { chunkKey, LIST_PATH, pageKey, ROOTS_FOLDER, scopeFolder } from '../contract/keys.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import type { Page } from '../contract/property.ts';
import { EnvironmentError, UsageError } from '../errors.ts';
import { entriesOf, parseChunk } from '../packed/format/chunk.ts';
import { parseRoot } from '../packed/format/root.ts';
import type { Manifest } from './manifest.ts';

/** The bytes of a file by its key; undefined when there is none. */
export type ReadBytes = (key: string) => Promise<Buffer | undefined>;

/** The text of the summary at a place of the sequence; undefined when there is something else. */
export type ReadSummary = (place: number) => Promise<string | undefined>;

/** The summaries of a release in a folder. */
export function storedSummaries(manifest: Manifest, read: ReadBytes): ReadSummary {
  if (manifest.api.layout === 'packed') return packedSummaries(manifest, read);
  return pagedSummaries(manifest, async (number, size) => {
    const key = pageKey(scopeFolder('', ''), size, number);
    return parsed(await present(read, key), key);
  });
}

/** The summaries of a live catalogue, as every consumer gets them: how it stores them is its own affair. */
export function listedSummaries(
  manifest: Manifest,
  base: string,
  { apiKey }: { readonly apiKey?: string | undefined },
): ReadSummary {
  return pagedSummaries(manifest, async (number, size) => {
    const url = `${base}${LIST_PATH}?page[number]=${number}&page[size]=${size}`;
    const { status, body } = await ask(url, apiKey);
    if (status === 200) return parsed(body, url);
    if (status === 401) throw wrongKey(base);
    throw new EnvironmentError('unreachable', `${url} answered ${status}. Try again later.`);
  });
}

function pagedSummaries(
  { api }: Manifest,
  pageOf: (number: number, size: number) => Promise<Page>,
): ReadSummary {
  const size = api.page_sizes === 'all' ? MAX_PAGE_SIZE : Math.max(...api.page_sizes);
  const pages = new Map<number, Promise<Page>>();
  return async (place) => {
    const number = Math.floor(place / size) + 1;
    const { data } = await remembered(pages, number, () => pageOf(number, size));
    const summary = data[place % size];
    return summary && JSON.stringify(summary);
  };
}

function packedSummaries({ documents }: Manifest, read: ReadBytes): ReadSummary {
  const key = Object.keys(documents).find((one) => one.startsWith(`${ROOTS_FOLDER}/`)) ?? ROOTS_FOLDER;
  const roots = new Map<string, ReturnType<typeof readRoot>>();
  const readRoot = async () => {
    const root = parseRoot(await present(read, key));
    if (!root) throw differs(key);
    return root;
  };
  const chunks = new Map<string, ReturnType<typeof readChunk>>();
  const readChunk = async (digest: string) => {
    const chunk = parseChunk(await present(read, chunkKey(digest)));
    if (!chunk) throw differs(chunkKey(digest));
    return chunk;
  };
  return async (place) => {
    const root = await remembered(roots, key, readRoot);
    const at = root.chunks.find(({ start, count }) => start <= place && place < start + count);
    if (!at) throw differs(key);
    const chunk = await remembered(chunks, at.digest, () => readChunk(at.digest));
    if (chunk.count !== at.count) throw differs(chunkKey(at.digest));
    const index = place - at.start;
    return Buffer.from(entriesOf(chunk, index, index + 1)).toString('utf8');
  };
}

function remembered<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  read: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? read();
  known.set(key, value);
  return value;
}

function parsed(body: Buffer, name: string): Page {
  try {
    return JSON.parse(body.toString('utf8')) as Page;
  } catch {
    throw differs(name);
  }
}

/** @throws EnvironmentError `file-missing` when there is no such file. */
export async function present(read: ReadBytes, key: string): Promise<Buffer> {
  const bytes = await read(key);
  if (bytes) return bytes;
  throw new EnvironmentError(
    'file-missing',
    `${key} of a release is missing. Changes are found by comparing complete releases.`,
  );
}

/** The error for a catalogue that asks for another key, or for one at all. */
export function wrongKey(base: string): UsageError {
  return new UsageError('invalid-api-key', `${base} asks for another key. Put it into CATALOGUE_API_KEY.`);
}

/** The error for what has other bytes than the manifest says. */
export function differs(name: string): EnvironmentError {
  return new EnvironmentError(
    'file-differs',
    `${name} is not what the manifest of its release says: it is damaged, or another release took its place meanwhile. Run the command again.`,
  );
}

/**
 * Asks a live catalogue.
 *
 * @param apiKey sent as `X-API-KEY`; then no redirect is followed, which could bring the key to another host.
 * @throws EnvironmentError `unreachable` when there is no answer.
 */
export async function ask(url: string, apiKey?: string): Promise<{ status: number; body: Buffer }> {
  const key: Record<string, string> = apiKey === undefined ? {} : { [API_KEY_HEADER]: apiKey };
  try {
    const response = await fetch(url, {
      headers: { 'Cache-Control': 'no-cache', ...key },
      redirect: apiKey === undefined ? 'follow' : 'error',
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  } catch (cause) {
    throw new EnvironmentError('unreachable', `${url} cannot be reached. Check the URL and the network.`, {
      cause,
    });
  }
}
