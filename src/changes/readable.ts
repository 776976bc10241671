/** Releases as they are found: a folder `dist/public`, or a catalogue that is live. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_KEY } from '../contract/layout.ts';
import type { Manifest } from '../emit/manifest.ts';
import { EnvironmentError } from '../report/failure.ts';
import type { ReadableRelease } from './difference.ts';

/**
 * Opens a release.
 *
 * @param place path of a folder such as `dist/public`, or the base URL of a live catalogue.
 * @returns the release; undefined when there is none at that place.
 * @throws EnvironmentError `unreachable` when the catalogue cannot be asked.
 */
export async function openRelease(place: string): Promise<ReadableRelease | undefined> {
  const read = /^https?:\/\//.test(place) ? fromUrl(place.replace(/\/+$/, '')) : fromFolder(place);
  const manifest = await read(MANIFEST_KEY);
  return manifest === undefined ? undefined : { manifest: JSON.parse(manifest) as Manifest, read };
}

function fromFolder(folder: string): ReadableRelease['read'] {
  return async (key) => {
    try {
      return await readFile(join(folder, key), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

function fromUrl(base: string): ReadableRelease['read'] {
  return async (key) => {
    const url = `${base}/${key}`;
    let status: number;
    let text: string;
    try {
      const response = await fetch(url, { headers: { 'Cache-Control': 'no-cache' } });
      status = response.status;
      text = await response.text();
    } catch (cause) {
      throw new EnvironmentError('unreachable', `${url} cannot be reached. Check the URL and the network.`, {
        cause,
      });
    }
    if (status === 200) return text;
    // Buckets without a right to list answer 403 for a file that does not exist.
    if (status === 404 || status === 403) return undefined;
    throw new EnvironmentError('unreachable', `${url} answered ${status}. Try again later.`);
  };
}
