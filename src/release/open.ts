/** Opens a release where it is: a folder such as `dist/public`, or a catalogue that is live. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf } from '../contract/access.ts';
import { API_KEY_HEADER } from '../contract/headers.ts';
import { LIST_PATH, MANIFEST_KEY, propertyKey } from '../contract/keys.ts';
import { EnvironmentError, UsageError } from '../errors.ts';
import { digestOf } from './digest.ts';
import { readRelease } from './read.ts';
import { entryOf, type Release } from './release.ts';
import { openSummaries, type ReadPage } from './summaries.ts';

/** A release, and the content of its properties, wherever it is. */
export type ReadableRelease = {
  readonly release: Release;
  /** The JSON of the detail of a property, by its id. */
  readonly detail: (id: string) => Promise<string>;
  /** The JSON of its summary. */
  readonly summary: (id: string) => Promise<string>;
};

/** A release in a folder, or a live one. */
export type OpenedRelease = ReadableRelease & {
  /** The text of a file by its key; undefined when it is absent. */
  readonly read: (key: string) => Promise<string | undefined>;
};

/** How to open a release. */
export type OpenOptions = {
  /** Sent with what a live catalogue guards as `X-API-KEY`, and to no other host. */
  readonly apiKey?: string | undefined;
};

/** Reads an object by its key; undefined when it is absent. */
type ReadBytes = (key: string) => Promise<Buffer | undefined>;

/** A place that holds a release. */
type ReleaseLocation = { readonly read: ReadBytes; readonly page?: ReadPage };

/**
 * Opens a release.
 *
 * @param place path of a folder such as `dist/public`, or the base URL of a live catalogue.
 * @returns the release; undefined when the place holds no release. What is read of it later throws EnvironmentError
 *   `file-missing` or `file-differs` when it is not what the manifest says.
 * @throws EnvironmentError `unreachable` when the catalogue does not answer, `file-differs` when its manifest is damaged
 *   or of another version; later UsageError `invalid-api-key` when its list asks for another key.
 *
 * @example
 * const release = await openRelease('dist/public');
 * release.release.sequence.length // 1
 */
export async function openRelease(
  place: string,
  options: OpenOptions = {},
): Promise<OpenedRelease | undefined> {
  const base = /^https?:\/\//.test(place) ? place.replace(/\/+$/, '') : undefined;
  const { read, page } = base === undefined ? { read: inFolder(place) } : live(base, options);
  const bytes = await read(MANIFEST_KEY);
  if (!bytes) return undefined;
  const release = await readRelease(bytes, { read });
  if (!release) throw differs(MANIFEST_KEY);
  const present = async (key: string) => (await read(key)) ?? Promise.reject(missing(key));
  return {
    release,
    summary: openSummaries(release, { read: present, page, differs }),
    async detail(id) {
      const key = propertyKey(id);
      const detail = await present(key);
      if (digestOf(detail) !== entryOf(release, id)!.detailDigest) throw differs(key);
      return detail.toString('utf8');
    },
    read: async (key) => (await read(key))?.toString('utf8'),
  };
}

function inFolder(folder: string): ReadBytes {
  return async (key) => {
    try {
      return await readFile(join(folder, key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

/** A live catalogue. Its lists come as every consumer gets them: how it stores them is its own affair. */
function live(base: string, { apiKey }: OpenOptions): ReleaseLocation {
  return {
    async read(key) {
      const url = `${base}/${key}`;
      const { status, body } = await ask(url, accessOf(key) === 'guarded' ? apiKey : undefined);
      // Buckets without a right to list answer 403 for a file that does not exist.
      if (status === 404 || status === 403) return undefined;
      return okay(base, url, status, body);
    },
    async page(number, size) {
      const url = `${base}${LIST_PATH}?page[number]=${number}&page[size]=${size}`;
      const { status, body } = await ask(url, apiKey);
      return { name: url, bytes: okay(base, url, status, body) };
    },
  };
}

function okay(base: string, url: string, status: number, body: Buffer): Buffer {
  if (status === 200) return body;
  if (status === 401) {
    throw new UsageError('invalid-api-key', `${base} asks for another key. Put it into CATALOGUE_API_KEY.`);
  }
  throw new EnvironmentError('unreachable', `${url} answered ${status}. Try again later.`);
}

/**
 * Asks a live catalogue.
 *
 * @param apiKey sent as `X-API-KEY`; then no redirect is followed, which could bring the key to another host.
 * @throws EnvironmentError `unreachable` when there is no answer.
 */
async function ask(url: string, apiKey?: string): Promise<{ status: number; body: Buffer }> {
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

function missing(key: string): EnvironmentError {
  return new EnvironmentError(
    'file-missing',
    `${key} of a release is missing. Changes are found by comparing complete releases.`,
  );
}

function differs(name: string): EnvironmentError {
  return new EnvironmentError(
    'file-differs',
    `${name} is not what the manifest of its release says: it is damaged, or another release took its place meanwhile. Run the command again.`,
  );
}
