/** Records when each release was live, by the store's time, and which replaced releases readers may still need. */
import { isDeepStrictEqual } from 'node:util';
import { RELEASE_NAME } from '../contract/object-keys.ts';
import { isRfc3339Time, latestOf } from '../contract/rfc3339-time.ts';
import type { Release } from '../release/release.ts';
import { type BuildIdentity, isValidBuild } from '../release/root-contents.ts';
import type { Bucket } from '../storage/bucket.ts';
import { type BucketState, bucketStateOf, readLog } from '../storage/lock-log.ts';

type LiveSpan = {
  readonly release: string;
  readonly since: string;
  /** Null for the live release. */
  readonly until: string | null;
  readonly build: BuildIdentity;
};

export type StillCachedRelease = {
  readonly release: string;
  /** Time (RFC 3339) until which caches may serve lists of the release. */
  readonly until: string;
};

export type Timeline = {
  /** Oldest first; ends with the live release. */
  readonly live: readonly LiveSpan[];
  /** Replaced releases, in any order. Details of each one are kept until its `until`. */
  readonly before: readonly StillCachedRelease[];
  /**
   * Time (RFC 3339) until which caches may serve lists of releases that `before` leaves out because the live release
   * has all their properties. Null if there are no such lists.
   */
  readonly coveredUntil: string | null;
  /** Start of the complete record (RFC 3339): every release that was live since then is listed. Null if unknown. */
  readonly from: string | null;
};

/** Maximum number of spans: each has 210 bytes, and a publish sends all of them twice. */
const MAX_SPANS = 200;

const EMPTY: Timeline = { live: [], before: [], coveredUntil: null, from: null };

/** `isLost`: a timeline should exist but is missing or damaged. */
export function findTimeline({ timeline: recorded, current, suspect }: BucketState): {
  readonly timeline: Timeline;
  readonly isLost: boolean;
} {
  const timeline = timelineIn(recorded);
  const isUnused = !suspect && current === null && !timeline;
  return { timeline: timeline ?? EMPTY, isLost: !timeline && !isUnused };
}

export async function readTimeline(bucket: Bucket): Promise<Timeline> {
  return findTimeline(bucketStateOf(await readLog(bucket))).timeline;
}

function timelineIn(recorded: unknown): Timeline | undefined {
  try {
    const { live, before, coveredUntil, from } = recorded as Timeline;
    const timeline = { live, before, coveredUntil, from };
    return isTimeline(timeline) ? timeline : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Drops the oldest spans if there are too many. `due` is the earliest time at which kept details may be removed; null
 * if no details are kept.
 */
export function timelineForLog(timeline: Timeline): Pick<BucketState, 'timeline' | 'due'> {
  const { live, before } = timeline;
  const [due = null] = before.map(({ until }) => until).sort();
  const isLong = live.length > MAX_SPANS;
  return { timeline: isLong ? { ...timeline, live: live.slice(-MAX_SPANS), from: null } : timeline, due };
}

/**
 * If the timeline has neither a live release nor a start (`from`), sets its start to `now`. The time is rounded down to
 * whole seconds, as stores round the times of objects.
 */
export function withStartIfEmpty(timeline: Timeline, now: Date): Timeline {
  if (timeline.live.length > 0 || timeline.from !== null) return timeline;
  return { ...timeline, from: new Date(1000 * Math.floor(now.getTime() / 1000)).toISOString() };
}

export function withLiveRelease(
  timeline: Timeline,
  { name: release, build }: Pick<Release, 'name' | 'build'>,
  since: Date,
): Timeline {
  const last = timeline.live.at(-1);
  if (last?.release === release) {
    const earlier = timeline.live.slice(0, -1);
    const isSame = isDeepStrictEqual(last.build, build);
    return covering(isSame ? timeline : { ...timeline, live: [...earlier, { ...last, build }] }, release);
  }
  const time = since.toISOString();
  const ended = last ? [...timeline.live.slice(0, -1), { ...last, until: time }] : [];
  const live = [...ended, { release, since: time, until: null, build }];
  const { coveredUntil: until } = timeline;
  const replaced = last && until ? withReplaced(timeline, [last.release], new Date(until)) : timeline;
  return covering({ ...replaced, live, coveredUntil: null }, release);
}

/**
 * Drops the live release from `before`, since it has all properties that its own cached lists name. `coveredUntil`
 * records until when caches may serve these lists.
 */
function covering(timeline: Timeline, live: string): Timeline {
  const own = timeline.before.find(({ release }) => release === live);
  if (!own) return timeline;
  const before = timeline.before.filter((one) => one !== own);
  return { ...timeline, before, coveredUntil: latestOf([own.until, timeline.coveredUntil]) };
}

/** Records that caches may serve lists of the named releases until `until`. A later recorded time stays. */
export function withReplaced(timeline: Timeline, names: readonly string[], until: Date): Timeline {
  if (names.length === 0) return timeline;
  const time = until.toISOString();
  const isLonger = (one: StillCachedRelease) => !names.includes(one.release) || one.until >= time;
  const kept = timeline.before.filter(isLonger);
  const added = names.filter((name) => !kept.some(({ release }) => release === name));
  return { ...timeline, before: [...kept, ...added.map((release) => ({ release, until: time }))] };
}

/**
 * Drops from `before` the live release and releases that are not `needed`. `coveredUntil` records the latest time until
 * which caches may serve lists of the dropped releases.
 */
export function withOnlyNeeded(timeline: Timeline, needed: ReadonlySet<string>, now: Date): Timeline {
  const live = timeline.live.at(-1)?.release;
  const ends = [...timeline.before.map(({ until }) => until), timeline.coveredUntil];
  const latest = latestOf(ends.filter((until) => !isOver(until, now)));
  // A release whose own lists have expired may still be needed, because it has photos of details that stay for lists of
  // other releases. The release then stays until the last of these lists expires.
  const before = timeline.before
    .filter(({ release }) => release !== live && needed.has(release))
    .map((one) => (latest && isOver(one.until, now) ? { ...one, until: latest } : one));
  const isCovered = latest !== null && !before.some(({ until }) => until === latest);
  return { ...timeline, before, coveredUntil: isCovered ? latest : null };
}

/** @param until null counts as over */
export function isOver(until: string | null, now: Date): boolean {
  return until === null || Date.parse(until) <= now.getTime();
}

function isTimeline({ live, before, coveredUntil, from }: Timeline): boolean {
  return (
    live.every(
      ({ release, since, until, build }) =>
        RELEASE_NAME.test(release) &&
        isRfc3339Time(since) &&
        (until === null || isRfc3339Time(until)) &&
        isValidBuild(build),
    ) &&
    before.every(({ release, until }) => RELEASE_NAME.test(release) && isRfc3339Time(until)) &&
    (coveredUntil === null || isRfc3339Time(coveredUntil)) &&
    (from === null || isRfc3339Time(from))
  );
}
