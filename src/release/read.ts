/** Reads releases: the manifest, and the pieces of the sequence that it names. */

import { hasPages } from '../contract/configuration.ts';
import { isReleaseKey, isSharedKey } from '../contract/kinds.ts';
import {
  ID_PATTERN,
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  RELEASE_NAME,
  rootKey,
  scopeFolder,
  sequenceKey,
} from '../contract/object-keys.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import { forEach } from '../storage/for-each.ts';
import { rememberLast } from '../values/remember.ts';
import type { Comparable } from './comparison.ts';
import { digestOf } from './digest.ts';
import {
  comparablesOf,
  countProperties,
  isRooted,
  MANIFEST_VERSION,
  type Manifest,
  manifestOf,
  type Named,
  namedIn,
  withNamed,
} from './manifest.ts';
import { parsePiece, placesIn, type SequencePiece, viewPieces } from './pieces.ts';
import type { Release } from './release.ts';
import { type Scope, scopesOf } from './sequence.ts';

const DIGEST = /^[0-9a-f]{32}$/;
const ID = new RegExp(`^${ID_PATTERN}$`);

/**
 * Parses a manifest, without the documents that only others name; undefined when it is damaged or of an unknown version.
 */
export function parseManifest(bytes: Buffer): Manifest | undefined {
  return parsed(bytes.toString('utf8'));
}

