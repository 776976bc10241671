import { isKept } from '../../contract/kinds.ts';
import { MANIFEST_KEY, sequenceKey } from '../../contract/object-keys.ts';
import { EnvironmentError, UsageError } from '../../errors/errors.ts';
import { openDetails } from '../../release/details.ts';
import { digestOf } from '../../release/digest.ts';
import type { Manifest } from '../../release/manifest.ts';
import type { ReadableRelease } from '../../release/open.ts';
import { openPiece } from '../../release/pieces.ts';
import {
  loadPieces,
  parseManifest,
  type ReadReleaseOptions,
  readRelease,
  wholeManifest,
} from '../../release/read.ts';
import { documentKeys, keptKeys, type PublishedObject, type Release } from '../../release/release.ts';
import { openSummaries } from '../../release/summaries.ts';
import { type Body, bodyOf } from '../../storage/body.ts';
import type { Bucket, LargeBody, StoredObject } from '../../storage/bucket.ts';
import { archivedDocumentKey, releaseManifestKey, releaseObjectsKey } from '../../storage/reserved-keys.ts';
import { bodyDigest } from '../body-digest.ts';
import { allSummaries, createLists, type Source } from '../source.ts';
import {
  type ArchiveIndex,
  isStale,
  openProperties,
  readArchivedManifest,
  readIndex,
  writeContent,
} from './content.ts';

/**
 * Archives a release with its manifest, unless that is done. Pages are not archived, since they are made from the
 * summaries. Photos, the explorer's files and packed objects stay in place until `prune`, so the archive of a packed
 * release has only the documents with fixed names. An archive is written before any object of its release: after an
 * interruption, its manifest lists the objects that the bucket may hold.
 *
 * @param live the previous release, whose archived pieces are reused for unchanged properties.
 */
export async function writeArchive(bucket: Bucket, source: Source, live: Release | undefined): Promise<void> {
  const { name, bytes } = source.release;
  const isArchived = (await bucket.inspect(releaseObjectsKey(name))) !== undefined;
  if (isArchived && (await readManifest(bucket, name))?.equals(bytes)) return;
  const index = live && (await soundIndex(bucket, live));
  await writeContent(bucket, source, index && { release: live, index });
}

/** Archives the live release again if its pieces hold properties of earlier releases, so that these are forgotten. */
export async function refreshArchive(bucket: Bucket, live: Release): Promise<void> {
  const index = await soundIndex(bucket, live);
  if (!index || !isStale({ release: live, index })) return;
  const source = await openArchive(bucket, live.name);
  await writeContent(bucket, source, { release: live, index }, { isFresh: true });
}

/** Reads the archive index of a release; undefined when it is absent or damaged. */
export async function soundIndex(
  bucket: Bucket,
  { manifest }: Pick<Release, 'manifest'>,
  name: string = manifest.release,
): Promise<ArchiveIndex | undefined> {
  // A failing store is not a damaged index.
  const index = await readIndex(bucket, name).catch((error: unknown) => {
    if (error instanceof EnvironmentError) throw error;
    return undefined;
  });
  const documents = documentKeys({ manifest }, { kept: false });
  const isSound =
    index?.documents.size === documents.length &&
    documents.every((key) => {
      const body = index.documents.get(key);
      return index.documents.has(key) && (!body || digestOf(body) === manifest.documents[key]);
    });
  return isSound ? index : undefined;
}

type ReadOptions = Omit<ReadReleaseOptions, 'read'>;

/** Reads the live release; undefined when its manifest, or a piece of its sequence, is absent or damaged. */
export async function readLive(
  bucket: Bucket,
  options: ReadOptions = {},
): Promise<{ release: Release | undefined; object: StoredObject | undefined }> {
  const object = await bucket.read(MANIFEST_KEY);
  return { release: object && (await readWith(bucket, object.body, options)), object };
}

/** Reads an archived release; undefined as for {@link readLive}. */
export async function readKept(
  bucket: Bucket,
  name: string,
  options: ReadOptions = {},
): Promise<Release | undefined> {
  const bytes = await readManifest(bucket, name);
  return bytes && readWith(bucket, bytes, options);
}

function readWith(bucket: Bucket, bytes: Buffer, options: ReadOptions = {}): Promise<Release | undefined> {
  return readRelease(bytes, { ...options, read: reader(bucket) });
}

/**
 * Reads the bytes of a kept manifest: it is in the archive, or, for a pruned release, an object.
 */
export async function readManifest(bucket: Bucket, name: string): Promise<Buffer | undefined> {
  return (await readArchivedManifest(bucket, name)) ?? (await bucket.read(releaseManifestKey(name)))?.body;
}

/**
 * Makes a function that lists the objects of a release that stay until it is pruned, from its parsed manifest. A release
 * whose root or lists never arrived, or were pruned, has none of the objects that only these name.
 *
 * @param live manifest of the live release. Lists that it or the previous call named are not read again.
 */
export function createKeptKeys(bucket: Bucket, live?: Manifest): (manifest?: Manifest) => Promise<string[]> {
  const read = reader(bucket);
  let last: Manifest | undefined;
  return async (manifest) => {
    const known = [live, last].flatMap((one) => (one ? [one.named] : []));
    last = manifest && (await wholeManifest(manifest, { read, known, isPartial: true }));
    return last ? keptKeys(last) : [];
  };
}

function reader(bucket: Bucket): ReadReleaseOptions['read'] {
  return async (key) => (await bucket.read(key))?.body;
}

