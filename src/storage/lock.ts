/**
 * The lock of a bucket: only one holder's requests take effect. Whoever creates the next entry of the log has the lock.
 * A holder beats and then looks for the next entry; a challenger creates the next entry and then looks at the beat: one
 * of them sees the other. No two clocks are compared. `docs/reliability.md` has the whole argument.
 */
import { isDeepStrictEqual } from 'node:util';
import { EnvironmentError } from '../errors/errors.ts';
import { type Bucket, BucketError } from './bucket.ts';
import { createLockHandle, type LockHandle } from './lock-handle.ts';
import {
  type BucketLog,
  type BucketState,
  bucketStateOf,
  DEAD_AFTER,
  endedWithAllAnswered,
  type LogEntry,
  lastSignOfLife,
  mayStillHaveRequests,
  noConditionalWritesError,
  readLog,
  timeSinceSignOfLife,
  UNUSED_BUCKET,
  withAddedReleases,
} from './lock-log.ts';
import { QUIET_AFTER } from './lock-log-writer.ts';
import { createLockedBucket } from './locked-bucket.ts';
import { elapsedAtLeast, type Instant, type Machine, thisMachine } from './machine.ts';

export type LockOptions = {
  /** Takes the lock even from a live holder. @default false */
  readonly force?: boolean | undefined;
  /** False for a store without conditional writes: entries are written but exclude nobody. @default true */
  readonly isExclusive?: boolean | undefined;
  /** The log that was just read, and when that read began. @default `takeLock` reads the log */
  readonly seen?: SeenLog | undefined;
  readonly note?: ((text: string) => void) | undefined;
  /**
   * Releases that may be incomplete in the bucket from now on. The entry that takes the lock records them, unless the
   * log has changed since `seen`. @default none
   */
  readonly releases?: readonly string[] | undefined;
  /** Milliseconds for which caches may serve the lists of `releases`. @default 0 */
  readonly readerLife?: number | undefined;
  /** Whether a bucket without a log may be in use. Called while the lock is held. @default returns true */
  readonly isUsed?: (() => Promise<boolean>) | undefined;
  readonly host?: Machine | undefined;
};

export type SeenLog = { readonly log: BucketLog; readonly at: Instant };

type RecordedWork = Omit<BucketState, 'suspect' | 'current'>;

export type HeldLock = {
  /**
   * What the last holder recorded. `suspect` is also true if that holder kept the lock, left a release unfinished or
   * left no readable entry.
   */
  readonly remains: BucketState;
  /** True if the bucket cannot have changed since `seen` was read. False without `seen`. */
  readonly isAsSeen: boolean;
  /** After the lock is lost, no request to this bucket takes effect. */
  readonly bucket: Bucket;
  /** The store's time, estimated low; the host's time if the store reports none. */
  readonly time: () => Date;
  /** The store's time, estimated high. */
  readonly latest: () => Date;
  /**
   * Records the bucket's state with the changes in `next`. Releases in `next` are added to the recorded releases, a
   * smaller `readerLife` is ignored, and a missing `goal` becomes null. Await the first call before changing the
   * bucket; from then on, `abandon` also records that the work is unfinished.
   */
  readonly record: (next: Partial<RecordedWork>) => Promise<void>;
  /** Gives the lock back after all work is done; `current` is null by default. @throws EnvironmentError `lock-lost` */
  readonly finish: (remains: Partial<Pick<BucketState, 'current' | 'due' | 'timeline'>>) => Promise<void>;
  /** Gives the lock back. Never throws: if this fails, the lock expires. */
  readonly abandon: () => Promise<void>;
};

const ATTEMPTS = 20;
/** Maximum milliseconds by which a store's clock may be set back during a wait. */
const SET_BACK = 60_000;
/** Milliseconds between two looks at the log while waiting. */
const POLL_INTERVAL = 2000;
/** Maximum milliseconds to wait for a lock that is held. */
const MAX_WAIT_FOR_HOLDER = 15 * 60_000;
/** Entries and beats that stay in the log. Older ones are removed when there are more than `LOG_SURPLUS` of them. */
const KEPT_LOG_OBJECTS = 100;
const LOG_SURPLUS = 50;

/**
 * Takes the lock, tests whether the store honours conditional writes, and waits until no request of an earlier holder
 * can take effect.
 * @throws EnvironmentError `bucket-locked`, `lock-lost`; BucketError `bucket-clock` when the store's clock stands still
 * or was set back by more than a minute; UsageError `no-conditional-writes`, `newer-version`
 */
