/**
 * The timeline of a bucket: when each release was live, which details are kept for readers of cached lists, and which
 * releases were pruned. Times are the store's.
 */
import { CURRENT_KEY, propertyKey } from '../contract/keys.ts';
import { digestOf } from '../release/digest.ts';
import { RELEASE_NAME } from '../release/name.ts';
import type { Release } from '../release/release.ts';
import { type Bucket, type Condition, ConditionFailed, type StoredObject } from '../storage/bucket.ts';
import { CONTROL_HEADERS, TIMELINE_KEY } from '../storage/reserved-keys.ts';

/** A period in which a release was live. Times as RFC 3339. */
type LiveSpan = {
  readonly release: string;
  readonly since: string;
  /** Null for the live release. */
  readonly until: string | null;
};

/** Details that are in no list any more. */
type Retired = {
  readonly ids: readonly string[];
  /** Time after which no cache may serve a list that names them (RFC 3339). */
  readonly due: string;
};

export type Timeline = {
  /** From the oldest to the live release. */
  readonly live: readonly LiveSpan[];
  readonly retired: readonly Retired[];
  /** Releases of which only the manifest is left. */
  readonly pruned: readonly string[];
  /** Time until which caches may serve lists of earlier releases (RFC 3339); null before any was replaced. */
  readonly cached: string | null;
  /** Time since which every live release is recorded (RFC 3339); null when that is not known. */
  readonly from: string | null;
};

/** Largest number of stored spans. */
const MAX_SPANS = 1000;

const EMPTY: Timeline = { live: [], retired: [], pruned: [], cached: null, from: null };

/** A timeline as read from a bucket. */
type FoundTimeline = {
  /** Empty where it is lost. */
  readonly timeline: Timeline;
  /** Whether it is absent or damaged. */
  readonly isLost: boolean;
  /** Tag of the object, valid or not; undefined when it is absent. */
  readonly tag: string | undefined;
};

export async function findTimeline(bucket: Bucket): Promise<FoundTimeline> {
  const object = await bucket.read(TIMELINE_KEY);
  const timeline = parseTimeline(object?.body);
  const isNew = timeline && timeline.live.length === 0 && object?.modified;
  const begun = isNew ? { ...timeline, from: timeline.from ?? isNew.toISOString() } : timeline;
  return { timeline: begun ?? EMPTY, isLost: !timeline, tag: object?.tag };
}

/**
 * Writes an empty timeline into a bucket without one, as a sign of use in case the lock is removed.
 *
 * @param token unique to this publisher.
 * @returns true when there was none.
 */
export async function beginTimeline(bucket: Bucket, token: string): Promise<boolean> {
  const body = Buffer.from(`${JSON.stringify({ ...EMPTY, by: token })}\n`);
  try {
    await bucket.write(TIMELINE_KEY, body, CONTROL_HEADERS, { absent: true });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Reads the timeline of a bucket; empty where it is absent or damaged. */
export async function readTimeline(bucket: Bucket): Promise<Timeline> {
  return (await findTimeline(bucket)).timeline;
}

function parseTimeline(bytes: Buffer | undefined): Timeline | undefined {
  try {
    const value = JSON.parse(bytes?.toString('utf8') ?? 'null') as Timeline;
    return isTimeline(value) ? { ...EMPTY, ...value } : undefined;
  } catch {
    return undefined;
  }
}

export async function writeTimeline(
  bucket: Bucket,
  { live, retired, pruned, cached, from }: Timeline,
  condition?: Condition,
): Promise<void> {
  const spans = live.length > MAX_SPANS ? { live: live.slice(-MAX_SPANS), from: null } : { live, from };
  const body = Buffer.from(`${JSON.stringify({ ...spans, retired, pruned, cached })}\n`);
  await bucket.write(TIMELINE_KEY, body, CONTROL_HEADERS, condition);
}

/** Adds a release that became live. */
export function withLive(timeline: Timeline, release: string, since: Date): Timeline {
  const last = timeline.live.at(-1);
  if (last?.release === release) return timeline;
  const time = since.toISOString();
  const before = last ? [...timeline.live.slice(0, -1), { ...last, until: time }] : [];
  return { ...timeline, live: [...before, { release, since: time, until: null }] };
}

/**
 * Adds the release that the bucket holds, which an interrupted publish may have made live without recording it.
 *
 * @param manifest the object of the live manifest.
 */
export async function amended(
  bucket: Bucket,
  timeline: Timeline,
  live: Release,
  manifest: StoredObject,
  now: Date,
): Promise<Timeline> {
  if (timeline.live.at(-1)?.release === live.name) return timeline;
  const digest = live.manifest.documents[CURRENT_KEY];
  if (digest === undefined) return withLive(timeline, live.name, manifest.modified ?? now);
  // A packed release is live once this object names its root.
  const current = await bucket.read(CURRENT_KEY);
  const isNamed = current && digestOf(current.body) === digest;
  return isNamed ? withLive(timeline, live.name, current.modified ?? now) : timeline;
}

/** Notes that caches may serve the replaced lists for `life` milliseconds. */
export function withCached(timeline: Timeline, now: Date, life: number): Timeline {
  if (life === 0) return timeline;
  const until = new Date(now.getTime() + life).toISOString();
  return { ...timeline, cached: [timeline.cached ?? '', until].sort().at(-1)! };
}

/** Adds details that were taken out of the lists. */
export function withRetired(timeline: Timeline, ids: readonly string[], due: Date): Timeline {
  if (ids.length === 0) return timeline;
  const known = new Set(timeline.retired.flatMap((one) => one.ids));
  const added = ids.filter((id) => !known.has(id));
  if (added.length === 0) return timeline;
  return { ...timeline, retired: [...timeline.retired, { ids: added, due: due.toISOString() }] };
}

/** Lists the ids of details that may be removed now. */
export function dueIds({ retired }: Timeline, now: Date): string[] {
  return retired.filter(({ due }) => Date.parse(due) <= now.getTime()).flatMap(({ ids }) => ids);
}

/** Drops details that were removed, or that a list names again. */
export function withoutRetired(timeline: Timeline, isGone: (id: string) => boolean): Timeline {
  const retired = timeline.retired
    .map(({ ids, due }) => ({ ids: ids.filter((id) => !isGone(id)), due }))
    .filter(({ ids }) => ids.length > 0);
  return { ...timeline, retired };
}

/** Drops releases from the pruned ones, since objects of them exist again. */
export function withoutPruned(timeline: Timeline, names: readonly string[]): Timeline {
  return { ...timeline, pruned: timeline.pruned.filter((name) => !names.includes(name)) };
}

export function isSameTimeline(one: Timeline, other: Timeline): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Keys of the details kept for readers. */
export function retiredKeys({ retired }: Timeline): Set<string> {
  return new Set(retired.flatMap(({ ids }) => ids.map(propertyKey)));
}

/** Earliest time at which a retired detail may be removed; null when there is none. */
export function firstDue({ retired }: Timeline): string | null {
  const times = retired.map(({ due }) => due).sort();
  return times[0] ?? null;
}

function isTimeline({ live, retired, pruned, cached = null, from = null }: Timeline): boolean {
  const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
  const isId = (id: unknown) => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);
  return (
    live.every(
      ({ release, since, until }) =>
        RELEASE_NAME.test(release) && isTime(since) && (until === null || isTime(until)),
    ) &&
    retired.every(({ ids, due }) => isTime(due) && ids.every(isId)) &&
    pruned.every((name) => RELEASE_NAME.test(name)) &&
    [cached, from].every((time) => time === null || isTime(time))
  );
}