/** Reads an archived manifest, without what its root and lists name, and without its pieces. */
export async function readKeptManifest(bucket: Bucket, name: string): Promise<Manifest | undefined> {
  const bytes = await readManifest(bucket, name);
  return bytes && parseManifest(bytes);
}

/**
 * Opens an archived release. Pieces of a packed one are still to be loaded ({@link loadPieces}).
 *
 * @throws UsageError `unknown-release` or `release-pruned`; EnvironmentError `release-damaged`.
 */
export async function openArchive(bucket: Bucket, name: string): Promise<Source> {
  const damaged = () =>
    new EnvironmentError(
      'release-damaged',
      `What ${bucket.name} keeps of release ${name} is damaged: it cannot be restored. Build its commit and publish that with --allow-older.`,
    );
  // A release loses the pieces of its sequence together with its objects.
  const bytes = await restorableManifest(bucket, name, damaged);
  const read = reader(bucket);
  const open = (digest: string, count: number) =>
    openPiece(digest, count, { load: () => read(sequenceKey(digest)), damaged });
  const release = await readWith(bucket, bytes, { open });
  // Pages and archived details are read by their places in the whole sequence.
  if (release?.hasPages || release?.hasDetails) await loadPieces(release.pieces);
  const index = release && (await soundIndex(bucket, release, name));
  if (!index) throw damaged();
  const { summary, detail } = release.hasDetails
    ? propertiesIn(openProperties(bucket, release, index), damaged)
    : storedRelease(bucket, release, damaged);
  const listOf = release.hasPages ? createLists(await allSummaries({ release, summary })) : undefined;
  // Large documents whose digest was checked; they are read again for each use.
  const sound = new Map<string, LargeBody>();
  const body = async (object: PublishedObject): Promise<Body> => {
    if (object.kind === 'page' || object.kind === 'total') return listOf!(object);
    if (object.kind === 'detail') return Buffer.from(await detail(object.id));
    const held = index.documents.get(object.key) ?? sound.get(object.key);
    if (held) return held;
    const digest = release.manifest.documents[object.key];
    const key = isKept(object) ? object.key : archivedDocumentKey(digest!);
    const stored = await bodyOf(bucket, key);
    const isSound = stored && (!digest || (await bodyDigest(stored)) === digest);
    if (!isSound) throw missingObject(bucket, key, name);
    if (!Buffer.isBuffer(stored)) sound.set(object.key, stored);
    return stored;
  };
  return {
    release,
    isKept: true,
    body,
    summary,
    detail,
    async check(objects) {
      for (const object of objects) {
        if (!isKept(object)) await body(object);
        else if (!(await bucket.inspect(object.key))) throw missingObject(bucket, object.key, name);
      }
    },
  };
}

async function restorableManifest(bucket: Bucket, name: string, damaged: () => Error): Promise<Buffer> {
  const bytes = await readManifest(bucket, name);
  const isArchived = (await bucket.inspect(releaseObjectsKey(name))) !== undefined;
  if (!bytes || !parseManifest(bytes)) {
    if (isArchived) throw damaged();
    throw new UsageError(
      'unknown-release',
      `${bucket.name} keeps no release ${name}. "catalogue releases" lists those that it keeps.`,
    );
  }
  if (isArchived) return bytes;
  throw new UsageError(
    'release-pruned',
    `The objects of release ${name} were pruned, or never arrived: it cannot be restored. Build its commit and publish that with --allow-older.`,
  );
}

function missingObject(bucket: Bucket, key: string, name: string): EnvironmentError {
  return new EnvironmentError(
    'release-damaged',
    `${bucket.name} has no sound ${key} any more, which release ${name} needs: it cannot be restored. Build its commit and publish that with --allow-older.`,
  );
}

type Properties = Pick<ReadableRelease, 'summary' | 'detail'>;

function propertiesIn(find: ReturnType<typeof openProperties>, damaged: () => Error): Properties {
  const property = async (id: string) => (await find(id)) ?? Promise.reject(damaged());
  return {
    summary: async (id) => (await property(id)).summary,
    detail: async (id) => (await property(id)).detail,
  };
}

/** Reads a packed release whose objects are all named by their content: the bucket keeps them as they are. */
function storedRelease(bucket: Bucket, release: Release, differs: () => Error): ReadableRelease {
  const read = async (key: string) => (await bucket.read(key))?.body ?? Promise.reject(differs());
  const detail = openDetails(release, { read, differs });
  return {
    release,
    summary: openSummaries(release, { read, differs }),
    detail: async (id) => (await detail(id)).toString('utf8'),
  };
}

/**
 * Makes the archived properties of a release readable.
 *
 * @returns its methods throw EnvironmentError `release-damaged` when the archive is incomplete.
 */
export function archivedRelease(bucket: Bucket, release: Release): ReadableRelease {
  const damaged = () =>
    new EnvironmentError(
      'release-damaged',
      `What ${bucket.name} keeps of release ${release.name} is missing or damaged.`,
    );
  if (!release.hasDetails) return storedRelease(bucket, release, damaged);
  let opened: ReturnType<typeof open> | undefined;
  const open = async () => {
    const index = await soundIndex(bucket, release);
    if (!index) throw damaged();
    return openProperties(bucket, release, index);
  };
  const find = async (id: string) => {
    opened ??= open();
    return (await opened)(id);
  };
  return { release, ...propertiesIn(find, damaged) };
}
