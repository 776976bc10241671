/**
 * Records when each release was live, by the store's time, which details are kept for cached lists, what was pruned.
 */
import { isDeepStrictEqual } from 'node:util';
import { propertyKey, RELEASE_NAME, RETIRED_DETAILS_KEY } from '../contract/object-keys.ts';
import { isDerivedKey } from '../contract/object-kinds.ts';
import { isRfc3339Time } from '../contract/rfc3339-time.ts';
import type { Release } from '../release/release.ts';
import { type BuildIdentity, isBuild } from '../release/root-contents.ts';
import type { Bucket, StoredObject } from '../storage/bucket.ts';
import { type BucketState, bucketStateOf, readLog } from '../storage/lock-log.ts';
import { CONTROL_HEADERS } from '../storage/reserved-keys.ts';

type LiveSpan = {
  readonly release: string;
  readonly since: string;
  /** Null for the live release. */
  readonly until: string | null;
  readonly build: BuildIdentity;
};

type Retired = {
  readonly ids: readonly string[];
  /** After this time (RFC 3339), no cache may serve a list that names them. */
  readonly due: string;
};

export type Timeline = {
  /** Oldest first; ends with the live release. */
  readonly live: readonly LiveSpan[];
  readonly retired: readonly Retired[];
  /** Names of releases whose objects were removed, or are being removed. */
  readonly pruned: readonly string[];
  /** Caches may serve lists of earlier releases until then (RFC 3339); null if none was ever replaced. */
  readonly cached: string | null;
  /** Start of the complete record (RFC 3339): every release that was live since then is listed. Null if unknown. */
  readonly from: string | null;
};

/** Limited, since a span has 210 bytes and each publish sends all spans twice. */
const MAX_SPANS = 200;

const NO_TIMES = { cached: null, from: null };
const EMPTY: Timeline = { live: [], retired: [], pruned: [], ...NO_TIMES };

type FoundTimeline = {
  readonly timeline: Timeline;
  /** Whether a timeline should exist but is missing or damaged. */
  readonly isLost: boolean;
  readonly stored: Timeline['retired'];
};

/**
 * Reads the timeline from the log, and retired details, which may be many and rarely change, from a separate object
 * if the log says that there are some.
 */
export async function findTimeline(
  bucket: Bucket,
  { timeline: recorded, due, current, suspect }: BucketState,
): Promise<FoundTimeline> {
  const alone = timelineIn(recorded, { retired: [] });
  if (alone && due === null) return { timeline: alone, isLost: false, stored: [] };
  // Not used without a timeline in the log, since the object may then be outdated.
  const timeline = alone && timelineIn(contentOf(await bucket.read(RETIRED_DETAILS_KEY)), recorded);
  const isUnused = !suspect && current === null && !alone;
  return {
    timeline: timeline ?? alone ?? EMPTY,
    isLost: !timeline && !isUnused,
    stored: timeline?.retired ?? [],
  };
}

export async function readTimeline(bucket: Bucket): Promise<Timeline> {
  return (await findTimeline(bucket, bucketStateOf(await readLog(bucket)))).timeline;
}

function contentOf(object: StoredObject | undefined): object {
  try {
    return (JSON.parse(object?.body.toString('utf8') ?? 'null') as object) ?? {};
  } catch {
    return {};
  }
}

function timelineIn(...parts: unknown[]): Timeline | undefined {
  try {
    const { live, retired, pruned, cached, from } = Object.assign({}, NO_TIMES, ...parts) as Timeline;
    const timeline = { live, retired, pruned, cached, from };
    return isTimeline(timeline) ? timeline : undefined;
  } catch {
    return undefined;
  }
}

/** Everything but the retired details, and the earliest time at which one may be removed. */
export function timelineForLog({
  live,
  retired,
  pruned,
  cached,
  from,
}: Timeline): Pick<BucketState, 'timeline' | 'due'> {
  const spans = live.length > MAX_SPANS ? { live: live.slice(-MAX_SPANS), from: null } : { live, from };
  const [due = null] = retired.map((one) => one.due).sort();
  return { timeline: { ...spans, pruned, cached }, due };
}

