/**
 * The lease of a bucket: one holder at a time, and nobody else's requests take effect.
 *
 * It is one object, replaced only on the condition that it has not changed since it was read, so exactly one challenger
 * wins. No two clocks are compared: a holder counts from the start of its last renewal; a challenger takes two of the
 * store's times, or watches for the whole duration. Requests live shorter than the lease, and a challenger that had to
 * break it waits until the last of them has expired. `docs/reliability.md` has the whole argument.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Bucket, BucketError } from './bucket.ts';
import { type ChallengeOptions, challenge, quietTime } from './challenge.ts';
import { assertRefusals } from './conditional-writes.ts';
import { createHolder, type Holder } from './holder.ts';
import {
  type FoundLease,
  LEASE_DURATION,
  REQUEST_LIFE,
  type Remains,
  remainsOf,
  UNUSED,
  withPartial,
} from './lease-record.ts';
import { leasedBucket } from './leased-bucket.ts';
import { elapsedAtLeast, type Machine, thisMachine } from './machine.ts';
import { LOCK_KEY } from './reserved-keys.ts';

export type LeaseOptions = ChallengeOptions & {
  /** Holder's description, for people. @default the host's owner */
  readonly owner?: string | undefined;
  /** Milliseconds for which the lease is held without renewal. @default 60000 */
  readonly duration?: number | undefined;
  /** Milliseconds after a renewal until which requests may take effect; at most half of `duration`. @default 30000 */
  readonly life?: number | undefined;
  /** Names of releases that the bucket will probably hold in part, if the lease is still as seen. @default none */
  readonly releases?: readonly string[] | undefined;
  /** Milliseconds for which caches may serve the lists of these releases. @default 0 */
  readonly readerLife?: number | undefined;
  /**
   * Tells whether a bucket without a lease may already hold objects, or another publisher may be at work there. Called
   * under the new lease. @default it may
   */
  readonly isUsed?: (() => Promise<boolean>) | undefined;
  readonly host?: Machine | undefined;
};

type Begun = Pick<Remains, 'releases' | 'goal' | 'readerLife' | 'timeline' | 'number'>;

export type Lease = {
  /** State that the last holder left the bucket in. */
  readonly remains: Remains;
  /** Whether it excludes other publishers. */
  readonly isExclusive: boolean;
  /** The bucket; no request to it takes effect after the end of the lease. */
  readonly bucket: Bucket;
  /** The store's time, estimated low; the host's where the store gives none. */
  readonly time: () => Date;
  /** The store's time, estimated high. */
  readonly latest: () => Date;
  /**
   * Records what the bucket may hold in part from now on: releases, the milliseconds for which caches may serve their
   * lists, the release of a rollback, and the number of a signed release. Resolves once the record is written.
   */
  readonly begin: (next: Partial<Begun>) => Promise<void>;
  /** Records the timeline, also where the lease is abandoned. Resolves once the record is written. */
  readonly remember: (next: Pick<Remains, 'timeline' | 'due'>) => Promise<void>;
  /**
   * Gives the lease back with all work done.
   *
   * @param remains `manifest` is null by default, the others are as recorded last.
   * @throws EnvironmentError `lock-lost`.
   */
  readonly finish: (remains: Partial<Pick<Remains, 'manifest' | 'due' | 'timeline'>>) => Promise<void>;
  /** Gives the lease back; as unfinished when work was begun. Never throws: when that fails, the lease expires. */
  readonly abandon: () => Promise<void>;
};

/**
 * Takes the lease, tests with it whether the store honours conditional writes, and waits until no request of an earlier
 * holder can take effect.
 *
 * @throws EnvironmentError `bucket-locked` when another publisher holds it; BucketError `bucket-clock` when the store's
 *   clock stands still; UsageError `no-conditional-writes` when the store cannot refuse the second of two publishers.
 */
