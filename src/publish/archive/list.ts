import { MANIFEST_KEY, RELEASE_NAME } from '../../contract/object-keys.ts';
import { UsageError } from '../../errors/errors.ts';
import { parseManifest, readRoot } from '../../release/read.ts';
import { resolveRelease } from '../../release/resolve-name.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { RELEASES_FOLDER } from '../../storage/reserved-keys.ts';
import { readTimeline } from '../timeline.ts';
import { readKeptManifest } from './archive.ts';

export type KeptRelease = {
  readonly name: string;
  /** Last time it became live. If it never did, time of the last attempt. */
  readonly published: Date;
  /**
   * Latest time at which it was replaced; if it never was live, of the last attempt. Undefined for the live release.
   */
  readonly replaced: Date | undefined;
  readonly isLive: boolean;
  readonly wasLive: boolean;
  /** It was live, and its archive still exists. */
  readonly isRestorable: boolean;
  /** It never went live. A rollback that names it restores it if all its objects arrived. */
  readonly isUnfinished?: true;
};

export type DescribedRelease = KeptRelease & {
  readonly commit: string | null;
  readonly time: string | null;
  /** Undefined if the release was pruned. */
  readonly properties: number | undefined;
};

/** The live release first, then earlier live ones, then the others, latest first in each group. */
export async function listReleases(bucket: Bucket): Promise<KeptRelease[]> {
  const object = await bucket.read(MANIFEST_KEY);
  const live = object && parseManifest(object.body)?.release;
  const timeline = await readTimeline(bucket);
  const arrived = new Map<string, Date>();
  const archived = new Set<string>();
  const pruned = new Set(timeline.pruned);
  for await (const { key, modified } of bucket.list(`${RELEASES_FOLDER}/`)) {
    const [name = '', file] = key.slice(RELEASES_FOLDER.length + 1).split('/');
    if (!RELEASE_NAME.test(name)) continue;
    // A pruned release has only a manifest.
    const isArchive = file === 'objects.ndjson.gz';
    if (!isArchive && file !== 'manifest.json') continue;
    if (!arrived.has(name)) arrived.set(name, modified);
    if (isArchive) archived.add(name);
  }
  // A release older than the timeline was replaced when that started, or before.
  const first = timeline.from ?? timeline.live[0]?.since;
  const remembered = first === undefined ? (object?.modified ?? new Date()) : new Date(first);
  const kept = [...arrived].map(([name, time]): KeptRelease => {
    const span = timeline.live.findLast((one) => one.release === name);
    const isLive = name === live;
    const isOlder = time.getTime() < remembered.getTime();
    const end = isOlder ? remembered : time;
    // Without an end, an interrupted publish replaced it and did not record the time.
    const until = span ? (span.until ? new Date(span.until) : (object?.modified ?? new Date())) : end;
    const wasLive = isLive || span !== undefined || isOlder;
    return {
      name,
      published: span ? new Date(span.since) : time,
      replaced: isLive ? undefined : until,
      isLive,
      wasLive,
      // A release that was never live may be incomplete.
      isRestorable: wasLive && archived.has(name) && !pruned.has(name),
      ...(!wasLive && archived.has(name) && { isUnfinished: true }),
    };
  });
  const end = ({ replaced }: KeptRelease) => replaced?.getTime() ?? Number.POSITIVE_INFINITY;
  // In the order of the timeline, since times are out of order after the store's clock was set back.
  const rank = ({ name, isLive }: KeptRelease) =>
    isLive ? timeline.live.length : timeline.live.findLastIndex(({ release }) => release === name);
  // Releases with equal times stay in listing order.
  return kept.sort(
    (one, other) =>
      rank(other) - rank(one) || end(other) - end(one) || other.published.getTime() - one.published.getTime(),
  );
}

export async function describeReleases(bucket: Bucket): Promise<DescribedRelease[]> {
  const described: DescribedRelease[] = [];
  for (const kept of await listReleases(bucket)) {
    const manifest = await readKeptManifest(bucket, kept.name);
    const { commit = null, time = null } = manifest?.build ?? {};
    const read = async (key: string) => (await bucket.read(key))?.body;
    const root = manifest && (await readRoot(manifest, { read }));
    described.push({ ...kept, commit, time, properties: root?.root.total });
  }
  return described;
}

/**
 * Name of the release that a rollback restores.
 * @param wanted its name, or at least the first six digits. @default the previous live release
 * @throws UsageError `unknown-release`, `ambiguous-release`, `invalid-release-name`
 */
export async function chooseRollbackRelease(bucket: Bucket, wanted: string | undefined): Promise<string> {
  const releases = await listReleases(bucket);
  if (wanted !== undefined) {
    return resolveRelease(
      wanted,
      releases.map(({ name }) => name),
      bucket.name,
    );
  }
  const earlier = releases.find(({ isRestorable, isLive }) => isRestorable && !isLive);
  if (earlier) return earlier.name;
  throw new UsageError(
    'unknown-release',
    `${bucket.name} keeps no earlier release to go back to. "catalogue releases" lists those that it keeps.`,
  );
}
