import { MANIFEST_KEY } from '../../contract/object-keys.ts';
import { isSharedObject } from '../../contract/object-kinds.ts';
import { EnvironmentError, UsageError } from '../../errors/errors.ts';
import { digestOf } from '../../release/digest.ts';
import type { LeafSource } from '../../release/leaves.ts';
import type { Manifest } from '../../release/manifest.ts';
import {
  type ManifestAndRoot,
  parseManifest,
  type ReadReleaseOptions,
  readRelease,
  readRoot,
} from '../../release/read.ts';
import {
  documentKeys,
  type PublishedObject,
  type Release,
  readDetail,
  sharedKeys,
} from '../../release/release.ts';
import { type ObjectBody, readObjectBody } from '../../storage/body.ts';
import type { Bucket, LargeBody, StoredObject } from '../../storage/bucket.ts';
import { archivedDocumentKey, releaseManifestKey, releaseObjectsKey } from '../../storage/reserved-keys.ts';
import { bodyDigest } from '../body-digest.ts';
import { openListMaker, type ReleaseSource } from '../source.ts';
import {
  type ArchiveIndex,
  readArchivedManifest,
  readArchiveIndex,
  separateObjectKeys,
  writeArchivedDocuments,
} from './archived-documents.ts';

/**
 * Archives only documents with fixed names: photos, explorer files and the tree stay in the bucket until `prune`, and
 * pages and details can be made from the tree. Called before any object of the release is written, so that after an
 * interruption the archived manifest shows which objects the bucket may have.
 * @param live the previous release, whose archived documents are reused
 */
export async function writeArchive(
  bucket: Bucket,
  source: ReleaseSource,
  live: Release | undefined,
): Promise<void> {
  const { name, bytes } = source.release;
  const isArchived = (await bucket.inspect(releaseObjectsKey(name))) !== undefined;
  if (isArchived && (await readKeptManifestBytes(bucket, name))?.equals(bytes)) return;
  const index = live && (await readSoundIndex(bucket, live));
  await writeArchivedDocuments(bucket, source, new Set(index && separateObjectKeys(index, live)));
}

/** Undefined when missing or damaged. */
export async function readSoundIndex(
  bucket: Bucket,
  { manifest }: Pick<Release, 'manifest'>,
  name: string = manifest.release,
): Promise<ArchiveIndex | undefined> {
  // An error of the store does not mean that the index is damaged.
  const index = await readArchiveIndex(bucket, name).catch((error: unknown) => {
    if (error instanceof EnvironmentError) throw error;
    return undefined;
  });
  const documents = documentKeys({ manifest }, { shared: false });
  const isSound =
    index?.size === documents.length &&
    documents.every((key) => {
      const body = index.get(key);
      return index.has(key) && (!body || digestOf(body) === manifest.documents[key]);
    });
  return isSound ? index : undefined;
}

type ReadOptions = Omit<ReadReleaseOptions, 'read' | 'leafError'>;

/**
 * `release`: undefined if the manifest, root or city table is missing or damaged. Reading another leaf that is
 * missing or damaged rejects with `release-damaged`.
 */
export async function readLiveRelease(
  bucket: Bucket,
  options: ReadOptions = {},
  seen?: { readonly manifest: StoredObject | undefined },
): Promise<{ release: Release | undefined; object: StoredObject | undefined }> {
  const object = seen ? seen.manifest : await bucket.read(MANIFEST_KEY);
  return { release: object && (await readWith(bucket, object.body, options)), object };
}

/** Undefined as for {@link readLiveRelease}. */
export async function readKeptRelease(
  bucket: Bucket,
  name: string,
  options: ReadOptions = {},
): Promise<Release | undefined> {
  const bytes = await readKeptManifestBytes(bucket, name);
  return bytes && readWith(bucket, bytes, options);
}

function readWith(bucket: Bucket, bytes: Buffer, options: ReadOptions = {}): Promise<Release | undefined> {
  const leafError = () =>
    new EnvironmentError('release-damaged', `What ${bucket.name} keeps of a release is missing or damaged.`);
  return readRelease(bytes, { ...options, read: reader(bucket), leafError });
}

/** Reads it from the archive, or for a pruned release from a separate object. */
export async function readKeptManifestBytes(bucket: Bucket, name: string): Promise<Buffer | undefined> {
  return (await readArchivedManifest(bucket, name)) ?? (await bucket.read(releaseManifestKey(name)))?.body;
}

/**
 * Returns a function that lists the keys of a release that stay until `prune`. If the root is missing (it never
 * arrived, or was pruned), keys that only the root names are left out.
 */
export function createKeptKeys(
  bucket: Bucket,
  live?: ManifestAndRoot,
): (manifest?: Manifest) => Promise<string[]> {
  const read = reader(bucket);
  let last: ManifestAndRoot | undefined;
  return async (manifest) => {
    last = manifest && (await readRoot(manifest, { read, known: [live, last], isPartial: true }));
    return last ? sharedKeys(last.manifest) : [];
  };
}

function reader(bucket: Bucket): LeafSource['read'] {
  return async (key) => (await bucket.read(key))?.body;
}

/** @throws `error` unless it reports a missing or damaged leaf */
export function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof EnvironmentError) || error.code !== 'release-damaged') throw error;
}

export async function readKeptManifest(bucket: Bucket, name: string): Promise<Manifest | undefined> {
  const bytes = await readKeptManifestBytes(bucket, name);
  return bytes && parseManifest(bytes);
}

/** @throws UsageError `unknown-release`, `release-pruned`; EnvironmentError `release-damaged` */
export async function openArchive(bucket: Bucket, name: string): Promise<ReleaseSource> {
  const damaged = () =>
    new EnvironmentError(
      'release-damaged',
      `What ${bucket.name} keeps of release ${name} is damaged: it cannot be restored. Build its commit and publish that with --allow-older.`,
    );
  const bytes = await restorableManifest(bucket, name, damaged);
  const release = await readRelease(bytes, { read: reader(bucket), leafError: damaged });
  const index = release && (await readSoundIndex(bucket, release, name));
  if (!index) throw damaged();
  const listOf = openListMaker(release);
  // Large documents whose digest was checked once. Their bytes are read again for each use.
  const sound = new Map<string, LargeBody>();
  const body = async (object: PublishedObject): Promise<ObjectBody> => {
    if (object.kind === 'page' || object.kind === 'total') return listOf(object);
    if (object.kind === 'detail') return (await readDetail(release, object.id)) ?? Promise.reject(damaged());
    const held = index.get(object.key) ?? sound.get(object.key);
    if (held) return held;
    const digest = release.manifest.documents[object.key];
    const key = isSharedObject(object) ? object.key : archivedDocumentKey(digest!);
    const stored = await readObjectBody(bucket, key);
    const isSound = stored && (!digest || (await bodyDigest(stored)) === digest);
    if (!isSound) throw missingObject(bucket, key, name);
    if (!Buffer.isBuffer(stored)) sound.set(object.key, stored);
    return stored;
  };
  return {
    release,
    isArchive: true,
    body,
    async check(objects) {
      for (const object of objects) {
        if (!isSharedObject(object)) await body(object);
        else if (!(await bucket.inspect(object.key))) throw missingObject(bucket, object.key, name);
      }
    },
  };
}

async function restorableManifest(bucket: Bucket, name: string, damaged: () => Error): Promise<Buffer> {
  const bytes = await readKeptManifestBytes(bucket, name);
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