/** One command reads the same manifest up to three times; parsing that of a million properties takes 0.05 s. */
const parsed = rememberLast((text): Manifest | undefined => {
  try {
    const manifest = manifestOf(text);
    return isManifest(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
});

type Read = (key: string) => Promise<Buffer | undefined>;

export type WholeOptions = Pick<ReadReleaseOptions, 'read' | 'isPartial'> & {
  /** Manifests whose roots need not be read. @default none */
  readonly known?: readonly Manifest[] | undefined;
};

/** Adds the documents that only the root names; undefined when it is absent or damaged. */
export async function wholeManifest(
  manifest: Manifest,
  { read, known = [], isPartial = false }: WholeOptions,
): Promise<Manifest | undefined> {
  if (!isRooted(manifest)) return manifest;
  const key = rootKey(manifest.release);
  const digest = manifest.documents[key];
  const same = known.find(({ documents, named }) => named && documents[key] === digest)?.named;
  const bytes = same ? undefined : await read(key);
  const named: Named | undefined = bytes && digestOf(bytes) === digest ? namedIn(bytes) : same;
  if (named) return withNamed(manifest, named);
  return isPartial ? manifest : undefined;
}

/** Parses a release whose manifest includes the sequence; undefined for any other, and as for {@link parseManifest}. */
export function parseRelease(bytes: Buffer): Release | undefined {
  const manifest = parseManifest(bytes);
  return manifest && !('pieces' in manifest.sequence)
    ? releaseOf(manifest, bytes, inlineContent(comparablesOf(manifest.sequence)))
    : undefined;
}

export type ReadReleaseOptions = {
  /** Reads an object by key; undefined when it is absent. */
  readonly read: Read;
  /** Opens a piece whose content is read on demand. @default pieces are read whole */
  readonly open?: ((digest: string, count: number) => SequencePiece) | undefined;
  /** Releases whose pieces, roots and lists are reused instead of read. @default none */
  readonly known?: readonly (Release | undefined)[] | undefined;
  /** Skips an absent or damaged root, list or piece. @default false: without one of them there is no release */
  readonly isPartial?: boolean | undefined;
};

/** Number of objects read at a time. */
const CONCURRENCY = 32;

/**
 * Reads a release; undefined when its manifest, its root, a list of parts, or a piece of its sequence is absent, damaged
 * or of an unknown version.
 */
export async function readRelease(
  bytes: Buffer,
  { read, open, known = [], isPartial = false }: ReadReleaseOptions,
): Promise<Release | undefined> {
  const parsed = parseManifest(bytes);
  if (!parsed || !('pieces' in parsed.sequence)) return parseRelease(bytes);
  const manifest = await wholeManifest(parsed, {
    ...{ read, isPartial },
    known: known.flatMap((one) => (one ? [one.manifest] : [])),
  });
  if (!manifest) return undefined;
  const { pieces: digests, counts } = parsed.sequence;
  const countOf = new Map(counts.map((count, index) => [digests[index]!, count]));
  const found = new Map(known.flatMap((one) => one?.pieces ?? []).map((piece) => [piece.digest, piece]));
  const missing = digests.filter((digest) => !found.has(digest));
  const readWhole = async (digest: string) => {
    const body = await read(sequenceKey(digest));
    return body && digestOf(body) === digest ? parsePiece(body, digest) : undefined;
  };
  await forEach(missing, CONCURRENCY, async (digest) => {
    const piece = open ? open(digest, countOf.get(digest)!) : await readWhole(digest);
    if (piece) found.set(digest, piece);
  });
  return assembleRelease(manifest, bytes, found, isPartial);
}

/** Loads the content of pieces in a bucket that were opened on demand. */
export async function loadPieces(pieces: readonly SequencePiece[] = []): Promise<void> {
  await forEach(pieces, CONCURRENCY, async (piece) => piece.load?.());
}

/**
 * Assembles the release of a whole manifest that names pieces.
 *
 * @param found pieces by digest.
 * @returns undefined when a piece is missing; with `isPartial`, a release without its properties.
 */
export function assembleRelease(
  manifest: Manifest,
  bytes: Buffer,
  found: ReadonlyMap<string, SequencePiece>,
  isPartial: boolean,
): Release | undefined {
  const digests = 'pieces' in manifest.sequence ? manifest.sequence.pieces : [];
  const pieces = digests.flatMap((digest) => found.get(digest) ?? []);
  const count = pieces.reduce((sum, piece) => sum + piece.count, 0);
  const isWhole = count === countProperties(manifest);
  return isPartial || isWhole ? releaseOf(manifest, bytes, contentOf(pieces)) : undefined;
}

type Content = Pick<Release, 'sequence' | 'places' | 'pieces'>;

function inlineContent(sequence: readonly Comparable[]): Content {
  return { sequence, places: new Map(sequence.map(({ id }, index) => [id, index])), pieces: undefined };
}

function contentOf(pieces: readonly SequencePiece[]): Content {
  return { sequence: viewPieces(pieces), places: placesIn(pieces), pieces };
}

/** Returns a release with other properties and media names. Its `bytes` no longer match its manifest. */
export function withProperties(
  release: Release,
  sequence: readonly Comparable[],
  media: readonly string[],
): Release {
  return releaseOf({ ...release.manifest, media }, release.bytes, inlineContent(sequence));
}

function releaseOf(manifest: Manifest, bytes: Buffer, content: Content): Release {
  const { page_sizes, layout = 'pages' } = manifest.api;
  let scopes: ReadonlyMap<string, Scope> | undefined;
  return {
    ...content,
    name: manifest.release,
    bytes,
    manifest,
    get scopes() {
      scopes ??= new Map(
        scopesOf([...content.sequence]).map((scope) => [scopeFolder(scope.country, scope.city), scope]),
      );
      return scopes;
    },
    sizes: page_sizes === 'all' ? Array.from({ length: MAX_PAGE_SIZE }, (_, index) => index + 1) : page_sizes,
    hasPages: hasPages({ layout }),
    media: new Set(manifest.media),
  };
}

function isManifest(value: Manifest): boolean {
  const { version, release, build, about, api, headers, documents, media, sequence } = value;
  return (
    version === MANIFEST_VERSION &&
    RELEASE_NAME.test(release) &&
    isBuild(build) &&
    (about === undefined || isAbout(about)) &&
    [api.base, api.url, api.media_url, api.cache_control.api].every(isText) &&
    [...Object.values(api.cache_control), ...Object.values(headers ?? {})].every(isText) &&
    (api.page_sizes === 'all' ||
      api.page_sizes.every((size) => Number.isInteger(size) && size > 0 && size <= MAX_PAGE_SIZE)) &&
    ['pages', 'packed'].includes(api.layout) &&
    (headers === undefined || typeof headers === 'object') &&
    Object.entries(documents).every(([key, digest]) => isDocumentKey(key) && DIGEST.test(digest)) &&
    media.every((name) => isSharedKey(mediaKey(name))) &&
    isSequence(sequence)
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isBuild({ commit, time }: Manifest['build']): boolean {
  return (
    (commit === null || /^[0-9a-f]{40,64}$/.test(commit)) &&
    (time === null || (isText(time) && !Number.isNaN(new Date(time).getTime())))
  );
}

/** The feed shows it. */
function isAbout({
  title,
  description = '',
  contact = {},
  logo = '',
}: NonNullable<Manifest['about']>): boolean {
  return [title, description, logo, ...Object.values(contact)].every(isText);
}

function isSequence(sequence: Manifest['sequence']): boolean {
  if ('pieces' in sequence) {
    const { total, pieces, counts } = sequence;
    return (
      counts.length === pieces.length &&
      counts.every((count) => Number.isInteger(count) && count > 0) &&
      counts.reduce((sum, count) => sum + count, 0) === total
    );
  }
  return sequence.every(
    ([id, country, city, summary, detail]) =>
      ID.test(id) && /^[A-Z]{2}$/.test(country) && city !== '' && DIGEST.test(summary) && DIGEST.test(detail),
  );
}

/** Tells whether a key can be that of a document, so that a manifest cannot make publishing touch anything else. */
function isDocumentKey(key: string): boolean {
  const isApart = [PROPERTIES_FOLDER, PAGES_FOLDER, MEDIA_FOLDER].some((folder) =>
    key.startsWith(`${folder}/`),
  );
  return isReleaseKey(key) && !isApart;
}
