/** What a root has in addition to lists and details: settings, headers, documents and images of the release. */

import type { AboutCatalogue } from '../contract/about-catalogue.ts';
import type { Configuration } from '../contract/configuration.ts';
import { INDEX_KEY, partKey } from '../contract/document-keys.ts';
import {
  chunkKey,
  citiesKey,
  documentCopyKey,
  facetsKey,
  imageListKey,
  MEDIA_FOLDER,
  mediaKey,
  PAGES_FOLDER,
  PROPERTIES_FOLDER,
  rootKey,
} from '../contract/object-keys.ts';
import { isReleaseKey, isSharedKey } from '../contract/object-kinds.ts';
import { MAX_PAGE_SIZE } from '../contract/parameters.ts';
import { parseJson } from '../tree/format/chunk.ts';
import { divideByHash } from '../tree/format/divide.ts';
import {
  currentJsonText,
  facetDigests,
  type LiveRelease,
  parseCurrentJson,
  type Root,
} from '../tree/format/root.ts';
import { DIGEST_DIGITS, digestOf } from './digest.ts';

/** Stored in `current.json` and not in the root, so that it does not change the name of the release. */
export type BuildIdentity = {
  /** 40 or 64 hexadecimal digits; null if the content is in no commit, or if the commit is unknown. */
  readonly commit: string | null;
  /** Time of that commit (RFC 3339); null if `commit` is null. */
  readonly time: string | null;
};

export const UNKNOWN_BUILD: BuildIdentity = { commit: null, time: null };

/** Settings for programs that read a release without its `catalogue.yaml`: servers, `publish` and `verify`. */
export type ReleaseSettings = {
  readonly about?: AboutCatalogue | undefined;
  readonly base: string;
  /** `base_url` of the configuration. */
  readonly url: string;
  readonly media_url: string;
  readonly page_sizes: 'all' | readonly number[];
  readonly layout: Configuration['layout'];
  readonly cache_control: Configuration['cache_control'];
  /** Whether requests for lists and downloads require an API key. Keys and their digests are not published. */
  readonly api_keys: boolean;
  /** Name of the targets' configuration; `edge-configuration-name.ts` says how it is made. */
  readonly edge?: string | undefined;
};

export type RootContents = {
  readonly settings: ReleaseSettings;
  /**
   * Digests of stored headers by group (`headerGroup` in `contract/headers.ts`). If one changes, all files of its group
   * must be written again.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Digests of documents, sorted by key. For `index.json`, the digest of what {@link toIndexTemplate} returns. */
  readonly documents: Readonly<Record<string, string>>;
  /** Digests of lists of image names. */
  readonly images: readonly string[];
};

/** A catalogue of a million images has about 1500 lists, each of 27 KB on average. */
const IMAGE_LIST_SIZES = { averageRun: 4096, most: 1024 };

/** @param media sorted names, which start with a digest */
export function* imageLists(media: readonly string[]): Generator<{ digest: string; bytes: Buffer }> {
  let start = 0;
  for (const end of divideByHash(nameHashes(media), IMAGE_LIST_SIZES)) {
    const bytes = Buffer.from(`${JSON.stringify(media.slice(start, end))}\n`);
    yield { digest: digestOf(bytes), bytes };
    start = end;
  }
}

/** Undefined when damaged. */
export function parseImageList(bytes: Uint8Array): readonly string[] | undefined {
  const names = parseJson(bytes);
  const isSound = Array.isArray(names) && names.every((name) => isText(name) && isSharedKey(mediaKey(name)));
  return isSound ? (names as readonly string[]) : undefined;
}

/** Placeholder for the name of the release, which cannot be in a document that the name depends on. */
export const RELEASE_NAME_PLACEHOLDER: string = '0'.repeat(DIGEST_DIGITS);

/** `index.json` with {@link RELEASE_NAME_PLACEHOLDER} in place of the name of its release. */
export function toIndexTemplate(index: Buffer, release: string): Buffer {
  return Buffer.from(index.toString('utf8').replaceAll(release, RELEASE_NAME_PLACEHOLDER));
}

export function indexFromTemplate(template: Buffer, release: string): Buffer {
  return Buffer.from(template.toString('utf8').replaceAll(RELEASE_NAME_PLACEHOLDER, release));
}

