/** What has to hold in a bucket (`docs/reliability.md`), judged from outside, by what clean publishes have written. */
import type { Ending } from './client.ts';
import type { Effect, StoreBucket, Stored } from './store.ts';

const LOCK = '_catalogue/lock.json';
const MANIFEST = '_catalogue/manifest.json';
const CURRENT = '_catalogue/current.json';
const RELEASES = '_catalogue/releases/';
const PAGES = '_catalogue/pages/';
const DETAILS = '_catalogue/properties/';
/** What is kept of earlier releases. */
const KEPT = /^(?:media|explorer|_catalogue\/(?:chunks|cities|roots))\//;
/** Milliseconds without a new record after which a lease may be taken. */
const LEASE = 60_000;
/** How a publisher may end that did not do what it was asked to. */
const HONEST =
  /^(?:bucket-(?:locked|unreachable|busy|failed)|lock-lost|request-expired|older-commit|unknown-release|release-pruned|manifest-changed|changes-changed):/m;

/** A release as a clean publish leaves it in an empty bucket: bytes by key, without the history and what is kept. */
export type Reference = { readonly name: string; readonly objects: ReadonlyMap<string, Buffer> };

/** The record of the lease, as far as it is looked at. */
export type LeaseRecord = {
  readonly held: boolean;
  readonly token: string;
  readonly epoch: number;
  readonly suspect: boolean;
  readonly releases: readonly string[];
};

/** What was found. */
export type Findings = {
  /** What is wrong with the bucket, or with what a process said. */
  readonly damage: string[];
  /** Leases that were taken although their holder lived. */
  readonly breaks: string[];
  /** Leases that were taken while they were held. */
  taken: number;
};

/** A bucket that is watched. */
export type Watch = {
  readonly findings: Findings;
  /** A process that holds the lease has asked for anything but the lease. */
  readonly asked: (sender: string, key: string) => void;
  readonly observe: (effect: Effect) => void;
  /** Milliseconds since the lease was written; undefined when it is not held. */
  readonly leaseAge: () => number | undefined;
  /** A process has ended. @param started when it was started, on the clock of the store. */
  readonly ended: (who: string, kind: string, ending: Ending, started: number) => void;
  /** Nothing happens any more. @param expected the release that has to be live, if one has. */
  readonly atRest: (expected?: string) => void;
};

/** The objects of a release in a bucket: neither the history nor what only publishing itself uses. */
export function releaseObjects(objects: ReadonlyMap<string, Stored>): Map<string, Buffer> {
  const own = [...objects].filter(
    ([key]) => key !== LOCK && !key.startsWith(RELEASES) && !key.startsWith('changes/'),
  );
  return new Map(own.map(([key, { body }]) => [key, body]));
}

/** The record of the lease of a bucket. */
export function leaseOf(bucket: StoreBucket): LeaseRecord | undefined {
  return recordOf(bucket.objects.get(LOCK));
}