/** Writes nothing if the retired details equal `stored`. */
export async function writeRetired(
  bucket: Bucket,
  { retired }: Timeline,
  stored?: Timeline['retired'],
): Promise<void> {
  if (isDeepStrictEqual(retired, stored)) return;
  await bucket.write(RETIRED_DETAILS_KEY, Buffer.from(`${JSON.stringify({ retired })}\n`), CONTROL_HEADERS);
}

/** Sets `from`, if nothing is recorded yet, to the whole second of `now`: stores round times down too. */
export function withStartTime(timeline: Timeline, now: Date): Timeline {
  if (timeline.live.length > 0 || timeline.from !== null) return timeline;
  return { ...timeline, from: new Date(1000 * Math.floor(now.getTime() / 1000)).toISOString() };
}

export function recordLiveRelease(
  timeline: Timeline,
  { name: release, build }: Pick<Release, 'name' | 'build'>,
  since: Date,
): Timeline {
  const last = timeline.live.at(-1);
  if (last?.release === release) {
    if (isDeepStrictEqual(last.build, build)) return timeline;
    return { ...timeline, live: [...timeline.live.slice(0, -1), { ...last, build }] };
  }
  const time = since.toISOString();
  const before = last ? [...timeline.live.slice(0, -1), { ...last, until: time }] : [];
  return { ...timeline, live: [...before, { release, since: time, until: null, build }] };
}

/** `life`: milliseconds for which caches may serve the replaced lists. */
export function recordCachedLists(timeline: Timeline, now: Date, life: number): Timeline {
  if (life === 0) return timeline;
  const until = new Date(now.getTime() + life).toISOString();
  return { ...timeline, cached: [timeline.cached ?? '', until].sort().at(-1)! };
}

export function withRetired(timeline: Timeline, ids: readonly string[], due: Date): Timeline {
  if (ids.length === 0) return timeline;
  const known = new Set(timeline.retired.flatMap((one) => one.ids));
  const added = ids.filter((id) => !known.has(id));
  if (added.length === 0) return timeline;
  return { ...timeline, retired: [...timeline.retired, { ids: added, due: due.toISOString() }] };
}

export function dueRetiredIds({ retired }: Timeline, now: Date): string[] {
  return retired.filter(({ due }) => Date.parse(due) <= now.getTime()).flatMap(({ ids }) => ids);
}

/** Drops details that were removed or are listed again. */
export function withoutRetired(timeline: Timeline, isGone: (id: string) => boolean): Timeline {
  const retired = timeline.retired
    .map(({ ids, due }) => ({ ids: ids.filter((id) => !isGone(id)), due }))
    .filter(({ ids }) => ids.length > 0);
  return { ...timeline, retired };
}

/** Removes these releases from the pruned ones, since their objects are written again. */
export function withoutPruned(timeline: Timeline, names: readonly string[]): Timeline {
  return { ...timeline, pruned: timeline.pruned.filter((name) => !names.includes(name)) };
}

export function retiredKeys({ retired }: Timeline): Set<string> {
  return new Set(retired.flatMap(({ ids }) => ids.map(propertyKey)));
}

function isTimeline({ live, retired, pruned, cached, from }: Timeline): boolean {
  const isId = (id: unknown) => typeof id === 'string' && isDerivedKey(propertyKey(id));
  return (
    live.every(
      ({ release, since, until, build }) =>
        RELEASE_NAME.test(release) &&
        isRfc3339Time(since) &&
        (until === null || isRfc3339Time(until)) &&
        isBuild(build),
    ) &&
    retired.every(({ ids, due }) => isRfc3339Time(due) && ids.every(isId)) &&
    pruned.every((name) => RELEASE_NAME.test(name)) &&
    [cached, from].every((time) => time === null || isRfc3339Time(time))
  );
}
