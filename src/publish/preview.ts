/** Publishes previews and ends them. Each preview has its own lock. Never changes which release is live. */

import { CURRENT_KEY } from '../contract/object-keys.ts';
import { isSharedKey } from '../contract/object-kinds.ts';
import {
  assertPreviewName,
  isSharedByPreviews,
  type PreviewPointer,
  parsePreviewPointer,
  parseSharedKeys,
  previewKeyPrefix,
  SHARED_LIST_KEY,
} from '../contract/preview-keys.ts';
import { DAY } from '../contract/rfc3339-time.ts';
import { UsageError } from '../errors/errors.ts';
import { objectsOf, type PublishedObject, sharedKeys, storedHeadersOf } from '../release/release.ts';
import type { Bucket } from '../storage/bucket.ts';
import { CONTROL_OBJECT_HEADERS } from '../storage/control-headers.ts';
import { forEachConcurrently } from '../storage/for-each.ts';
import { type HeldLock, type LockOptions, takeLock, waitUntilNobodyPublishes } from '../storage/lock.ts';
import { hasObjectsBesideLog } from '../storage/lock-log.ts';
import { concurrencyOf } from '../storage/pace.ts';
import { openPreviewBucket } from '../storage/preview-bucket.ts';
import { currentJsonText } from '../tree/format/root.ts';
import { KINDS_TO_UPLOAD } from './plan.ts';
import type { PublishListener } from './progress.ts';
import { type PurgeCachesOptions, type Purger, purgeCaches } from './purge/purge-caches.ts';
import { type StalePrefixes, stalePrefixes } from './purge/stale-prefixes.ts';
import { assertNotEmpty } from './refusals.ts';
import type { ReleaseSource } from './release-source.ts';
import { sendObject } from './send-object.ts';
import { readLiveRelease } from './stored-release.ts';
import { totalWritten, withTrafficCount } from './traffic-count.ts';

export type PreviewOptions = PurgeCachesOptions & {
  /** Days until the preview expires. @default 14 */
  readonly days?: number | undefined;
  readonly lock?: LockOptions | undefined;
  /** Maximum number of concurrent requests. @default adapted by the bucket's `pace`; 32 if it has none */
  readonly concurrency?: number | undefined;
};

export type PreviewResult = Pick<PreviewPointer, 'release' | 'expires'> & {
  readonly bucket: string;
  readonly preview: string;
  readonly written: number;
  readonly bytes: number;
  readonly seconds: number;
};

/**
 * Replaces the preview's previous release. Does not send shared objects that the previous or the live release has.
 * @throws UsageError `preview-name`, `preview-layout`, `empty-catalogue`, `no-conditional-writes`, `newer-version`, or
 * when the build is damaged; EnvironmentError when the bucket or a purge fails, the preview's lock is held or lost, or
 * a publish holds the live release's lock for 15 minutes
 */
export async function publishPreview(
  parent: Bucket,
  name: string,
  source: ReleaseSource,
  { days = 14, lock: given = {}, concurrency, purgers, listener = () => {} }: PreviewOptions = {},
): Promise<PreviewResult> {
  const started = performance.now();
  const { release } = source;
  assertPreviewName(name);
  assertNotEmpty(release);
  if (release.hasPages) {
    throw new UsageError(
      'preview-layout',
      'A preview has the packed layout. Run "catalogue build --layout packed", and publish its folder.',
    );
  }
  const { bucket, traffic } = withTrafficCount(openPreviewBucket(parent, name));
  const lock = { note: (text: string) => listener({ kind: 'note', text }), ...given };
  // A preview without a log needs no wait: late requests of an earlier publisher go to another release's folder.
  const held = await takeLock(bucket, { isUsed: async () => false, ...lock });
  try {
    const expires = await write(parent, held, source, { days, lock, concurrency, listener });
    await purgeCaches({ paths: stalePrefixesOf(name, release.settings.base) }, { purgers, listener });
    await held.finish({});
    const written = totalWritten(traffic);
    const seconds = (performance.now() - started) / 1000;
    const { bytes } = traffic;
    return { bucket: parent.name, preview: name, release: release.name, expires, written, bytes, seconds };
  } catch (error) {
    await held.abandon();
    throw error;
  }
}

type EndPreviewOptions = {
  readonly lock?: LockOptions | undefined;
  /**
   * Returns the caches to purge. `baseUrl` is the live release's; undefined if that release cannot be read.
   * @default no cache is purged
   */
  readonly caches?: ((baseUrl: string | undefined) => Promise<readonly Purger[]>) | undefined;
};

/**
 * Stops serving a preview. The next prune removes its objects.
 * @throws UsageError `preview-name`, `unknown-preview`, `no-conditional-writes`, `newer-version`; EnvironmentError when
 * the bucket or a purge fails, or the preview's lock is held or lost
 */