export function documentDigest(key: string, bytes: Buffer, release: string): string {
  return digestOf(key === INDEX_KEY ? toIndexTemplate(bytes, release) : bytes);
}

/** Digests by key: documents of the release, their copies, and the objects of its tree. */
export function digestsByKey(
  { documents, images }: Pick<RootContents, 'documents' | 'images'>,
  { release, chunks, cityShards, details, facets }: Root,
): Record<string, string> {
  const all: Record<string, string> = { ...documents };
  if (release) all[rootKey(release)] = release;
  for (const [key, digest] of Object.entries(documents))
    if (!isSharedKey(key)) all[documentCopyKey(digest)] = digest;
  for (const { digest } of chunks) all[chunkKey(digest)] = digest;
  for (const digest of facetDigests({ facets })) all[facetsKey(digest)] = digest;
  for (const { digest } of cityShards) all[citiesKey(digest)] = digest;
  for (const { digest } of details) all[partKey(digest)] = digest;
  for (const digest of images) all[imageListKey(digest)] = digest;
  return all;
}

const DIGEST = /^[0-9a-f]{32}$/;

/** Undefined if damaged. Does not check the version and the other members that `parseRoot` reads. */
export function parseRootContents(bytes: Uint8Array): RootContents | undefined {
  try {
    const contents = parseJson(bytes) as RootContents;
    return isContents(contents) ? contents : undefined;
  } catch {
    return undefined;
  }
}

function isContents({ settings, headers, documents, images }: RootContents): boolean {
  const { about, base, url, media_url, page_sizes, layout, cache_control, api_keys, edge = '' } = settings;
  return (
    (about === undefined || isAbout(about)) &&
    [base, url, media_url, cache_control.api, edge].every(isText) &&
    typeof api_keys === 'boolean' &&
    typeof headers === 'object' &&
    !Array.isArray(documents) &&
    [...Object.values(cache_control), ...Object.values(headers)].every(isText) &&
    (page_sizes === 'all' ||
      page_sizes.every((size) => Number.isInteger(size) && size > 0 && size <= MAX_PAGE_SIZE)) &&
    ['pages', 'packed'].includes(layout) &&
    Object.entries(documents).every(([key, digest]) => isDocumentKey(key) && isDigest(digest)) &&
    images.every(isDigest)
  );
}

function isDigest(value: unknown): boolean {
  return isText(value) && DIGEST.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isAbout({ title, description = '', contact = {}, logo = '' }: AboutCatalogue): boolean {
  return [title, description, logo, ...Object.values(contact)].every(isText);
}

/** Without this check, a damaged root could make a publish replace or remove objects that are not documents. */
function isDocumentKey(key: string): boolean {
  const isApart = [PROPERTIES_FOLDER, PAGES_FOLDER, MEDIA_FOLDER].some((folder) =>
    key.startsWith(`${folder}/`),
  );
  return isReleaseKey(key) && !isApart;
}

export function imageListCount(media: readonly string[]): number {
  return divideByHash(nameHashes(media), IMAGE_LIST_SIZES).length;
}

/**
 * Leaves out the first eight digits: they ascend in sorted names, so that lists would be divided by position instead of
 * by content.
 */
function nameHashes(media: readonly string[]): Uint32Array {
  return Uint32Array.from(media, (name) => Number.parseInt(name.slice(8, 16), 16));
}

export type Current = LiveRelease & { readonly build: BuildIdentity };

/** @param current `before` is empty by default, as after a build */
export function serializeCurrent({
  release,
  build,
  before = [],
}: Omit<Current, 'before'> & Partial<Current>): Buffer {
  return Buffer.from(currentJsonText(release, { commit: build.commit, time: build.time, before }));
}

/** Undefined if damaged or of another version. */
export function parseCurrent(bytes: Uint8Array): Current | undefined {
  const live = parseCurrentJson(bytes);
  if (!live) return undefined;
  const { commit = null, time = null } = parseJson(bytes) as Partial<BuildIdentity>;
  return isValidBuild({ commit, time }) ? { ...live, build: { commit, time } } : undefined;
}

export function isValidBuild({ commit, time }: BuildIdentity): boolean {
  return (
    (commit === null || /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) &&
    (time === null || (isText(time) && !Number.isNaN(new Date(time).getTime())))
  );
}
