/**
 * Reads and writes `_catalogue/releases.json`, the public list of kept releases. It promises readers how long each
 * release stays, so that they can pin one. `prune` removes none of them earlier, unless forced.
 */

import { type KeptReleases, keptReleasesSchema } from '../contract/document-schemas.ts';
import { KEPT_RELEASES_KEY, RELEASE_NAME, rootKey } from '../contract/object-keys.ts';
import { DAY, latestOf } from '../contract/rfc3339-time.ts';
import { UsageError } from '../errors/errors.ts';
import { type Release, storedHeadersOf } from '../release/release.ts';
import type { Bucket } from '../storage/bucket.ts';
import { TREE_VERSION } from '../tree/format/root.ts';
import type { Timeline } from './timeline.ts';

type PromisedRelease = KeptReleases['releases'][number];

const MAX_BYTES = 1_000_000;
const MAX_DAYS = 99_999;
const MAX_RELEASES = 5000;

async function readList(bucket: Bucket): Promise<KeptReleases | undefined> {
  const object = await bucket.read(KEPT_RELEASES_KEY);
  try {
    if (!object || object.body.length > MAX_BYTES) return undefined;
    const list = keptReleasesSchema.parse(JSON.parse(object.body.toString('utf8')));
    const isSound = list.keptDays >= 0 && list.keptDays <= MAX_DAYS && list.releases.length <= MAX_RELEASES;
    return isSound && list.releases.every(({ release }) => RELEASE_NAME.test(release)) ? list : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Lists the live release first, then replaced releases that are promised beyond `now` and still in the bucket. Never
 * shortens an earlier promise, unless the list would be too long to be read back: then the oldest releases are left
 * out.
 * @param timeline ends with the live release
 * @param options `number`: number of the live release's statement; if undefined, the number in the earlier list
 * stays. `days`: days for which a replaced release stays
 */
export async function writeKeptReleaseList(
  bucket: Bucket,
  live: Release,
  timeline: Timeline,
  { number, days, now }: { readonly number: number | undefined; readonly days: number; readonly now: Date },
): Promise<void> {
  const before = await readList(bucket);
  const known = new Map(before?.releases.map((kept) => [kept.release, kept]));
  const spans = new Map(timeline.live.map((span) => [span.release, span]));
  const present = now.toISOString();
  const releases: PromisedRelease[] = [];
  // Includes releases of the earlier list, since the timeline may have been lost.
  for (const release of new Set([...[...spans.keys()].reverse(), ...known.keys()])) {
    if (release === live.name) continue;
    const [old, span] = [known.get(release), spans.get(release)];
    // The earlier list promised that its live release would stay for `before.keptDays` days after being replaced.
    const wasLive = before?.releases[0]?.release === release;
    const end = span?.until ?? (wasLive ? present : undefined);
    const until = end && after(end, wasLive ? Math.max(days, before.keptDays) : days);
    const keptUntil = latestOf([old?.keptUntil, until]);
    if (keptUntil === null || keptUntil <= present) continue;
    const since = span?.since ?? old!.since;
    if (await bucket.inspect(rootKey(release)))
      releases.push({ version: TREE_VERSION, ...old, release, since, keptUntil });
  }
  const old = known.get(live.name);
  const signed = number ?? old?.number;
  releases.unshift({
    release: live.name,
    since: spans.get(live.name)?.since ?? present,
    version: TREE_VERSION,
    keptUntil: old?.keptUntil ?? null,
    ...(signed !== undefined && { number: signed }),
  });
  await writeList(bucket, live, { keptDays: days, releases: releases.slice(0, MAX_RELEASES) });
}

function after(time: string, days: number): string {
  return new Date(Date.parse(time) + days * DAY).toISOString();
}

async function writeList(bucket: Bucket, live: Release, list: KeptReleases): Promise<void> {
  const body = Buffer.from(`${JSON.stringify(list)}\n`);
  await bucket.write(KEPT_RELEASES_KEY, body, storedHeadersOf(live, KEPT_RELEASES_KEY));
}

/**
 * Removes releases from the public list. Call it before removing any of their objects.
 * @param options `now`: milliseconds since 1970; `force`: removes even releases that are promised beyond `now`
 * @throws UsageError `kept-longer` when a release is promised beyond `now`, unless `force` is set
 */
export async function removeFromKeptReleaseList(
  bucket: Bucket,
  live: Release,
  names: readonly string[],
  { now, force }: { readonly now: number; readonly force: boolean },
): Promise<void> {
  const list = await readList(bucket);
  const gone = list?.releases.filter(({ release }) => names.includes(release)) ?? [];
  if (!list || gone.length === 0) return;
  const latest = latestOf(gone.map(({ keptUntil }) => keptUntil));
  if (latest && Date.parse(latest) > now && !force) {
    throw new UsageError(
      'kept-longer',
      `Readers of ${bucket.name} were promised releases until ${latest} (_catalogue/releases.json). Prune after that, with a larger --grace, or with --force.`,
    );
  }
  await writeList(bucket, live, { ...list, releases: list.releases.filter((kept) => !gone.includes(kept)) });
}
