import { CURRENT_KEY, RELEASE_NAME, ROOTS_FOLDER, rootKey } from '../contract/object-keys.ts';
import { parseWholeRoot } from '../release/read-release.ts';
import { parseCurrent } from '../release/root-contents.ts';
import type { Bucket } from '../storage/bucket.ts';
import { buildOf } from './stored-release.ts';
import { readTimeline, type Timeline } from './timeline.ts';

export type StoredRelease = {
  readonly name: string;
  /** When the release last became live; if no such time is recorded, when its root was last written. */
  readonly published: Date;
  /**
   * Latest possible time at which the release was replaced; if it never was live, when its root was last written.
   * Undefined for the live release.
   */
  readonly replaced: Date | undefined;
  readonly isLive: boolean;
  readonly wasLive: boolean;
  /** True if the release was live and was not pruned. */
  readonly isRestorable: boolean;
  /** True if the release never went live. A rollback must name it, and succeeds only if all objects were uploaded. */
  readonly isUnfinished?: true;
};

export type DescribedRelease = StoredRelease & {
  readonly commit: string | null;
  readonly time: string | null;
  /** Number of properties; undefined if the release was pruned or its root is damaged. */
  readonly properties: number | undefined;
};

/**
 * Returns the live release first, then other releases of the timeline, then releases that the timeline does not name.
 * In each group, the latest is first.
 */
export async function listReleases(bucket: Bucket, timeline: Timeline): Promise<StoredRelease[]> {
  const object = await bucket.read(CURRENT_KEY);
  const live = object && parseCurrent(object.body)?.release;
  // A publish writes a release's root before its other objects, and a prune removes the root first. So only a release
  // that has a root can be complete.
  const arrived = new Map<string, Date>();
  for await (const { key, modified } of bucket.list(`${ROOTS_FOLDER}/`)) {
    const name = key.slice(`${ROOTS_FOLDER}/`.length, -'.json'.length);
    if (RELEASE_NAME.test(name) && key === rootKey(name)) arrived.set(name, modified);
  }
  const known = new Map(arrived);
  for (const { release, since } of timeline.live)
    if (!known.has(release)) known.set(release, new Date(since));
  // If the root of a release is older than the timeline, the release was replaced when the timeline began, or earlier.
  const first = timeline.from ?? timeline.live[0]?.since;
  const remembered = first === undefined ? (object?.modified ?? new Date()) : new Date(first);
  const kept = [...known].map(([name, time]): StoredRelease => {
    const span = timeline.live.findLast((one) => one.release === name);
    const isLive = name === live;
    const isOlder = time.getTime() < remembered.getTime();
    const end = isOlder ? remembered : time;
    // If a replaced release's span has no end, an interrupted publish replaced the release without recording the time.
    const until = span ? (span.until ? new Date(span.until) : (object?.modified ?? new Date())) : end;
    const wasLive = isLive || span !== undefined || isOlder;
    return {
      name,
      published: span ? new Date(span.since) : time,
      replaced: isLive ? undefined : until,
      isLive,
      wasLive,
      // A release that was never live may be incomplete.
      isRestorable: wasLive && arrived.has(name),
      ...(!wasLive && arrived.has(name) && { isUnfinished: true }),
    };
  });
  const end = ({ replaced }: StoredRelease) => replaced?.getTime() ?? Number.POSITIVE_INFINITY;
  // Orders by position in the timeline, since times are out of order after the store's clock was set back.
  const rank = ({ name, isLive }: StoredRelease) =>
    isLive ? timeline.live.length : timeline.live.findLastIndex(({ release }) => release === name);
  // Releases with equal times stay in listing order.
  return kept.sort(
    (one, other) =>
      rank(other) - rank(one) || end(other) - end(one) || other.published.getTime() - one.published.getTime(),
  );
}

export async function describeReleases(bucket: Bucket): Promise<DescribedRelease[]> {
  const timeline = await readTimeline(bucket);
  const current = await bucket.read(CURRENT_KEY);
  const live = current && parseCurrent(current.body);
  const described: DescribedRelease[] = [];
  for (const kept of await listReleases(bucket, timeline)) {
    const build = live?.release === kept.name ? live.build : buildOf(kept.name, timeline);
    const bytes = await bucket.read(rootKey(kept.name));
    const properties = bytes && parseWholeRoot(bytes.body, kept.name)?.root.total;
    described.push({ ...kept, ...build, properties });
  }
  return described;
}
