/** Reads releases that a bucket keeps. Objects of a release's tree stay until a prune removes the release. */
import { INDEX_KEY } from '../contract/document-keys.ts';
import { CURRENT_KEY, documentCopyKey, prunedRootKey, rootKey } from '../contract/object-keys.ts';
import { isSharedObject } from '../contract/object-kinds.ts';
import { EnvironmentError, UsageError } from '../errors/errors.ts';
import type { LeafSource } from '../release/leaves.ts';
import { type ReadReleaseOptions, readRelease } from '../release/read-release.ts';
import { type PublishedObject, type Release, readDetail, sharedKeys } from '../release/release.ts';
import {
  type BuildIdentity,
  indexFromTemplate,
  parseCurrent,
  UNKNOWN_BUILD,
} from '../release/root-contents.ts';
import { type ObjectBody, readObjectBody } from '../storage/body.ts';
import type { Bucket, LargeBody, StoredObject } from '../storage/bucket.ts';
import { bodyDigest } from './body-digest.ts';
import { openListMaker, type ReleaseSource } from './release-source.ts';
import type { Timeline } from './timeline.ts';

/** `current.json` as read earlier. Pass it only if nobody can have changed the file since then. */
export type SeenCurrentJson = { readonly current: StoredObject | undefined };

type ReadOptions = Omit<ReadReleaseOptions, 'read' | 'leafError'>;

/**
 * `release`: undefined if `current.json` is missing or damaged, or if {@link readRelease} returns undefined. Most
 * leaves are read later. Reading a missing or damaged leaf then rejects with EnvironmentError `release-damaged`; with
 * `isPartial`, it gives undefined.
 */
export async function readLiveRelease(
  bucket: Bucket,
  options: ReadOptions = {},
  seen?: SeenCurrentJson,
): Promise<{ release: Release | undefined; object: StoredObject | undefined }> {
  const object = seen ? seen.current : await bucket.read(CURRENT_KEY);
  const current = object && parseCurrent(object.body);
  return { release: current && (await readStored(bucket, current.release, current.build, options)), object };
}

/** Returns undefined in the same cases as {@link readRelease}. Also reads a release whose prune was interrupted. */
export function readKeptRelease(
  bucket: Bucket,
  name: string,
  { timeline, ...options }: ReadOptions & { readonly timeline?: Timeline | undefined } = {},
): Promise<Release | undefined> {
  return readStored(bucket, name, buildOf(name, timeline), options);
}

function readStored(
  bucket: Bucket,
  release: string,
  build: BuildIdentity,
  options: ReadOptions,
): Promise<Release | undefined> {
  const leafError = () =>
    new EnvironmentError('release-damaged', `What ${bucket.name} keeps of a release is missing or damaged.`);
  return readRelease({ release, build }, { ...options, read: readWithMovedRoot(bucket, release), leafError });
}

/** The commit that the release was last published from; {@link UNKNOWN_BUILD} if the timeline lacks the release. */
export function buildOf(name: string, timeline: Timeline | undefined): BuildIdentity {
  return timeline?.live.findLast(({ release }) => release === name)?.build ?? UNKNOWN_BUILD;
}

/**
 * Returns a function that lists the keys of a release's shared objects. It lists none if the root is damaged, or
 * missing because the release never arrived or was pruned. After an interrupted prune, it reads the moved root.
 * @param known releases whose leaves need not be read again
 */
export function createSharedKeysReader(
  bucket: Bucket,
  known: readonly (Release | undefined)[] = [],
): (name: string) => Promise<string[]> {
  let last: Release | undefined;
  return async (name) => {
    const release = await readStored(bucket, name, UNKNOWN_BUILD, {
      known: [...known, last],
      isPartial: true,
    });
    last = release ?? last;
    return release ? sharedKeys(release) : [];
  };
}

function readFrom(bucket: Bucket): LeafSource['read'] {
  return async (key) => (await bucket.read(key))?.body;
}

/** Also finds the root of a release whose prune was interrupted: a prune moves the root before removing objects. */
function readWithMovedRoot(bucket: Bucket, release: string): LeafSource['read'] {
  const read = readFrom(bucket);
  return async (key) =>
    (await read(key)) ?? (key === rootKey(release) ? read(prunedRootKey(release)) : undefined);
}

/** @throws `error` unless it reports a missing or damaged leaf */
export function undefinedIfDamaged(error: unknown): undefined {
  if (!(error instanceof EnvironmentError) || error.code !== 'release-damaged') throw error;
}

/** @throws UsageError `unknown-release`, `release-pruned`; EnvironmentError `release-damaged` */
export async function openKept(bucket: Bucket, name: string, timeline: Timeline): Promise<ReleaseSource> {
  const damaged = () =>
    new EnvironmentError(
      'release-damaged',
      `What ${bucket.name} keeps of release ${name} is damaged: it cannot be restored. Build its commit and publish that with --allow-older.`,
    );
  await assertKept(bucket, name, timeline);
  const build = buildOf(name, timeline);
  const release = await readRelease({ release: name, build }, { read: readFrom(bucket), leafError: damaged });
  if (!release) throw damaged();
  const listOf = openListMaker(release);
  // Large bodies by key. Their digest is checked once, but their bytes are read again for each use.
  const sound = new Map<string, LargeBody>();
  const stored = async (object: PublishedObject): Promise<ObjectBody> => {
    const digest = object.kind === 'media' ? undefined : release.documents[object.key];
    const key = isSharedObject(object) ? object.key : documentCopyKey(digest!);
    const held = sound.get(key);
    if (held) return held;
    const body = await readObjectBody(bucket, key);
    if (!body || (digest && (await bodyDigest(body)) !== digest)) throw missingObject(bucket, key, name);
    if (!Buffer.isBuffer(body)) sound.set(key, body);
    return body;
  };
  const body = async (object: PublishedObject): Promise<ObjectBody> => {
    if (object.kind === 'page' || object.kind === 'total') return listOf(object);
    if (object.kind === 'detail') return (await readDetail(release, object.id)) ?? Promise.reject(damaged());
    const bytes = await stored(object);
    return object.key === INDEX_KEY && Buffer.isBuffer(bytes) ? indexFromTemplate(bytes, name) : bytes;
  };
  return {
    release,
    isFromBucket: true,
    body,
    async check(objects) {
      for (const object of objects) {
        if (!isSharedObject(object)) await body(object);
        else if (!(await bucket.inspect(object.key))) throw missingObject(bucket, object.key, name);
      }
    },
  };
}

async function assertKept(bucket: Bucket, name: string, timeline: Timeline): Promise<void> {
  if (await bucket.inspect(rootKey(name))) return;
  if (timeline.live.some(({ release }) => release === name)) {
    throw new UsageError(
      'release-pruned',
      `The objects of release ${name} were pruned, or never arrived: it cannot be restored. Build its commit and publish that with --allow-older.`,
    );
  }
  throw new UsageError(
    'unknown-release',
    `${bucket.name} keeps no release ${name}. "catalogue releases" lists those that it keeps.`,
  );
}

function missingObject(bucket: Bucket, key: string, name: string): EnvironmentError {
  return new EnvironmentError(
    'release-damaged',
    `${bucket.name} has no sound ${key} any more, which release ${name} needs: it cannot be restored. Build its commit and publish that with --allow-older.`,
  );
}
