/**
 * The lease of a bucket: one holder at a time, and no effect of anyone else.
 *
 * It is one object that is only ever replaced on the condition that it is still the one that was read, so exactly one
 * challenger wins. No two clocks are compared: a holder counts from before it asked for its last renewal, a challenger
 * takes two times of the store, or watches for as long as the lease lasts. Requests live shorter than the lease, and
 * a challenger that did not get it in peace waits until the last of them is dead. `docs/reliability.md` has the whole argument.
 */
import type { Bucket } from './bucket.ts';
import { type ChallengeOptions, challenge, quietTime } from './challenge.ts';
import { assertRefusals } from './conditional-writes.ts';
import { createHolder, type Holder } from './holder.ts';
import { type Host, leastSince, thisHost } from './host.ts';
import { type FoundLease, LEASE_DURATION, REQUEST_LIFE, type Remains, remainsOf } from './lease-record.ts';
import { leasedBucket } from './leased-bucket.ts';
import { LOCK_KEY } from './reserved-keys.ts';

/** How to take a lease. */
export type LeaseOptions = ChallengeOptions & {
  /** Who takes it, for people. @default the host's owner */
  readonly owner?: string | undefined;
  /** Milliseconds that it is held without being renewed. @default 60000 */
  readonly duration?: number | undefined;
  /** Milliseconds after a renewal in which requests may take effect; at most half of `duration`. @default 30000 */
  readonly life?: number | undefined;
  /** Names of the releases that the bucket will probably hold in part. @default none */
  readonly releases?: readonly string[] | undefined;
  /** Whether the bucket may hold something although it never had a lease. @default true */
  readonly isUsed?: boolean | undefined;
  /** @default this machine */
  readonly host?: Host | undefined;
};

/** A lease that is held. */
export type Lease = {
  /** What the bucket was left like. */
  readonly remains: Remains;
  /** Whether it keeps others out. */
  readonly isExclusive: boolean;
  /** The bucket; no request to it takes effect when the lease has ended. */
  readonly bucket: Bucket;
  /** The store's time, or a little before; the host's where the store says none. */
  readonly time: () => Date;
  /** The store's time, or a little after. */
  readonly latest: () => Date;
  /**
   * Names the releases that the bucket may hold in part from now on, and the one that a rollback goes back to; the record
   * says so when this returns.
   */
  readonly begin: (releases: readonly string[], goal?: string | null) => Promise<void>;
  /**
   * Gives the lease back: all is done.
   *
   * @throws EnvironmentError `lock-lost`.
   */
  readonly finish: (remains: Pick<Remains, 'manifest' | 'due'>) => Promise<void>;
  /** Gives it back as it is: unfinished if something was begun. Never throws: others take it when it has run out. */
  readonly abandon: () => Promise<void>;
};

/** What a bucket is like that was never used. */
const UNUSED: Remains = { releases: [], suspect: false, manifest: null, due: null, goal: null };

/**
 * Takes the lease, finds out with it whether the store honours conditional writes, and waits until nothing of an
 * earlier holder can take effect any more.
 *
 * @throws EnvironmentError `bucket-locked` when it is held; UsageError `no-conditional-writes` when the store cannot
 * keep two publishers apart.
 */
export async function takeLease(bucket: Bucket, options: LeaseOptions = {}): Promise<Lease> {
  const { host = thisHost(), isExclusive = true, isUsed = true } = options;
  const { owner = host.owner, duration = LEASE_DURATION, life = REQUEST_LIFE, releases = [] } = options;
  const holder = createHolder(bucket, host, { owner, duration, life, isExclusive, releases });
  const found = await challenge(bucket, host, holder, options);
  const remains = found ? remainsOf(found.record) : { ...UNUSED, suspect: isUsed };
  const stop = holder.keep();
  let hasBegun = false;
  try {
    if (isExclusive) await prove(bucket, holder, found);
    await settle(bucket, host, holder, found, options);
  } catch (error) {
    stop();
    // The next one has to wait in this one's stead.
    if (isExclusive && quietTime(found, isUsed) > 0) holder.limit.unsettled();
    await holder.giveBack(remains).catch(() => {});
    throw error;
  }
  return {
    remains,
    isExclusive,
    bucket: leasedBucket(bucket, holder),
    time: holder.time,
    latest: holder.latest,
    async begin(names, goal = null) {
      hasBegun = true;
      const { releases: named, goal: before } = holder.remains();
      if (goal === before && names.every((name) => named.includes(name))) return;
      holder.describe({ ...remains, goal, releases: [...new Set([...names, ...named])] });
      await holder.renew();
    },
    async finish({ manifest, due }) {
      stop();
      await holder.giveBack({ releases: [], suspect: false, manifest, due, goal: null });
    },
    async abandon() {
      stop();
      const unfinished = hasBegun ? { ...holder.remains(), suspect: true } : remains;
      await holder.giveBack(unfinished).catch(() => {});
    },
  };
}

/** The write that took the lease was one that the store had to do; these it has to refuse, or to do. */
async function prove(bucket: Bucket, holder: Holder, found: FoundLease | undefined): Promise<void> {
  await assertRefusals(bucket, LOCK_KEY, holder.probe());
  // Only the condition of a new object was put to the test.
  if (!found) await holder.renew();
}

/** Sees to it that no request of an earlier holder can take effect from now on. */
async function settle(
  bucket: Bucket,
  host: Host,
  holder: Holder,
  found: FoundLease | undefined,
  { isExclusive = true, isUsed = true, note = () => {} }: LeaseOptions,
): Promise<void> {
  if (bucket.fence) {
    await holder.recover();
    return;
  }
  const rest = isExclusive ? quietTime(found, isUsed) : 0;
  if (rest <= 0) return;
  note(
    `An earlier publish to ${bucket.name} may have requests on their way: waiting ${Math.ceil(rest / 1000)} s until they count no more.`,
  );
  const since = host.instant();
  const until = found?.time && found.time.getTime() + rest;
  // By the store's clock as well, which renewals tell meanwhile: it may have been set back.
  const left = () => Math.max(rest - leastSince(host, since), until ? until - holder.time().getTime() : 0);
  while (left() > 0) await host.sleep(Math.ceil(left()));
}
