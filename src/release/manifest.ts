/**
 * The manifest: what a release holds. It does not list pages; which there are, and which differ between two
 * releases, follows from the sequence by arithmetic. That of a large release in the packed layout names pieces of the
 * sequence, and does not hold it (`pieces.ts`).
 */

import { type About, aboutOf } from '../contract/about.ts';
import type { Configuration } from '../contract/configuration.ts';
import { hasPages, isPacked, routeSettings } from '../contract/configuration.ts';
import { headerGroup, storedHeaders } from '../contract/headers.ts';
import {
  CURRENT_KEY,
  chunkKey,
  citiesKey,
  mediaKey,
  PAGES_FOLDER,
  pageKey,
  propertyKey,
  rootKey,
  SEQUENCE_FOLDER,
  totalKey,
} from '../contract/keys.ts';
import type { Comparable } from './comparison.ts';
import { digestOf } from './digest.ts';
import { edgeName } from './edge-name.ts';

/** Which commit a release was built from; the only thing in it that is not a function of the content. */
export type BuildIdentity = {
  /** Git commit, 40 or 64 hexadecimal digits; null outside a repository. */
  readonly commit: string | null;
  /** Time of that commit, RFC 3339; null outside a repository. */
  readonly time: string | null;
};

/** Versions of the manifest's format: with the sequence in it, and with the names of its pieces. */
export const MANIFEST_VERSIONS = { inline: 1, pieces: 2 } as const;

/** The manifest as JSON gives it. */
export type Manifest = {
  readonly version: (typeof MANIFEST_VERSIONS)[keyof typeof MANIFEST_VERSIONS];
  /** Its name (`name.ts`). */
  readonly release: string;
  readonly build: BuildIdentity;
  /** What the catalogue says of itself. */
  readonly about?: About | undefined;
  /** What a serving target must know. */
  readonly api: {
    readonly base: string;
    /** `base_url`, to which the links of the feed lead. */
    readonly url: string;
    /** The URL in front of photos. */
    readonly media_url: string;
    readonly page_sizes: 'all' | readonly number[];
    /** How lists are stored. */
    readonly layout: Configuration['layout'];
    readonly cache_control: Configuration['cache_control'];
    /** Whether the list asks for a key; the keys and their digests are not published. */
    readonly api_keys: boolean;
    /** Name of the configuration of targets (`edge-name.ts`). */
    readonly edge?: string | undefined;
  };
  /** What the files are stored with: another digest means that all files of that group are to be stored again. */
  readonly headers: HeaderDigests;
  /** Digests of the documents, by key. */
  readonly documents: Readonly<Record<string, string>>;
  /** Names of the photos and thumbnails; each name stands for its content. */
  readonly media: readonly string[];
  /**
   * Id, country, city, digest of the summary, digest of the detail; in the order of the sequence. Or the digests of its
   * pieces, in order.
   */
  readonly sequence: readonly ManifestEntry[] | SequencePieces;
};

/** The pieces of a sequence. */
type SequencePieces = { readonly total: number; readonly pieces: readonly string[] };

/** One property in the manifest. */
export type ManifestEntry = readonly [
  id: string,
  country: string,
  city: string,
  summaryDigest: string,
  detailDigest: string,
];

/** Number of the properties of a release. */
export function countProperties({ sequence }: Manifest): number {
  return 'pieces' in sequence ? sequence.total : sequence.length;
}

/** What a manifest holds of properties, in the order of the sequence. */
export function comparablesOf(sequence: readonly ManifestEntry[]): Comparable[] {
  return sequence.map(([id, country, city, summaryDigest, detailDigest]) => ({
    id,
    country,
    city,
    summaryDigest,
    detailDigest,
  }));
}

/** Digests of the headers that files are stored with, by group (`headerGroup` in `contract/headers.ts`). */
type HeaderDigests = Readonly<Record<string, string>>;

/** The digests of a release with these documents and names of media. */
function headerDigests(
  configuration: Configuration,
  documents: Iterable<string>,
  media: readonly string[],
): HeaderDigests {
  const caching = configuration.cache_control;
  const isKeyed = configuration.api_keys.length > 0;
  const keys = [propertyKey('')];
  if (hasPages(configuration)) keys.push(pageKey(PAGES_FOLDER, 1, 1), totalKey(PAGES_FOLDER));
  if (isPacked(configuration)) keys.push(chunkKey(''), citiesKey(''), rootKey(''), CURRENT_KEY);
  const digests: Record<string, string> = {};
  for (const key of [...keys, ...documents, ...media.map(mediaKey)]) {
    digests[headerGroup(key)] ??= digestOf(JSON.stringify(storedHeaders(key, caching, isKeyed)));
  }
  return digests;
}

/** What a manifest is made of. */
export type ManifestParts = {
  /** The name of the release. */
  readonly name: string;
  readonly build: BuildIdentity;
  readonly configuration: Configuration;
  readonly documents: ReadonlyMap<string, string>;
  readonly media: readonly string[];
  /** What {@link sequenceLines} made of the sequence; or where its pieces are among the documents, the number of properties. */
  readonly sequence: readonly Uint8Array[] | number;
};

/** Properties in one piece of the text of a sequence. */
const PIECE = 4096;

/**
 * The sequence as the manifest has it: one property a line, so that two releases can be compared line by line, and a
 * comma after each. In pieces: a million properties have 150 MB.
 */
export function* sequenceLines(sequence: readonly Comparable[]): Generator<Uint8Array> {
  for (let start = 0; start < sequence.length; start += PIECE) {
    let text = '';
    for (const { id, country, city, summaryDigest, detailDigest } of sequence.slice(start, start + PIECE)) {
      // Only a city can hold what has to be escaped.
      text += `["${id}","${country}",${JSON.stringify(city)},"${summaryDigest}","${detailDigest}"],\n`;
    }
    yield Buffer.from(text);
  }
}

/** The manifest in pieces. */
export function manifestBytes({
  name,
  build,
  configuration,
  documents,
  media,
  sequence,
}: ManifestParts): Uint8Array[] {
  const { base, sizes } = routeSettings(configuration);
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
  const head = JSON.stringify({
    version: MANIFEST_VERSIONS[typeof sequence === 'number' ? 'pieces' : 'inline'],
    release: name,
    build,
    about: aboutOf(configuration),
    api,
    headers: headerDigests(configuration, documents.keys(), media),
    documents: Object.fromEntries(documents),
    media,
  });
  if (typeof sequence === 'number') {
    const keys = [...documents.keys()].filter((key) => key.startsWith(`${SEQUENCE_FOLDER}/`));
    const pieces: SequencePieces = { total: sequence, pieces: keys.map((key) => documents.get(key)!) };
    return [Buffer.from(`${head.slice(0, -1)},"sequence":${JSON.stringify(pieces)}}\n`)];
  }
  // JSON has no comma after the last line.
  const lines = sequence.map((piece, index) => (index < sequence.length - 1 ? piece : piece.subarray(0, -2)));
  return [Buffer.from(`${head.slice(0, -1)},"sequence":[\n`), ...lines, Buffer.from('\n]}\n')];
}
