/** Promise 1: a bucket at rest is exactly one release. Promise 5: its history is a chain. */
import { CURRENT_KEY, KEPT_RELEASES_KEY, rootKey } from '../../src/contract/object-keys.ts';
import { isLogKey } from '../../src/storage/lock-log.ts';
import { lastEntry } from './holders.ts';
import { STATEMENTS } from './numbers.ts';
import { PREVIEWS, usedByPreviews } from './previews.ts';
import {
  bodiesOf,
  currentOf,
  idsOfRelease,
  json,
  keptKeysIn,
  movedRoot,
  once,
  releaseOf,
} from './reading.ts';
import type { SimulatedSource } from './releases.ts';
import type { Stored } from './store.ts';

type Objects = ReadonlyMap<string, Stored>;
type Complain = (text: string) => void;

/** Objects that belong to others. */
export const FOREIGN = ['robots.txt', 'media/foreign.jpg', '_catalogue/properties/foreign.txt'];
/** A prune that was interrupted leaves one. */
const PRUNED_ROOT = /^_catalogue\/roots\/(\w+)\.pruned$/;
export const ROOT = /^_catalogue\/roots\/(\w+)\.json$/;
const PROPERTIES = '_catalogue/properties/';

/**
 * When a release was live, in true milliseconds. `again`: when what makes it live was last written, for the same write may
 * arrive twice. `to` is infinite for the live one. `isPruned`: its root was removed since.
 */
export type Life = {
  readonly release: string;
  readonly from: number;
  again: number;
  to: number;
  isPruned?: boolean;
};

type Timeline = {
  readonly live: readonly { release: string; since: string; until: string | null }[];
  readonly before: readonly { release: string }[];
};

function timelineOf(objects: Objects): Timeline & { readonly isLost: boolean } {
  const entry = lastEntry(objects);
  const { timeline } = entry ? json<{ timeline?: Timeline | null }>(entry) : {};
  return { live: [], before: [], ...timeline, isLost: !timeline };
}

/** Releases that look restorable. */
export function restorableNames(objects: Objects): string[] {
  const { live } = timelineOf(objects);
  // A release that was never live may be incomplete.
  const wasLive = new Set(live.map(({ release }) => release));
  return [...wasLive].filter((name) => objects.has(rootKey(name)));
}

/** Reports incomplete releases that look restorable. */
export function checkRestorable(objects: Objects, complain: Complain): void {
  for (const name of restorableNames(objects)) {
    for (const kept of keptKeysIn(name, objects))
      if (!objects.has(kept)) complain(`release ${name} looks restorable, and ${kept} is gone`);
  }
}

/**
 * Reports each object that differs from a release. Returns the release.
 * @param expected the last published release, if known
 */
export function checkRest(
  objects: Objects,
  sources: ReadonlyMap<string, SimulatedSource>,
  complain: Complain,
  expected?: string,
): string | undefined {
  const live = currentOf(objects.get(CURRENT_KEY))?.release;
  const source = live === undefined ? undefined : sources.get(live);
  if (live === undefined || !source) {
    if (live !== undefined || expected !== undefined)
      complain(`at rest, current.json names ${live ?? 'no release'}`);
    return undefined;
  }
  if (expected !== undefined && live !== expected)
    complain(`at rest, the release is ${live}, not ${expected}`);
  checkObjects(objects, source, complain);
  checkHistory(objects, live, complain);
  return live;
}

/** Each object must belong to the release or have another reason to exist. */
function checkObjects(objects: Objects, source: SimulatedSource, complain: Complain): void {
  const { name } = source.release;
  const bodies = bodiesOf(source);
  const isOther = createOthers(objects);
  let count = 0;
  for (const [key, object] of objects) {
    if (isLogKey(key) || [CURRENT_KEY, KEPT_RELEASES_KEY].includes(key)) continue;
    if ([PREVIEWS, 'changes/'].some((folder) => key.startsWith(folder))) continue;
    const body = bodies.get(key);
    if (body) {
      count++;
      if (body !== object.body && !body.equals(object.body))
        complain(`at rest, ${key} is not that of release ${name}`);
    } else if (!isOther(key)) complain(`at rest, ${key} is left of another release`);
  }
  if (count !== bodies.size)
    for (const key of bodies.keys())
      if (!objects.has(key)) complain(`at rest, ${key} of release ${name} is missing`);
}