export async function takeLock(bucket: Bucket, options: LockOptions = {}): Promise<HeldLock> {
  const { host = thisMachine(), isExclusive = true, isUsed = async () => true, seen } = options;
  host.stopped?.throwIfAborted();
  const holder = createLockHandle(bucket, host, { owner: host.owner, isExclusive });
  const log = await challenge(bucket, host, holder, options);
  const stop = holder.keepBeating();
  let remains = bucketStateOf(log);
  let hasBegun = false;
  const giveBack = (left: BucketState) => {
    stop();
    return holder.giveBack(left);
  };
  try {
    if (bucket.fence) await holder.recover();
    if (log.lastNumber === 0 && !(await isUsed())) remains = UNUSED_BUCKET;
    const isCalm = log.lastNumber > 0 ? endedWithAllAnswered(log) : !remains.suspect;
    if (isExclusive && !bucket.fence && !isCalm) await settle(bucket, host, holder, log, options);
    holder.markQuiet();
  } catch (error) {
    await giveBack(remains).catch(() => {});
    throw error;
  }
  const locked = createLockedBucket(bucket, holder);
  return {
    remains,
    isAsSeen: log === seen?.log && endedWithAllAnswered(log),
    bucket: locked,
    time: holder.time,
    latest: holder.latest,
    async record({ goal = null, number, ...next }) {
      hasBegun = true;
      const before = holder.remains();
      const { timeline = before.timeline, due = before.due } = next;
      const partial = withAddedReleases(before, { releases: [], readerLife: 0, ...next });
      const state = { ...partial, goal, timeline, due, ...(number && { number }) };
      if (!isDeepStrictEqual(state, before)) await holder.record(state);
    },
    async finish(next) {
      const old = log.keys.slice(0, -KEPT_LOG_OBJECTS);
      // If the credentials do not permit removal, the log grows.
      if (old.length > LOG_SURPLUS) await locked.remove(old).catch(() => {});
      const { due, timeline, number } = holder.remains();
      await giveBack({ ...UNUSED_BUCKET, due, timeline, ...(number && { number }), ...next });
    },
    async abandon() {
      const unfinished = hasBegun ? { ...holder.remains(), suspect: true } : remains;
      await giveBack(unfinished).catch(() => {});
    },
  };
}

/** Returns the log as it was before this holder's entry. */
async function challenge(
  bucket: Bucket,
  host: Machine,
  holder: LockHandle,
  { force = false, isExclusive = true, seen, releases = [], readerLife = 0 }: LockOptions,
): Promise<BucketLog> {
  let { log, at } = seen ?? (await readLogWithInstant(bucket, host));
  const firstHolder = log.lastEntry?.token;
  for (let attempt = 1; ; attempt++) {
    if (log.isHeld && isExclusive) {
      // `force` takes the lock only from the holder that was found first.
      const { process, token } = log.lastEntry ?? {};
      const isDead = process && host.hasEnded?.(process);
      const isMeant = force && token === firstHolder;
      if (!isDead && !isMeant && (force || timeSinceSignOfLife(log) < DEAD_AFTER))
        throw lockedError(bucket, log);
    }
    const remains = bucketStateOf(log);
    const isSeen = !seen || log === seen.log;
    const next = isSeen ? withAddedReleases(remains, { releases, readerLife }) : remains;
    if (await holder.take(log, next, at)) {
      const isConfirmed = holder.confirm().catch(async (error: unknown) => {
        await holder.giveBack(remains).catch(() => {});
        throw error;
      });
      if (await isConfirmed) return log;
    }
    const { lastNumber } = log;
    ({ log, at } = await readLogWithInstant(bucket, host));
    if (attempt < ATTEMPTS) continue;
    throw log.lastNumber > lastNumber
      ? lockedError(bucket, log)
      : noConditionalWritesError(bucket, 'a write of a new object with If-None-Match: * was refused');
  }
}

/** Use the result soon: a later entry may be created and removed again without a trace. */
export async function readLogWithInstant(bucket: Bucket, host: Machine): Promise<SeenLog> {
  const at = host.instant();
  return { log: await readLog(bucket), at };
}