export async function takeLease(bucket: Bucket, options: LeaseOptions = {}): Promise<Lease> {
  const { host = thisMachine(), isExclusive = true, isUsed = async () => true } = options;
  const {
    owner = host.owner,
    duration = LEASE_DURATION,
    life = REQUEST_LIFE,
    releases = [],
    readerLife = 0,
  } = options;
  host.stopped?.throwIfAborted();
  const holder = createHolder(bucket, host, { owner, duration, life, isExclusive, releases, readerLife });
  const found = await challenge(bucket, host, holder, options);
  const stop = holder.keep();
  let remains: Remains = found ? remainsOf(found.record) : { ...UNUSED, suspect: true };
  let hasBegun = false;
  try {
    if (isExclusive) await prove(bucket, holder, found);
    if (bucket.fence) await holder.recover();
    if (!found && !(await isUsed())) remains = UNUSED;
    if (!bucket.fence) await settle(bucket, host, holder, found, options, remains.suspect);
  } catch (error) {
    stop();
    // This challenger did not wait; the next one has to.
    if (isExclusive && quietTime(found, remains.suspect) > 0) holder.limit.unsettled();
    await holder.giveBack(remains).catch(() => {});
    throw error;
  }
  const describe = async (next: Remains) => {
    if (isDeepStrictEqual(next, holder.remains())) return;
    holder.describe(next);
    await holder.renew();
  };
  /** State to give back where nothing was begun. */
  let left = remains;
  return {
    remains,
    isExclusive,
    bucket: leasedBucket(bucket, holder),
    time: holder.time,
    latest: holder.latest,
    async begin({ goal = null, number, ...next }) {
      hasBegun = true;
      const before = holder.remains();
      const { timeline = before.timeline } = next;
      const partial = withPartial(before, { releases: [], readerLife: 0, ...next });
      await describe({ ...partial, goal, timeline, ...(number && { number }) });
    },
    async remember(next) {
      left = { ...left, ...next };
      await describe({ ...holder.remains(), ...next });
    },
    async finish(next) {
      stop();
      const { due, timeline, number } = holder.remains();
      await holder.giveBack({ ...UNUSED, due, timeline, ...(number && { number }), ...next });
    },
    async abandon() {
      stop();
      const unfinished = hasBegun ? { ...holder.remains(), suspect: true } : left;
      await holder.giveBack(unfinished).catch(() => {});
    },
  };
}

async function prove(bucket: Bucket, holder: Holder, found: FoundLease | undefined): Promise<void> {
  await assertRefusals(bucket, LOCK_KEY, holder.probe());
  // Taking a new lease has tested `If-None-Match` only.
  if (!found) await holder.renew();
}

async function settle(
  bucket: Bucket,
  host: Machine,
  holder: Holder,
  found: FoundLease | undefined,
  { isExclusive = true, note = () => {} }: LeaseOptions,
  isUsed: boolean,
): Promise<void> {
  const rest = isExclusive ? quietTime(found, isUsed) : 0;
  if (rest <= 0) return;
  note(
    `Requests of ${found?.record.held ? `${found.record.owner}, who did not give the lock back,` : 'an earlier publish'} may still arrive at ${bucket.name}: waiting ${Math.ceil(rest / 1000)} s, until it refuses them.`,
  );
  const since = host.instant();
  const passed = () => elapsedAtLeast(host, since);
  const until = found?.time && found.time.getTime() + rest;
  // Waits by the store's clock too, which renewals report meanwhile: it may have been set back.
  const left = () => Math.max(rest - passed(), until ? until - holder.time().getTime() : 0);
  while (left() > 0) {
    const most = rest + LEASE_DURATION - passed();
    if (most <= 0) throw stoodStill(bucket, holder);
    await host.sleep(Math.ceil(Math.min(left(), most)));
  }
}

/** The error for a store whose clock did not reach the end of a wait: a request that has to expire by it may never do so. */
function stoodStill({ name }: Bucket, { time }: Holder): BucketError {
  const message = `The clock of ${name} stands still, or was set back by more than a minute: it says ${time().toISOString()}. Requests of an earlier publish expire by that clock. Let the store, or the proxy before it, send the present time as Date with every answer (RFC 9110, 6.6.1); then run the command again.`;
  return new BucketError('bucket-clock', message, false);
}
