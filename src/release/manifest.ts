/** Lists what a release contains in addition to its tree. Pages are not listed, since they follow from the tree. */

import { type AboutCatalogue, aboutCatalogue } from '../contract/about.ts';
import type { Configuration } from '../contract/configuration.ts';
import { hasPages, routeSettings } from '../contract/configuration.ts';
import { partKey } from '../contract/document-keys.ts';
import { headerGroup, storedHeaders } from '../contract/headers.ts';
import {
  CURRENT_KEY,
  chunkKey,
  citiesKey,
  facetsKey,
  mediaKey,
  PAGES_FOLDER,
  pageKey,
  propertyKey,
  rootKey,
  totalKey,
} from '../contract/object-keys.ts';
import { facetDigests, type Root } from '../packed/format/root.ts';
import { digestOf } from './digest.ts';
import { edgeConfigurationName } from './edge-configuration-name.ts';

/** The only part of a manifest that does not depend on the content. */
export type BuildIdentity = {
  /** 40 or 64 hexadecimal digits; null outside a repository. */
  readonly commit: string | null;
  /** Time of that commit (RFC 3339); null outside a repository. */
  readonly time: string | null;
};

export const MANIFEST_VERSION = 7;

/** As stored, without the root and the documents that the root names; {@link withTreeDocuments} adds them. */
export type Manifest = {
  readonly version: typeof MANIFEST_VERSION;
  /** Name of the release: the digest of its root. */
  readonly release: string;
  readonly build: BuildIdentity;
  readonly about?: AboutCatalogue | undefined;
  /** Settings that targets need. */
  readonly api: {
    readonly base: string;
    /** `base_url`, for links in the feed. */
    readonly url: string;
    /** Base URL of photos. */
    readonly media_url: string;
    readonly page_sizes: 'all' | readonly number[];
    readonly layout: Configuration['layout'];
    readonly cache_control: Configuration['cache_control'];
    /** Whether the list requires an API key. Keys and their digests are not published. */
    readonly api_keys: boolean;
    /** Name of the targets' configuration (`edge-configuration-name.ts`). */
    readonly edge?: string | undefined;
  };
  /** If a digest changes, all files of its header group must be written again. */
  readonly headers: HeaderDigests;
  /** Digests by key. Lacks the documents that only the root names until the root is read. */
  readonly documents: Readonly<Record<string, string>>;
  /** Names of photos and thumbnails. A name identifies the content. */
  readonly media: readonly string[];
};

/** Digests of stored headers by group (`headerGroup` in `contract/headers.ts`). */
type HeaderDigests = Readonly<Record<string, string>>;

function headerDigests(
  configuration: Configuration,
  documents: Iterable<string>,
  media: readonly string[],
): HeaderDigests {
  const caching = configuration.cache_control;
  const isKeyed = configuration.api_keys.length > 0;
  const keys = [rootKey(''), CURRENT_KEY];
  if (hasPages(configuration))
    keys.push(propertyKey(''), pageKey(PAGES_FOLDER, 1, 1), totalKey(PAGES_FOLDER));
  const digests: Record<string, string> = {};
  for (const key of [...keys, ...documents, ...media.map(mediaKey)]) {
    digests[headerGroup(key)] ??= digestOf(JSON.stringify(storedHeaders(key, caching, isKeyed)));
  }
  return digests;
}

export type ManifestParts = {
  readonly name: string;
  readonly build: BuildIdentity;
  readonly configuration: Configuration;
  /** Digests by key, including documents that the root names. */
  readonly documents: ReadonlyMap<string, string>;
  readonly media: readonly string[];
};

/** Keys of the root and of the objects that it names; an asterisk replaces each digest. */
const IN_ROOT: readonly string[] = [
  rootKey('*'),
  chunkKey('*'),
  facetsKey('*'),
  citiesKey('*'),
  partKey('*'),
];

export function withTreeDocuments(manifest: Manifest, root: Root): Manifest {
  const { release, chunks, shards, details } = root;
  const documents: Record<string, string> = { ...manifest.documents, [rootKey(release)]: release };
  for (const { digest } of chunks) documents[chunkKey(digest)] = digest;
  for (const digest of facetDigests(root)) documents[facetsKey(digest)] = digest;
  for (const { digest } of shards) documents[citiesKey(digest)] = digest;
  for (const { digest } of details) documents[partKey(digest)] = digest;
  return { ...manifest, documents };
}

/** Everything that a manifest lists in addition to the tree, except the build and the headers. */
function restOf({ configuration, documents, media }: Omit<ManifestParts, 'name' | 'build'>) {
  const { base, sizes } = routeSettings(configuration);
  const api: Manifest['api'] = {
    base,
    url: configuration.base_url,
    media_url: configuration.media_base_url ?? configuration.base_url,
    page_sizes: sizes,
    layout: configuration.layout,
    cache_control: configuration.cache_control,
    api_keys: configuration.api_keys.length > 0,
    edge: edgeConfigurationName(configuration),
  };
  const others = [...documents].filter(([key, digest]) => !IN_ROOT.includes(key.replace(digest, '*')));
  return { about: aboutCatalogue(configuration), api, documents: Object.fromEntries(others), media };
}

/**
 * The root contains this digest of everything that a release has in addition to its tree.
 * @param parts the documents are those that do not depend on the name of the release, and a template of `index.json`
 */
export function restDigest(parts: Omit<ManifestParts, 'name' | 'build'>): string {
  const { documents, ...rest } = restOf(parts);
  return digestOf(JSON.stringify({ ...rest, documents: Object.entries(documents).sort() }));
}

export function manifestBytes({ name, build, ...parts }: ManifestParts): Buffer {
  const { configuration, documents, media } = parts;
  const { about, api, ...rest } = restOf(parts);
  const headers = headerDigests(configuration, documents.keys(), media);
  const manifest: Manifest = {
    version: MANIFEST_VERSION,
    release: name,
    build,
    about,
    api,
    headers,
    ...rest,
  };
  return Buffer.from(`${JSON.stringify(manifest)}\n`);
}