/** Waits until an earlier holder's requests have expired, by the store's clock, which the responses to beats report. */
async function settle(
  bucket: Bucket,
  host: Machine,
  holder: LockHandle,
  { lastNumber, lastEntry, isHeld }: BucketLog,
  { note = () => {} }: LockOptions,
): Promise<void> {
  const now = () => holder.time().getTime();
  const wait = { sign: 0, until: 0, since: host.instant(), most: 0 };
  const extend = (until: number) => {
    Object.assign(wait, { until, since: host.instant(), most: 1.1 * (until - now()) + SET_BACK });
  };
  // If a sign of life is dated in the future, the store's clock has been set back since. Such a date counts as at most
  // `SET_BACK` after now.
  const bounded = (time: number) => Math.min(time, now() + SET_BACK);
  extend(
    lastEntry?.quiet
      ? bounded(Date.parse(lastEntry.quiet) - QUIET_AFTER) + QUIET_AFTER
      : lastNumber > 0
        ? now()
        : now() + QUIET_AFTER,
  );
  for (let round = 1; ; round++) {
    const sign = isHeld ? await lastSignOfLife(bucket, lastEntry?.ended ?? 0, holder.number()) : 0;
    if (sign !== wait.sign) extend(Math.max(wait.until, bounded(sign) + QUIET_AFTER));
    wait.sign = sign;
    const rest = wait.until - now();
    if (rest <= 0) return;
    if (round === 1) note(waitText(bucket, isHeld ? lastEntry : undefined, rest));
    const most = wait.most - elapsedAtLeast(host, wait.since);
    if (most <= 0) throw stoodStill(bucket, holder);
    await host.sleep(Math.ceil(Math.min(rest, most)));
  }
}

/**
 * Takes no lock, so that no publisher has to wait. The only exception: if a publisher to a folder has died, the
 * function takes the lock to raise a fence. Waits at most {@link MAX_WAIT_FOR_HOLDER} for a holder.
 * @throws EnvironmentError `bucket-locked`
 */
export async function waitUntilNobodyPublishes(
  bucket: Bucket,
  { host = thisMachine(), note = () => {} }: Pick<LockOptions, 'host' | 'note'> = {},
): Promise<void> {
  const began = host.instant();
  for (let round = 1; ; round++) {
    const log = await readLog(bucket);
    const { isHeld } = log;
    const { owner = 'another publisher' } = log.lastEntry ?? {};
    if (isHeld && round === 1) note(`Waiting for ${owner}, who is publishing to ${bucket.name}.`);
    if (isHeld && timeSinceSignOfLife(log) >= DEAD_AFTER) {
      // The holder has given up. Its requests have expired. Changes in a folder never expire: a new fence stops them.
      if (bucket.fence) await (await takeLock(bucket, { host, note })).abandon();
      return;
    }
    const isOver = bucket.fence || !mayStillHaveRequests(log);
    if (!isHeld && (isOver || elapsedAtLeast(host, began) > QUIET_AFTER + SET_BACK)) return;
    if (isHeld && elapsedAtLeast(host, began) >= MAX_WAIT_FOR_HOLDER) throw heldError(bucket, owner);
    await host.sleep(POLL_INTERVAL);
  }
}

function waitText({ name }: Bucket, entry: LogEntry | undefined, rest: number): string {
  const whose = entry ? `${entry.owner}, who did not give the lock back,` : 'an earlier publish';
  return `Requests of ${whose} may still arrive at ${name}: waiting ${Math.ceil(rest / 1000)} s, until it refuses them.`;
}

/** Waiting would not help: while the store's clock stands still, no request expires. */
function stoodStill({ name }: Bucket, { time }: LockHandle): BucketError {
  const message = `The clock of ${name} stands still, or was set back by more than a minute: it says ${time().toISOString()}. Requests of an earlier publish expire by that clock. Let the store, or the proxy before it, send the present time as Date with every answer (RFC 9110, 6.6.1); then run the command again.`;
  return new BucketError('bucket-clock', message, false);
}

function heldError({ name }: Bucket, owner: string): EnvironmentError {
  return new EnvironmentError(
    'bucket-locked',
    `${owner} has held the lock of ${name} for a quarter of an hour. Run the command again when that publish has ended, or after the next one.`,
  );
}

function lockedError(bucket: Bucket, log: BucketLog): EnvironmentError {
  const { owner = 'another publisher', since } = log.lastEntry ?? {};
  const started = since ? ` since ${since}` : '';
  const rest = Math.ceil((DEAD_AFTER - timeSinceSignOfLife(log)) / 1000);
  const wait = rest > 0 ? ` Should it have ended, that is noticed in ${rest} s.` : '';
  return new EnvironmentError(
    'bucket-locked',
    `${owner} is publishing to ${bucket.name}${started}. Wait for it to end, then run the command again.${wait} --force-unlock takes the lock away from it.`,
  );
}