const setOf = once((keys: readonly string[]) => new Set(keys));

/** Whether an object may exist although it is not in the release. */
function createOthers(objects: Objects): (key: string) => boolean {
  // If the timeline was lost, the next publish with changes will notice.
  const { before, isLost } = timelineOf(objects);
  const kept: ReadonlySet<string>[] = [];
  for (const [key] of objects) {
    const [, name] = ROOT.exec(key) ?? PRUNED_ROOT.exec(key) ?? [];
    if (name !== undefined) kept.push(setOf(keptKeysIn(name, objects)));
  }
  kept.push(usedByPreviews(objects));
  const replaced = before.flatMap(
    ({ release }) => releaseOf(release, objects, movedRoot(release, objects)) ?? [],
  );
  const isFromBucket = (id: string) => replaced.some((release) => idsOfRelease(release).includes(id));
  return (key) =>
    FOREIGN.includes(key) ||
    PRUNED_ROOT.test(key) ||
    key.startsWith(STATEMENTS) ||
    kept.some((keys) => keys.has(key)) ||
    (key.startsWith(PROPERTIES) &&
      key.endsWith('.json') &&
      (isLost || isFromBucket(key.slice(PROPERTIES.length, -'.json'.length))));
}

type HistoryRecord = { readonly release: string; readonly previous: string | null };
const recordsIn = once((body: Buffer) =>
  body
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as HistoryRecord),
);

/** The history must be a chain that ends with the live release. */
function checkHistory(objects: Objects, live: string, complain: Complain): void {
  const index = objects.get('changes/index.json');
  if (!index) return;
  const { months, release } = json<{ months: { month: string }[]; release: string }>(index);
  if (release !== live) complain(`at rest, the history ends with ${release}, not with ${live}`);
  for (const key of objects.keys())
    if (
      key.endsWith('.ndjson') &&
      key.startsWith('changes/') &&
      !months.some(({ month }) => key.includes(month))
    )
      complain(`at rest, the history does not name ${key}`);
  let last: string | undefined;
  for (const { month } of months) {
    const file = objects.get(`changes/${month}.ndjson`);
    if (!file) {
      complain(`the history names ${month}, which is missing`);
      continue;
    }
    for (const record of recordsIn(file.body)) {
      if (last !== undefined && record.previous !== null && record.previous !== last)
        complain(`the history goes from ${last} to ${record.release}, which follows ${record.previous}`);
      last = record.release;
    }
  }
  if (last !== undefined && last !== live)
    complain(`the last record of the history is of ${last}, not of ${live}`);
}

/** Milliseconds by which a recorded time may differ: whole seconds, and a body in transit. */
const TOLERANCE = 5000;

/**
 * Reports wrong live releases and times. Releases that cannot be restored, and times before pruning, may be missing.
 * @param skew milliseconds by which the store's clock is ahead
 */
export function checkTimeline(
  objects: Objects,
  lives: readonly Life[],
  skew: number,
  complain: Complain,
): void {
  const spans = [...timelineOf(objects).live];
  const restorable = restorableNames(objects);
  const differs = (time: string, from: number, to: number) => {
    const actual = Date.parse(time) - skew;
    return actual < from - TOLERANCE || actual > to + TOLERANCE;
  };
  for (const [index, { release, from, again, to, isPruned }] of [...lives.entries()].reverse()) {
    const span = spans.at(-1);
    if (span?.release !== release) {
      if (restorable.includes(release) && !isPruned)
        complain(`at rest, the timeline does not say that ${release} was live`);
      continue;
    }
    spans.pop();
    const { since, until } = span;
    // The first release was already live when recording began.
    if (index > 0 && differs(since, from, again))
      complain(`at rest, ${release} is said to be live since ${since}`);
    const replaced = lives[index + 1]?.again ?? to;
    const isRight = until === null ? to === Number.POSITIVE_INFINITY : !differs(until, to, replaced);
    if (!isRight) complain(`at rest, ${release} is said to be live until ${until}`);
  }
  for (const { release } of spans) complain(`at rest, ${release} is said to have been live`);
}