export function watch(
  bucket: StoreBucket,
  references: readonly Reference[],
  isForced: (sender: string) => boolean,
): Watch {
  const { objects, now } = bucket;
  const findings: Findings = { damage: [], breaks: [], taken: 0 };
  const complain = (text: string) => void findings.damage.push(text);
  const exact = () => judgeExact(objects, references, complain);

  // Epochs of those who had the lease, and of the last who looked at the bucket under it.
  const epochs = new Map<string, number>();
  let begun = 0;
  const rests = createRests(now);
  if (isAtRest(leaseOf(bucket))) rests.begin(liveBy(MANIFEST, objects, references)!.name);

  const leaseChanged = (effect: Effect) => {
    const [was, is] = [recordOf(effect.before), recordOf(effect.after)];
    if (!is) complain(`${effect.sender} removed the lease`);
    if (is && was?.token !== is.token) {
      epochs.set(effect.sender, is.epoch);
      judgeTaking(effect, was, is.epoch, { now: now(), isForced, findings });
    }
    if (is?.held) rests.end();
    const release = isAtRest(is) ? exact() : undefined;
    if (release !== undefined) rests.begin(release);
  };

  return {
    findings,
    asked(sender, key) {
      if (key !== LOCK) begun = Math.max(begun, epochs.get(sender) ?? 0);
    },
    observe(effect) {
      const { sender, key, after } = effect;
      if (key === LOCK) return leaseChanged(effect);
      // Promise 3: who lost the lease has no effect once the next holder looks at the bucket.
      const epoch = epochs.get(sender);
      if (epoch === undefined) complain(`${sender} changed ${key}, and never had the lease`);
      else if (epoch < begun) complain(`${sender} changed ${key} after another had begun`);
      if (key.startsWith(RELEASES)) return;
      for (const text of missing(objects, references))
        complain(`${sender} ${after ? 'wrote' : 'removed'} ${key}: ${text}`);
    },
    leaseAge() {
      return leaseOf(bucket)?.held ? now() - objects.get(LOCK)!.modified : undefined;
    },
    ended(who, kind, ending, started) {
      // Promise 4: what it says is published was at rest while it ran.
      for (const text of endingFaults(kind, ending, rests.since(started))) complain(`${who} ${text}`);
    },
    atRest(expected) {
      const isResting = isAtRest(leaseOf(bucket));
      const live = isResting || expected !== undefined ? exact() : undefined;
      if (expected === undefined) return;
      if (live !== expected) complain(`at rest, the live release is ${live}, and not ${expected}`);
      if (!isResting) complain('the lease is not at rest at the end');
    },
  };
}

/** Judges who takes the lease. @param epoch of its new record. */
function judgeTaking(
  { sender, before }: Effect,
  was: LeaseRecord | undefined,
  epoch: number,
  { now, isForced, findings }: { now: number; isForced: (sender: string) => boolean; findings: Findings },
): void {
  if (was && epoch !== was.epoch + 1) findings.damage.push('the epoch of a taken lease did not grow by one');
  if (!before || !was?.held) return;
  findings.taken++;
  const age = now - before.modified;
  if (age >= LEASE || isForced(sender)) return;
  findings.breaks.push(`${sender} took a lease that was renewed ${(age / 1000).toFixed(1)} s before`);
}

/** When the bucket was at rest, and at which release. */
function createRests(now: () => number) {
  const rests: { release: string; to: number }[] = [];
  return {
    begin: (release: string) => void rests.push({ release, to: Number.POSITIVE_INFINITY }),
    end: () => {
      const last = rests.at(-1);
      if (last) last.to = Math.min(last.to, now());
    },
    /** Releases at which it was at rest after a time. */
    since: (time: number) => new Set(rests.filter(({ to }) => to >= time).map(({ release }) => release)),
  };
}

/** The release by which an object of a bucket is. */
function liveBy(
  key: string,
  objects: ReadonlyMap<string, Stored>,
  references: readonly Reference[],
): Reference | undefined {
  const body = objects.get(key)?.body;
  return body && references.find((reference) => reference.objects.get(key)?.equals(body));
}

/** Promise 2: nothing that a reader can come across is missing. Yields what is. */
function* missing(objects: ReadonlyMap<string, Stored>, references: readonly Reference[]): Generator<string> {
  for (const [by, key] of links(objects, references))
    if (!objects.has(key)) yield `${by} leads to ${key}, which is missing`;
  if (objects.has(CURRENT) && !liveBy(CURRENT, objects, references)) yield 'current.json is of no release';
}

/** What leads to which key. */
function* links(
  objects: ReadonlyMap<string, Stored>,
  references: readonly Reference[],
): Generator<[by: string, key: string]> {
  for (const [page, { body }] of objects) {
    if (!page.startsWith(PAGES) || !page.endsWith('.json')) continue;
    for (const { id } of parse<{ data: { id: string }[] }>(body).data) {
      const detail = `${DETAILS}${id}.json`;
      yield [page, detail];
      for (const photo of photosOf(objects.get(detail))) yield [`the detail of ${id}`, photo];
    }
  }
  for (const key of liveBy(MANIFEST, objects, references)?.objects.keys() ?? [])
    if (key !== CURRENT) yield ['the manifest', key];
  for (const key of liveBy(CURRENT, objects, references)?.objects.keys() ?? [])
    if (KEPT.test(key) || key.startsWith(DETAILS)) yield ['current.json', key];
}

