/**
 * The lease of a bucket: only one holder's requests take effect.
 *
 * The lease is one object, replaced only if it is unchanged since it was read, so exactly one challenger wins. No two
 * clocks are compared: a holder counts from the start of its last renewal; a challenger compares two of the store's
 * times, or watches for the whole duration. Requests expire before the lease, and a challenger that broke it waits until
 * the last of them has expired. `docs/reliability.md` has the whole argument.
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
  /** For people. @default the host's owner */
  readonly owner?: string | undefined;
  /** Milliseconds without renewal. @default 60000 */
  readonly duration?: number | undefined;
  /** Milliseconds after a renewal until which requests may take effect; at most half of `duration`. @default 30000 */
  readonly life?: number | undefined;
  /** Releases that the bucket will probably hold in part, if the lease is still as seen. @default none */
  readonly releases?: readonly string[] | undefined;
  /** Milliseconds for which caches may serve the lists of these releases. @default 0 */
  readonly readerLife?: number | undefined;
  /** Whether a bucket without a lease may hold objects or have a publisher. Called under the lease. @default it may */
  readonly isUsed?: (() => Promise<boolean>) | undefined;
  readonly host?: Machine | undefined;
};

type Begun = Pick<Remains, 'releases' | 'goal' | 'readerLife' | 'timeline' | 'number'>;

export type Lease = {
  readonly remains: Remains;
  readonly isExclusive: boolean;
  /** No request to it takes effect after the end of the lease. */
  readonly bucket: Bucket;
  /** The store's time, estimated low; the host's where the store gives none. */
  readonly time: () => Date;
  /** Estimated high. */
  readonly latest: () => Date;
  /** Records what the bucket may hold in part from now on. Resolves once the record is written. */
  readonly begin: (next: Partial<Begun>) => Promise<void>;
  /** Records the timeline, even if the lease is abandoned later. Resolves once the record is written. */
  readonly remember: (next: Pick<Remains, 'timeline' | 'due'>) => Promise<void>;
  /** Gives the lease back with all work done; `manifest` is null by default. @throws EnvironmentError `lock-lost` */
  readonly finish: (remains: Partial<Pick<Remains, 'manifest' | 'due' | 'timeline'>>) => Promise<void>;
  /** Gives the lease back, as unfinished if work was begun. Never throws: if that fails, the lease expires. */
  readonly abandon: () => Promise<void>;
};

/**
 * Takes the lease, tests whether the store honours conditional writes, and waits until no request of an earlier holder
 * can take effect. @throws EnvironmentError `bucket-locked`; BucketError `bucket-clock` when the store's clock stands
 * still; UsageError `no-conditional-writes`
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

/** A request that has to expire by a clock that stands still may never expire. */
function stoodStill({ name }: Bucket, { time }: Holder): BucketError {
  const message = `The clock of ${name} stands still, or was set back by more than a minute: it says ${time().toISOString()}. Requests of an earlier publish expire by that clock. Let the store, or the proxy before it, send the present time as Date with every answer (RFC 9110, 6.6.1); then run the command again.`;
  return new BucketError('bucket-clock', message, false);
}
