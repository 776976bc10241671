/**
 * The manifest: contents of a release. It lists no pages: those, and their differences between two releases, follow
 * from the sequence by arithmetic. The manifest of a large release names pieces of the sequence instead of including it
 * (`pieces.ts`).
 */

import { type About, aboutOf } from '../contract/about.ts';
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
  sequenceKey,
  totalKey,
} from '../contract/object-keys.ts';
import { facetDigests, parseRoot } from '../packed/format/root.ts';
import type { Comparable } from './comparison.ts';
import { DIGEST_LENGTH, digestOf } from './digest.ts';
import { edgeName } from './edge-name.ts';

/** Commit of a release; the only part of a release that does not depend on its content. */
export type BuildIdentity = {
  /** Git commit, 40 or 64 hexadecimal digits; null outside a repository. */
  readonly commit: string | null;
  /** Time of that commit, RFC 3339; null outside a repository. */
  readonly time: string | null;
};

/** Version of the manifest's format. */
export const MANIFEST_VERSION = 5;

/**
 * The manifest. Its JSON has documents that their digests name in `names` ({@link manifestOf}), and that of a large
 * release leaves out what its root names.
 */
export type Manifest = {
  readonly version: typeof MANIFEST_VERSION;
  /** Name of the release (`name.ts`). */
  readonly release: string;
  readonly build: BuildIdentity;
  /** Description of the catalogue. */
  readonly about?: About | undefined;
  /** Settings that serving targets need. */
  readonly api: {
    readonly base: string;
    /** `base_url`, used in the links of the feed. */
    readonly url: string;
    /** Base URL of photos. */
    readonly media_url: string;
    readonly page_sizes: 'all' | readonly number[];
    readonly layout: Configuration['layout'];
    readonly cache_control: Configuration['cache_control'];
    /** Whether the list requires an API key; keys and their digests are not published. */
    readonly api_keys: boolean;
    /** Name of the targets' configuration (`edge-name.ts`). */
    readonly edge?: string | undefined;
  };
  /** Digests of stored headers; a changed digest means that all files of its group must be written again. */
  readonly headers: HeaderDigests;
  readonly documents: Readonly<Record<string, string>>;
  /** What the root names and the manifest does not, once it was read ({@link withNamed}). */
  readonly named: Named | undefined;
  /** Names of photos and thumbnails; a name identifies the content. */
  readonly media: readonly string[];
  /**
   * Entries in the order of the sequence, each with id, country, city, and digests of summary and detail. Or the
   * digests of the sequence's pieces, in order.
   */
  readonly sequence: readonly ManifestEntry[] | SequencePieces;
};

/** Digests of the documents that a root names, by key. */
export type Named = Readonly<Record<string, string>>;

type SequencePieces = {
  readonly total: number;
  readonly pieces: readonly string[];
  readonly counts: readonly number[];
};

export type ManifestEntry = readonly [
  id: string,
  country: string,
  city: string,
  summaryDigest: string,
  detailDigest: string,
];

export function countProperties({ sequence }: Manifest): number {
  return 'pieces' in sequence ? sequence.total : sequence.length;
}

export function comparablesOf(sequence: readonly ManifestEntry[]): Comparable[] {
  return sequence.map(([id, country, city, summaryDigest, detailDigest]) => ({
    id,
    country,
    city,
    summaryDigest,
    detailDigest,
  }));
}

/** Digests of stored headers, by group (`headerGroup` in `contract/headers.ts`). */
type HeaderDigests = Readonly<Record<string, string>>;

function headerDigests(
  configuration: Configuration,
  documents: Iterable<string>,
  media: readonly string[],
): HeaderDigests {
  const caching = configuration.cache_control;
  const isKeyed = configuration.api_keys.length > 0;
  const keys = [chunkKey(''), citiesKey(''), rootKey(''), CURRENT_KEY];
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
  readonly documents: ReadonlyMap<string, string>;
  readonly media: readonly string[];
  /** Lines from {@link sequenceLines}; undefined when the documents include the pieces. */
  readonly sequence: readonly Uint8Array[] | undefined;
  /** End of each piece in the sequence. @default none */
  readonly pieces?: readonly number[] | undefined;
};

/** Number of entries per chunk of text. */
const PIECE = 4096;

/**
 * Yields the sequence as in the manifest: one property per line, each with a comma, so that releases can be compared by
 * line. Yields chunks, since a million properties take 150 MB.
 */
export function* sequenceLines(sequence: readonly Comparable[]): Generator<Uint8Array> {
  for (let start = 0; start < sequence.length; start += PIECE) {
    let text = '';
    for (const { id, country, city, summaryDigest, detailDigest } of sequence.slice(start, start + PIECE)) {
      // Only a city may need escaping.
      text += `["${id}","${country}",${JSON.stringify(city)},"${summaryDigest}","${detailDigest}"],\n`;
    }
    yield Buffer.from(text);
  }
}

