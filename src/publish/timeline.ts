/**
 * What a bucket remembers besides its releases: when each was live, which details are kept for readers although no
 * list names them any more, and which releases were pruned. Times are the store's.
 */
import { CURRENT_KEY, propertyKey } from '../contract/keys.ts';
import { digestOf } from '../release/digest.ts';
import { RELEASE_NAME } from '../release/name.ts';
import type { Release } from '../release/release.ts';
import { type Bucket, type Condition, ConditionFailed, type StoredObject } from '../storage/bucket.ts';
import { CONTROL_HEADERS, TIMELINE_KEY } from '../storage/reserved-keys.ts';

/** When a release was live. Times as RFC 3339. */
type LiveSpan = {
  readonly release: string;
  readonly since: string;
  /** Null for the one that is live. */
  readonly until: string | null;
};

/** Details that no list names any more. */
type Retired = {
  readonly ids: readonly string[];
  /** From then on no cache may serve a list that names them (RFC 3339). */
  readonly due: string;
};

/** What a bucket remembers. */
export type Timeline = {
  /** From the oldest to the one that is live. */
  readonly live: readonly LiveSpan[];
  readonly retired: readonly Retired[];
  /** Releases that have nothing left but the manifest. */
  readonly pruned: readonly string[];
  /** Until then caches may serve a list of an earlier release (RFC 3339); null before any was replaced. */
  readonly cached: string | null;
};

/** Spans that are remembered at most. */
const MAX_SPANS = 1000;

const EMPTY: Timeline = { live: [], retired: [], pruned: [], cached: null };

/** A timeline as it was found. */
type FoundTimeline = {
  /** An empty one where it is lost. */
  readonly timeline: Timeline;
  /** Whether it is absent or damaged. */
  readonly isLost: boolean;
  /** Tag of the object, damaged or not; undefined when it is absent. */
  readonly tag: string | undefined;
};

export async function findTimeline(bucket: Bucket): Promise<FoundTimeline> {
  const object = await bucket.read(TIMELINE_KEY);
  const timeline = parseTimeline(object?.body);
  return { timeline: timeline ?? EMPTY, isLost: !timeline, tag: object?.tag };
}

/**
 * Leaves an empty timeline in a bucket without one, before its first lease: no other object shows that a publisher is at
 * work there when its lock is removed.
 *
 * @param token unlike any other publisher's.
 * @returns whether there was none.
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

/** The timeline of a bucket; an empty one where it is absent or damaged. */
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

/** Writes the timeline. @throws ConditionFailed */
export async function writeTimeline(
  bucket: Bucket,
  { live, retired, pruned, cached }: Timeline,
  condition?: Condition,
): Promise<void> {
  const body = Buffer.from(`${JSON.stringify({ live: live.slice(-MAX_SPANS), retired, pruned, cached })}\n`);
  await bucket.write(TIMELINE_KEY, body, CONTROL_HEADERS, condition);
}

/** The timeline after a release became live. */
export function withLive(timeline: Timeline, release: string, since: Date): Timeline {
  const last = timeline.live.at(-1);
  if (last?.release === release) return timeline;
  const time = since.toISOString();
  const before = last ? [...timeline.live.slice(0, -1), { ...last, until: time }] : [];
  return { ...timeline, live: [...before, { release, since: time, until: null }] };
}

/**
 * The timeline with the release that a bucket holds as its last: a publish that was interrupted may have made it live
 * without saying so.
 *
 * @param manifest the live manifest as it was read.
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
  // What is packed is live when this object names its root.
  const current = await bucket.read(CURRENT_KEY);
  const isNamed = current && digestOf(current.body) === digest;
  return isNamed ? withLive(timeline, live.name, current.modified ?? now) : timeline;
}

/** The timeline after lists were replaced that caches may serve for some milliseconds. */
export function withCached(timeline: Timeline, now: Date, life: number): Timeline {
  if (life === 0) return timeline;
  const until = new Date(now.getTime() + life).toISOString();
  return { ...timeline, cached: [timeline.cached ?? '', until].sort().at(-1)! };
}

/** The timeline after these details were taken out of the lists. */
export function withRetired(timeline: Timeline, ids: readonly string[], due: Date): Timeline {
  if (ids.length === 0) return timeline;
  const known = new Set(timeline.retired.flatMap((one) => one.ids));
  const added = ids.filter((id) => !known.has(id));
  if (added.length === 0) return timeline;
  return { ...timeline, retired: [...timeline.retired, { ids: added, due: due.toISOString() }] };
}

/** Ids of the details that may be removed now. */
export function dueIds({ retired }: Timeline, now: Date): string[] {
  return retired.filter(({ due }) => Date.parse(due) <= now.getTime()).flatMap(({ ids }) => ids);
}

/** The timeline without details that are no longer kept: they were removed, or a list names them again. */
export function withoutRetired(timeline: Timeline, isGone: (id: string) => boolean): Timeline {
  const retired = timeline.retired
    .map(({ ids, due }) => ({ ids: ids.filter((id) => !isGone(id)), due }))
    .filter(({ ids }) => ids.length > 0);
  return { ...timeline, retired };
}

/** The timeline without the mark that nothing is left of these releases: parts of them have come back. */
export function withoutPruned(timeline: Timeline, names: readonly string[]): Timeline {
  return { ...timeline, pruned: timeline.pruned.filter((name) => !names.includes(name)) };
}

/** Whether two timelines say the same. */
export function isSameTimeline(one: Timeline, other: Timeline): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Keys of the details that are kept for readers. */
export function retiredKeys({ retired }: Timeline): Set<string> {
  return new Set(retired.flatMap(({ ids }) => ids.map(propertyKey)));
}

/** When the first of them may be removed; null for an empty timeline. */
export function firstDue({ retired }: Timeline): string | null {
  const times = retired.map(({ due }) => due).sort();
  return times[0] ?? null;
}

function isTimeline({ live, retired, pruned, cached = null }: Timeline): boolean {
  const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
  const isId = (id: unknown) => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id);
  return (
    live.every(
      ({ release, since, until }) =>
        RELEASE_NAME.test(release) && isTime(since) && (until === null || isTime(until)),
    ) &&
    retired.every(({ ids, due }) => isTime(due) && ids.every(isId)) &&
    pruned.every((name) => RELEASE_NAME.test(name)) &&
    (cached === null || isTime(cached))
  );
}