/** Promise 1: a bucket at rest is exactly one release. Returns its name. */
function judgeExact(
  objects: ReadonlyMap<string, Stored>,
  references: readonly Reference[],
  complain: (text: string) => void,
): string | undefined {
  const live = liveBy(MANIFEST, objects, references);
  if (!live) {
    complain('at rest, the manifest is of no release, or missing');
    return undefined;
  }
  const present = releaseObjects(objects);
  const allowed = keptKeys(objects, references);
  for (const [key, body] of live.objects) {
    const found = present.get(key);
    if (!found) complain(`at rest, ${key} of release ${live.name} is missing`);
    else if (!found.equals(body)) complain(`at rest, ${key} is not that of release ${live.name}`);
  }
  for (const key of present.keys())
    if (!live.objects.has(key) && !allowed.has(key)) complain(`at rest, ${key} is left of another release`);
  for (const text of historyFaults(objects, live.name)) complain(text);
  return live.name;
}

/** What is wrong with the way in which a process ended. */
function* endingFaults(
  kind: string,
  { code, signal, stderr, release }: Ending,
  rested: ReadonlySet<string>,
): Generator<string> {
  if (signal === 'SIGKILL') return;
  if (code !== 0) {
    if (!HONEST.test(stderr)) yield `(${kind}) ended with ${code ?? signal}: ${stderr.trim()}`;
    return;
  }
  if (stderr !== '') yield `(${kind}) succeeded, and said: ${stderr.trim()}`;
  if (kind !== 'prune' && !rested.has(release ?? ''))
    yield `said that ${release} is live, and it never was at rest`;
}

function parse<T>(body: Buffer): T {
  return JSON.parse(body.toString('utf8')) as T;
}

function recordOf(object: Stored | undefined): LeaseRecord | undefined {
  return object && parse<LeaseRecord>(object.body);
}

function isAtRest(lease: LeaseRecord | undefined): boolean {
  return lease !== undefined && !lease.held && !lease.suspect && lease.releases.length === 0;
}

/** Keys of the photos that a detail shows. */
function photosOf(detail: Stored | undefined): string[] {
  const { photo = [] } = detail ? parse<{ photo?: { url: string }[] }>(detail.body) : {};
  return photo.map(({ url }) => new URL(url, 'http://store.example').pathname.slice(1));
}

/** Keys that a bucket at rest may have besides its live release. */
function keptKeys(objects: ReadonlyMap<string, Stored>, references: readonly Reference[]): Set<string> {
  const kept = references.filter(({ name }) => objects.has(`${RELEASES}${name}/manifest.json`));
  const timeline = objects.get(`${RELEASES}timeline.json`);
  const { retired = [] } = timeline ? parse<{ retired: { ids: string[] }[] }>(timeline.body) : {};
  return new Set([
    ...kept.flatMap((reference) => [...reference.objects.keys()].filter((key) => KEPT.test(key))),
    ...retired.flatMap(({ ids }) => ids.map((id) => `${DETAILS}${id}.json`)),
  ]);
}

/** Promise 5: the history is a chain that ends with the live release. */
function* historyFaults(objects: ReadonlyMap<string, Stored>, live: string): Generator<string> {
  const index = objects.get('changes/index.json');
  if (!index) return void (yield 'at rest, there is no history');
  let last: string | undefined;
  for (const { month } of parse<{ months: { month: string }[] }>(index.body).months) {
    const lines = objects.get(`changes/${month}.ndjson`)?.body.toString('utf8').trimEnd().split('\n') ?? [];
    for (const line of lines) {
      const { release, previous } = JSON.parse(line) as { release: string; previous: string | null };
      if (last !== undefined && previous !== last) yield `the history goes from ${last} to ${release}`;
      last = release;
    }
  }
  if (last !== live) yield `the last record of the history is of ${last}, and not of ${live}`;
}
