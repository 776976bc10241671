/** Releases as they are found: a folder `dist/public`, or a catalogue that is live. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANIFEST_KEY, pageKey, propertyKey, scopeFolder } from '../contract/layout.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import type { Page } from '../contract/property.ts';
import type { Manifest } from '../emit/manifest.ts';
import { EnvironmentError } from '../report/failure.ts';

/** What a release says of one property. */
export type PropertyContent = {
  /** The fields of its detail. */
  readonly detail: () => Promise<Record<string, unknown>>;
  /** The thumbnail of its summary, which is no field of the detail. */
  readonly thumbnail: () => Promise<string | null>;
};

/** A release of which one property after the other can be read. */
export type EarlierRelease = {
  readonly manifest: Manifest;
  /** The properties of these ids, each once, in any order. */
  readonly properties: (ids: ReadonlySet<string>) => AsyncIterable<readonly [id: string, PropertyContent]>;
};

/** A release of which any property can be read. */
export type ReadableRelease = EarlierRelease & {
  readonly property: (id: string) => PropertyContent;
};

/** A release that is found file by file. */
export type ReleaseFiles = ReadableRelease & {
  /** The text of a file of it by its key; undefined when there is none. */
  readonly read: (key: string) => Promise<string | undefined>;
};

/** A release of which any property can be read. */
export function readableRelease(manifest: Manifest, property: ReadableRelease['property']): ReadableRelease {
  return {
    manifest,
    property,
    async *properties(ids) {
      for (const id of ids) yield [id, property(id)];
    },
  };
}

/**
 * Opens a release.
 *
 * @param place path of a folder such as `dist/public`, or the base URL of a live catalogue.
 * @returns the release; undefined when there is none at that place.
 * @throws EnvironmentError `unreachable` when the catalogue cannot be asked.
 */
export async function openRelease(place: string): Promise<ReleaseFiles | undefined> {
  const read = /^https?:\/\//.test(place) ? fromUrl(place.replace(/\/+$/, '')) : fromFolder(place);
  const text = await read(MANIFEST_KEY);
  if (text === undefined) return undefined;
  const manifest = JSON.parse(text) as Manifest;
  return { ...readableRelease(manifest, createReader(manifest, read)), read };
}

/** Reads details, and pages of the unfiltered list for summaries. */
function createReader(manifest: Manifest, read: ReleaseFiles['read']): ReadableRelease['property'] {
  const { page_sizes } = manifest.api;
  const size = page_sizes === 'all' ? MAX_PAGE_SIZE : Math.max(...page_sizes);
  const places = new Map(manifest.sequence.map(([id], place) => [id, place]));
  const pages = new Map<number, Promise<Page>>();
  const json = async (key: string) => {
    const text = await read(key);
    if (text === undefined) {
      throw new EnvironmentError(
        'file-missing',
        `${key} of a release is missing. Changes are found by comparing complete releases.`,
      );
    }
    return JSON.parse(text);
  };
  return (id) => ({
    detail: () => json(propertyKey(id)),
    async thumbnail() {
      const place = places.get(id)!;
      const number = Math.floor(place / size) + 1;
      let page = pages.get(number);
      if (!page) {
        page = json(pageKey(scopeFolder('', ''), size, number)) as Promise<Page>;
        pages.set(number, page);
      }
      return (await page).data[place % size]!.thumbnail;
    },
  });
}

function fromFolder(folder: string): ReleaseFiles['read'] {
  return async (key) => {
    try {
      return await readFile(join(folder, key), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

function fromUrl(base: string): ReleaseFiles['read'] {
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