export async function endPreview(
  parent: Bucket,
  name: string,
  { lock, caches = async () => [] }: EndPreviewOptions = {},
): Promise<void> {
  assertPreviewName(name);
  // A preview that ended and was not pruned yet may end again, so that a failed purge can be repeated.
  if (!(await hasObjectsBesideLog(parent, previewKeyPrefix(name)))) {
    throw new UsageError(
      'unknown-preview',
      `${parent.name} serves no preview ${name}: it was never published there, has ended, or has another name.`,
    );
  }
  const settings = (await readLiveRelease(parent, { isPartial: true })).release?.settings;
  const purgers = await caches(settings?.url);
  const held = await takeLock(openPreviewBucket(parent, name), { isUsed: async () => false, ...lock });
  try {
    await held.bucket.remove([CURRENT_KEY]);
    // Without a readable live release, its base path is unknown, so everything is purged.
    await purgeCaches({ paths: settings && stalePrefixesOf(name, settings.base) }, { purgers });
    await held.finish({});
  } catch (error) {
    await held.abandon();
    throw error;
  }
}

function stalePrefixesOf(name: string, base: string): StalePrefixes {
  return stalePrefixes([previewKeyPrefix(name)], base);
}

function ownKey(release: string, key: string): string {
  return key === CURRENT_KEY ? key : `${release}/${key}`;
}

type Writing = Pick<PreviewOptions, 'concurrency'> & {
  readonly days: number;
  readonly lock: LockOptions;
  readonly listener: PublishListener;
};

/** Excludes copies, which only a rollback needs, and files of lists and details, which the packed layout lacks. */
const SENT_KINDS = KINDS_TO_UPLOAD.filter((kind) => !['copy', 'detail', 'page', 'total'].includes(kind));

/**
 * True for objects that go to the preview's folder. Roots are shared objects, but a preview's root among the bucket's
 * roots would look like a release to restore.
 */
const isOwn = ({ kind, key }: PublishedObject) => kind === 'root' || !isSharedKey(key);

/**
 * Writes the objects, then `current.json`. Returns the time at which the preview expires (RFC 3339).
 *
 * Does not send shared objects that the bucket has already. A prune keeps them, since `used.json` lists them. However,
 * a prune that started before `used.json` was written may remove them, so this function waits until such a prune ends.
 */
async function write(
  parent: Bucket,
  held: HeldLock,
  source: ReleaseSource,
  { days, lock, concurrency, listener }: Writing,
): Promise<string> {
  const { release } = source;
  const { bucket } = held;
  const used = Buffer.from(JSON.stringify(sharedKeys(release).filter(isSharedByPreviews)));
  await bucket.write(ownKey(release.name, SHARED_LIST_KEY), used, CONTROL_OBJECT_HEADERS);
  listener({ kind: 'stage', stage: 'compare' });
  await waitUntilNobodyPublishes(parent, lock);
  const { release: live } = await readLiveRelease(parent, { isPartial: true });
  const present = new Set([...(live ? sharedKeys(live) : []), ...(await usedBefore(bucket))]);
  const objects = SENT_KINDS.flatMap((kind) => [...objectsOf(release, kind)]);
  const missing = objects.filter((object) => !isOwn(object) && !present.has(object.key));
  const own = objects.filter(isOwn);
  listener({ kind: 'stage', stage: 'check' });
  await source.check([...missing, ...own]);
  listener({ kind: 'stage', stage: 'write' });
  const width = concurrencyOf(bucket, concurrency);
  let done = 0;
  for (const phase of [missing, own]) {
    await forEachConcurrently(phase, width, async (object) => {
      const { key } = object;
      await sendObject(bucket, source, object, isOwn(object) ? ownKey(release.name, key) : key);
      listener({ kind: 'progress', done: ++done, total: missing.length + own.length });
    });
  }
  const expires = new Date(held.latest().getTime() + days * DAY).toISOString();
  const named: PreviewPointer = {
    release: release.name,
    expires,
    own: own.map(({ key }) => key),
  };
  const text = JSON.stringify({ ...JSON.parse(currentJsonText(release.name)), ...named });
  await bucket.write(CURRENT_KEY, Buffer.from(`${text}\n`), storedHeadersOf(release, CURRENT_KEY));
  return expires;
}

/** Keys of shared objects that the preview's previous release uses. They still exist, since a prune keeps them. */
async function usedBefore(bucket: Bucket): Promise<readonly string[]> {
  const current = await bucket.read(CURRENT_KEY);
  const preview = current && parsePreviewPointer(current.body);
  const used = preview && (await bucket.read(ownKey(preview.release, SHARED_LIST_KEY)));
  return used ? parseSharedKeys(used.body).keys : [];
}