/** Digests of documents that these name, joined, as base64url, by key with an asterisk in their place. */
type Names = Record<string, string>;

/** Names of the documents that a root names. */
const IN_ROOT: readonly string[] = [chunkKey('*'), facetsKey('*'), citiesKey('*'), partKey('*')];

/**
 * Separates the documents that their digests name: a quarter of the bytes.
 *
 * @param left names of documents that the manifest omits.
 */
function byName(documents: ReadonlyMap<string, string>, left: readonly string[]) {
  const others: Record<string, string> = {};
  const digests: Names = {};
  for (const [key, digest] of documents) {
    const name = key.replace(digest, '*');
    if (name === key) others[key] = digest;
    else if (!left.includes(name)) digests[name] = (digests[name] ?? '') + digest;
  }
  const names = Object.entries(digests).map(([name, joined]) => [name, shortened(joined)]);
  return { others, names: Object.fromEntries(names) as Names };
}

/** Tells whether a manifest leaves out what the root of its release names. */
export function isRooted({ sequence }: Manifest): boolean {
  return 'pieces' in sequence;
}

/** Returns what a root names; undefined for a damaged one. */
export function namedIn(bytes: Buffer): Named | undefined {
  const root = parseRoot(bytes);
  if (!root) return undefined;
  const { chunks, shards, details } = root;
  const named: Record<string, string> = {};
  for (const { digest } of chunks) named[chunkKey(digest)] = digest;
  for (const digest of facetDigests(root)) named[facetsKey(digest)] = digest;
  for (const { digest } of shards) named[citiesKey(digest)] = digest;
  for (const { digest } of details) named[partKey(digest)] = digest;
  return named;
}

/** Adds the documents that the root names. */
export function withNamed(manifest: Manifest, named: Named): Manifest {
  return { ...manifest, documents: { ...manifest.documents, ...named }, named };
}

const PIECES = sequenceKey('*');
const EACH_DIGEST = new RegExp(`.{${DIGEST_LENGTH}}`, 'g');

function shortened(digests: string): string {
  return Buffer.from(digests, 'hex').toString('base64url');
}

function digestsIn(text = ''): readonly string[] {
  return Buffer.from(text, 'base64url').toString('hex').match(EACH_DIGEST) ?? [];
}

type Stored = Omit<Manifest, 'named'> & { readonly names?: Names };

/** Parses the JSON of a manifest. Checks nothing. */
export function manifestOf(text: string): Manifest {
  const { names = {}, sequence, ...manifest } = JSON.parse(text) as Stored;
  const documents: Record<string, string> = { ...manifest.documents };
  for (const [name, joined] of Object.entries(names))
    for (const digest of digestsIn(joined)) documents[name.replace('*', digest)] = digest;
  return {
    ...manifest,
    documents,
    named: undefined,
    sequence: 'total' in sequence ? { ...sequence, pieces: digestsIn(names[PIECES]) } : sequence,
  };
}

/** Serialises the manifest, as chunks. */
export function manifestBytes({
  name,
  build,
  configuration,
  documents,
  media,
  sequence,
  pieces = [],
}: ManifestParts): Uint8Array[] {
  const { base, sizes } = routeSettings(configuration);
  const isInline = sequence !== undefined;
  const api: Manifest['api'] = {
    base,
    url: configuration.base_url,
    media_url: configuration.media_base_url ?? configuration.base_url,
    page_sizes: sizes,
    layout: configuration.layout,
    cache_control: configuration.cache_control,
    api_keys: configuration.api_keys.length > 0,
    edge: edgeName(configuration),
  };
  const { others, names } = byName(documents, isInline ? [] : IN_ROOT);
  const head = JSON.stringify({
    version: MANIFEST_VERSION,
    release: name,
    build,
    about: aboutOf(configuration),
    api,
    headers: headerDigests(configuration, documents.keys(), media),
    documents: others,
    names,
    media,
  });
  if (!isInline) {
    const counts = pieces.map((end, index) => end - (pieces[index - 1] ?? 0));
    const text = JSON.stringify({ total: pieces.at(-1)!, counts } satisfies Partial<SequencePieces>);
    return [Buffer.from(`${head.slice(0, -1)},"sequence":${text}}\n`)];
  }
  // JSON allows no comma after the last entry.
  const lines = sequence.map((piece, index) => (index < sequence.length - 1 ? piece : piece.subarray(0, -2)));
  return [Buffer.from(`${head.slice(0, -1)},"sequence":[\n`), ...lines, Buffer.from('\n]}\n')];
}
