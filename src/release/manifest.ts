/**
 * The manifest: contents of a release. It lists no pages: those, and their differences between two releases, follow
 * from the sequence by arithmetic. The manifest of a large release names pieces of the sequence instead of including it
 * (`pieces.ts`).
 */

import { type About, aboutOf } from '../contract/about.ts';
import type { Configuration } from '../contract/configuration.ts';
import { hasPages, isPacked, routeSettings } from '../contract/configuration.ts';
import { DOWNLOAD_KEYS, listKey, NDJSON_KEY, partKey } from '../contract/document-keys.ts';
import type { DownloadList } from '../contract/downloads.ts';
import { headerGroup, storedHeaders } from '../contract/headers.ts';
import {
  CURRENT_KEY,
  chunkKey,
  citiesKey,
  mediaKey,
  PAGES_FOLDER,
  PARTS_FOLDER,
  pageKey,
  propertyKey,
  ROOTS_FOLDER,
  rootKey,
  sequenceKey,
  totalKey,
} from '../contract/object-keys.ts';
import { parseRoot } from '../packed/format/root.ts';
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

/**
 * Versions of the manifest's format: with the sequence inline, or in pieces; and with either, but the details in parts
 * instead of files.
 */
export const MANIFEST_VERSIONS = { inline: 1, parts: 3, pieces: 4 } as const;

/**
 * The manifest. Its JSON has documents that their digests name in `names` ({@link manifestOf}), and that of a large
 * release leaves out what other documents of the release name ({@link namingKeys}).
 */
export type Manifest = {
  readonly version: (typeof MANIFEST_VERSIONS)[keyof typeof MANIFEST_VERSIONS];
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
  /** Digests of the lists that name the parts of the downloads, where the manifest does not name these. */
  readonly lists: readonly string[];
  /** What those and the root name, as far as they were read ({@link withNamed}). */
  readonly named: NamedByOthers;
  /** Names of photos and thumbnails; a name identifies the content. */
  readonly media: readonly string[];
  /**
   * Entries in the order of the sequence, each with id, country, city, and digests of summary and detail. Or the
   * digests of the sequence's pieces, in order.
   */
  readonly sequence: readonly ManifestEntry[] | SequencePieces;
};

/** Digests of documents that another document names, by key. */
export type Named = Readonly<Record<string, string>>;

/** What documents name, by the digests of these. */
export type NamedByOthers = ReadonlyMap<string, Named>;

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
  const keys: string[] = [];
  if (hasPages(configuration))
    keys.push(propertyKey(''), pageKey(PAGES_FOLDER, 1, 1), totalKey(PAGES_FOLDER));
  if (isPacked(configuration)) keys.push(chunkKey(''), citiesKey(''), rootKey(''), CURRENT_KEY);
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
  /** Keys of the lists that name the parts of the downloads. @default none */
  readonly lists?: readonly string[] | undefined;
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
const IN_ROOT: readonly string[] = [chunkKey('*'), citiesKey('*'), partKey(NDJSON_KEY, '*')];
/** Names of the documents that lists name. */
const IN_LISTS: readonly string[] = DOWNLOAD_KEYS.map((download) => partKey(download, '*'));

/**
 * Separates the documents that their digests name: a quarter of the bytes.
 *
 * @param isLeft whether the manifest omits a document with this key and name.
 */
function byName(documents: ReadonlyMap<string, string>, isLeft: (key: string, name: string) => boolean) {
  const others: Record<string, string> = {};
  const digests: Names = {};
  for (const [key, digest] of documents) {
    const name = key.replace(digest, '*');
    if (name === key) others[key] = digest;
    else if (!isLeft(key, name)) digests[name] = (digests[name] ?? '') + digest;
  }
  const names = Object.entries(digests).map(([name, joined]) => [name, shortened(joined)]);
  return { others, names: Object.fromEntries(names) as Names };
}

