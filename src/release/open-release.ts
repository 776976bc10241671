/** Opens the release in a folder such as `dist/public`, or the one that a live catalogue serves. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf } from '../contract/access.ts';
import { API_KEY_HEADER } from '../contract/headers.ts';
import { CURRENT_KEY, rootKey } from '../contract/object-keys.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';
import { MAX_RESPONSE_BYTES } from '../storage/body.ts';
import { readRelease } from './read-release.ts';
import { detailText, type Release, readIds } from './release.ts';
import { parseCurrent } from './root-contents.ts';

export type OpenedRelease = {
  readonly release: Release;
  readonly ids: () => Promise<readonly string[]>;
  /** Returns JSON. */
  readonly detail: (id: string) => Promise<string>;
  /** Undefined if the file is missing. */
  readonly read: (key: string) => Promise<string | undefined>;
};

export type OpenReleaseOptions = {
  /** Sent as `X-API-KEY` with requests for guarded files of a live catalogue, and to no other host. */
  readonly apiKey?: string | undefined;
  /** Milliseconds after which a request fails. @default 60_000 */
  readonly limit?: number | undefined;
};

export type ReadBytes = (key: string) => Promise<Buffer | undefined>;

/**
 * Undefined if there is no release.
 * @param place folder such as `dist/public`, or the base URL of a live catalogue
 * @throws EnvironmentError `unreachable` if the catalogue does not respond or answers with an error, `file-missing`
 * or `file-differs` if a file is missing, damaged or of another version; UsageError `invalid-api-key` if the catalogue
 * asks for another key. Reading leaves later can throw the same errors
 * @example
 * const release = await openRelease('dist/public');
 * release.release.root.total // 1
 */
export async function openRelease(
  place: string,
  options: OpenReleaseOptions = {},
): Promise<OpenedRelease | undefined> {
  const read = openFileReader(place, options);
  const bytes = await read(CURRENT_KEY);
  if (!bytes) return undefined;
  const current = parseCurrent(bytes);
  const release = current && (await readRelease(current, { read, leafError }));
  if (!release) {
    const key = current ? rootKey(current.release) : CURRENT_KEY;
    throw leafError(key, (await read(key)) === undefined);
  }
  return {
    release,
    ids: () => readIds(release),
    detail: (id) => detailText(release, id),
    read: async (key) => (await read(key))?.toString('utf8'),
  };
}

function leafError(key: string, isMissing: boolean): EnvironmentError {
  return isMissing ? fileMissingError(key) : fileDiffersError(key);
}

/** @param place a folder such as `dist/public`, or the base URL of a live catalogue */
export function openFileReader(place: string, options: OpenReleaseOptions = {}): ReadBytes {
  return /^https?:\/\//.test(place) ? live(place.replace(/\/+$/, ''), options) : inFolder(place);
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

function live(base: string, { apiKey, limit = 60_000 }: OpenReleaseOptions): ReadBytes {
  return async (key) => {
    const url = `${base}/${key}`;
    const { status, body } = await request(url, limit, accessOf(key) === 'guarded' ? apiKey : undefined);
    // A bucket that does not permit listing answers 403 for a missing file.
    if (status === 404 || status === 403) return undefined;
    return okay(base, url, status, body);
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
 * @param apiKey sent as `X-API-KEY`. Redirects are then refused, since they could send the key to another host
 * @throws EnvironmentError `unreachable` if no response arrives or the response is too large
 */
async function request(
  url: string,
  limit: number,
  apiKey?: string,
): Promise<{ status: number; body: Buffer }> {
  const key: Record<string, string> = apiKey === undefined ? {} : { [API_KEY_HEADER]: apiKey };
  try {
    const response = await fetch(url, {
      headers: { 'Cache-Control': 'no-cache', ...key },
      redirect: apiKey === undefined ? 'follow' : 'error',
      signal: AbortSignal.timeout(limit),
    });
    return { status: response.status, body: await wholeOf(response) };
  } catch (cause) {
    throw new EnvironmentError('unreachable', `${url} cannot be reached. Check the URL and the network.`, {
      cause,
    });
  }
}

/** Stops after `MAX_RESPONSE_BYTES`, since an unknown server could send forever. */
async function wholeOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new Error('The answer is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function fileMissingError(key: string): EnvironmentError {
  return new EnvironmentError(
    'file-missing',
    `${key} of a release is missing. Changes are found by comparing complete releases.`,
  );
}

export function fileDiffersError(name: string): EnvironmentError {
  return new EnvironmentError(
    'file-differs',
    `${name} is not what its release says: it is damaged, or another release took its place meanwhile. Run the command again.`,
  );
}
