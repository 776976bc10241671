/** Releases as they are found: a folder `dist/public`, or a catalogue that is live. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessOf } from '../contract/access.ts';
import { MANIFEST_KEY, propertyKey } from '../contract/keys.ts';
import type { Summary } from '../contract/property.ts';
import { EnvironmentError } from '../errors.ts';
import { digestOf } from './digest.ts';
import type { Manifest } from './manifest.ts';
import {
  ask,
  differs,
  listedSummaries,
  present,
  type ReadBytes,
  type ReadSummary,
  storedSummaries,
  wrongKey,
} from './summaries.ts';

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

/** How to open a release. */
export type OpenOptions = {
  /** Sent with what a live catalogue guards as `X-API-KEY`, and to no other host. */
  readonly apiKey?: string | undefined;
};

/**
 * Opens a release.
 *
 * @param place path of a folder such as `dist/public`, or the base URL of a live catalogue.
 * @returns the release; undefined when there is none at that place. What is read of it later throws EnvironmentError
 *   `file-missing` or `file-differs` when it is not what the manifest says.
 * @throws EnvironmentError `unreachable` when the catalogue cannot be asked; later UsageError `invalid-api-key` when
 *   its list asks for another key.
 */
export async function openRelease(
  place: string,
  options: OpenOptions = {},
): Promise<ReleaseFiles | undefined> {
  const base = /^https?:\/\//.test(place) ? place.replace(/\/+$/, '') : undefined;
  const bytes = base === undefined ? fromFolder(place) : fromUrl(base, options);
  const read = async (key: string) => (await bytes(key))?.toString('utf8');
  const text = await read(MANIFEST_KEY);
  if (text === undefined) return undefined;
  const manifest = JSON.parse(text) as Manifest;
  const summary =
    base === undefined ? storedSummaries(manifest, bytes) : listedSummaries(manifest, base, options);
  return { ...readableRelease(manifest, createReader(manifest, bytes, summary)), read };
}

function createReader(
  manifest: Manifest,
  read: ReadBytes,
  summary: ReadSummary,
): ReadableRelease['property'] {
  const places = new Map(manifest.sequence.map(([id], place) => [id, place]));
  return (id) => ({
    async detail() {
      const key = propertyKey(id);
      const bytes = await present(read, key);
      if (digestOf(bytes) !== manifest.sequence[places.get(id)!]![4]) throw differs(key);
      return JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
    },
    async thumbnail() {
      const place = places.get(id)!;
      const text = await summary(place);
      if (text === undefined || digestOf(text) !== manifest.sequence[place]![3])
        throw differs(`the summary of ${id}`);
      return (JSON.parse(text) as Summary).thumbnail;
    },
  });
}

function fromFolder(folder: string): ReadBytes {
  return async (key) => {
    try {
      return await readFile(join(folder, key));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

function fromUrl(base: string, { apiKey }: OpenOptions): ReadBytes {
  return async (key) => {
    const url = `${base}/${key}`;
    const { status, body } = await ask(url, accessOf(key) === 'guarded' ? apiKey : undefined);
    if (status === 200) return body;
    if (status === 401) throw wrongKey(base);
    // Buckets without a right to list answer 403 for a file that does not exist.
    if (status === 404 || status === 403) return undefined;
    throw new EnvironmentError('unreachable', `${url} answered ${status}. Try again later.`);
  };
}