/** Returns the keys of the documents which name others that the manifest leaves out. */
export function namingKeys({ version, release, lists, sequence }: Manifest): string[] {
  const isRooted = version === MANIFEST_VERSIONS.parts && 'pieces' in sequence;
  return [...(isRooted ? [rootKey(release)] : []), ...lists.map(listKey)];
}

/** Returns what a root or a list names; undefined for a damaged one. */
export function namedIn(key: string, bytes: Buffer): Named | undefined {
  return key.startsWith(`${ROOTS_FOLDER}/`) ? namedInRoot(bytes) : namedInList(bytes);
}

function namedInRoot(bytes: Buffer): Named | undefined {
  const root = parseRoot(bytes);
  if (!root) return undefined;
  const { chunks, shards, details = [] } = root;
  const named: Record<string, string> = {};
  for (const { digest } of chunks) named[chunkKey(digest)] = digest;
  for (const { digest } of shards) named[citiesKey(digest)] = digest;
  for (const { digest } of details) named[partKey(NDJSON_KEY, digest)] = digest;
  return named;
}

const PART = new RegExp(`^${PARTS_FOLDER}/([0-9a-f]{${DIGEST_LENGTH}})(?:\\.[a-z]+)+$`);

function namedInList(bytes: Buffer): Named | undefined {
  try {
    const { parts } = JSON.parse(bytes.toString('utf8')) as DownloadList;
    return Object.fromEntries(parts.map(({ href }) => [href, PART.exec(href)![1]!]));
  } catch {
    return undefined;
  }
}

/** Adds the documents that others name. */
export function withNamed(manifest: Manifest, named: NamedByOthers): Manifest {
  return { ...manifest, documents: Object.assign({}, manifest.documents, ...named.values()), named };
}

const PIECES = sequenceKey('*');
const EACH_DIGEST = new RegExp(`.{${DIGEST_LENGTH}}`, 'g');

function shortened(digests: string): string {
  return Buffer.from(digests, 'hex').toString('base64url');
}

function digestsIn(text = ''): readonly string[] {
  return Buffer.from(text, 'base64url').toString('hex').match(EACH_DIGEST) ?? [];
}

type Stored = Omit<Manifest, 'lists' | 'named'> & { readonly names?: Names; readonly lists?: string };

/** Parses the JSON of a manifest. Checks nothing. */
export function manifestOf(text: string): Manifest {
  const { names = {}, lists: listed, sequence, ...manifest } = JSON.parse(text) as Stored;
  const lists = digestsIn(listed);
  const documents: Record<string, string> = { ...manifest.documents };
  for (const [name, joined] of Object.entries(names))
    for (const digest of digestsIn(joined)) documents[name.replace('*', digest)] = digest;
  for (const digest of lists) documents[listKey(digest)] = digest;
  return {
    ...manifest,
    documents,
    lists,
    named: new Map(),
    sequence: 'total' in sequence ? { ...sequence, pieces: digestsIn(names[PIECES]) } : sequence,
  };
}

/** Serialises the manifest, as chunks. */
export function manifestBytes({
  name,
  build,
  configuration,
  documents,
  lists = [],
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
  const isRooted = !isInline && !hasPages(configuration);
  // The root names the parts of a packed release.
  const inLists = isInline || isRooted ? [] : lists;
  const named = isRooted ? IN_ROOT : inLists.length > 0 ? IN_LISTS : [];
  const { others, names } = byName(documents, (key, name) => named.includes(name) || inLists.includes(key));
  const head = JSON.stringify({
    // Releases without pages have no files of details either.
    version: MANIFEST_VERSIONS[!hasPages(configuration) ? 'parts' : isInline ? 'inline' : 'pieces'],
    release: name,
    build,
    about: aboutOf(configuration),
    api,
    headers: headerDigests(configuration, documents.keys(), media),
    ...(isInline && hasPages(configuration)
      ? { documents: Object.fromEntries(documents) }
      : { documents: others, names }),
    ...(inLists.length > 0 ? { lists: shortened(inLists.map((key) => documents.get(key)).join('')) } : {}),
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
