/** One holder of a lease: writes its record, renews it, and knows for how long its requests may take effect. */
import { setMaxListeners } from 'node:events';
import { EnvironmentError } from '../errors.ts';
import { type Bucket, BucketError, ConditionFailed, type Limit, MIN_REMAINING } from './bucket.ts';
import { noConditionalWrites, writeIf } from './conditional-writes.ts';
import { type Host, type Instant, leastSince, mostSince } from './host.ts';
import { type FoundLease, type Remains, readLease, recordBytes, remainsOf } from './lease-record.ts';
import { CONTROL_HEADERS, LOCK_KEY } from './reserved-keys.ts';

/** Who holds a lease, and for how long. */
export type HolderOptions = {
  readonly owner: string;
  readonly duration: number;
  readonly life: number;
  readonly isExclusive: boolean;
  /** Releases that every record of the holder names. */
  readonly releases: readonly string[];
};

/** One who may hold a lease. */
export type Holder = {
  readonly token: string;
  /** Bounds the requests of the holder. */
  readonly limit: Limit;
  /** Takes what was found. @throws ConditionFailed when that is no longer there. */
  readonly take: (found: FoundLease | undefined) => Promise<void>;
  /** What the next record says of the bucket. */
  readonly describe: (remains: Remains) => void;
  readonly remains: () => Remains;
  /** Writes the record again. @throws EnvironmentError `lock-lost` when somebody else has the lease. */
  readonly renew: () => Promise<void>;
  /** Renews it from time to time. Returns what ends that. */
  readonly keep: () => () => void;
  /**
   * Makes sure of the lease after a request came too late: that is still one's own, and the fence, where there is one,
   * lets requests through.
   *
   * @throws EnvironmentError `lock-lost`.
   */
  readonly recover: () => Promise<void>;
  /** Writes that it is free. No request takes effect afterwards. @throws EnvironmentError `lock-lost` */
  readonly giveBack: (remains: Remains) => Promise<void>;
  /** Bytes that the object never holds. */
  readonly probe: () => Buffer;
  /** The store's time, or a little before. */
  readonly time: () => Date;
  /**
   * Takes in the time of an answer of the store. A machine that slept knows no other measure of how long: its clock that
   * is never set stood still.
   */
  readonly hear: (time: Date | undefined) => void;
};

/** Milliseconds between two attempts to renew a lease while requests wait for it. */
const PAUSE = 1000;

export function createHolder(bucket: Bucket, host: Host, options: HolderOptions): Holder {
  const { owner, duration, life, isExclusive, releases } = options;
  const token = host.unique();
  const since = new Date(host.instant().wall).toISOString();
  const abort = new AbortController();
  // Every request in flight listens to it; Node.js takes more than ten listeners for a leak, and says so to the user.
  setMaxListeners(0, abort.signal);
  let remains: Remains = { releases, suspect: true, manifest: null, due: null };
  let epoch = 0;
  let renewal = 0;
  let tag: string | undefined;
  let confirmed: Instant | undefined;
  let clock: { readonly time: Date; readonly at: Instant } | undefined;
  let isUnsettled = false;
  let isOver = false;
  let lost: EnvironmentError | undefined;

  const bytes = (held: boolean) =>
    recordBytes({
      held,
      owner,
      token,
      epoch,
      renewal,
      since,
      duration,
      life,
      settled: !isUnsettled,
      ...remains,
    });
  const time = () =>
    clock ? new Date(clock.time.getTime() + leastSince(host, clock.at)) : new Date(host.instant().wall);
  const hear = (heard: Date | undefined) => {
    if (heard && (!clock || heard > time())) clock = { time: heard, at: host.instant() };
  };
  const put = async (held: boolean, found: { readonly tag: string } | undefined) => {
    renewal++;
    const sent = host.instant();
    const condition = found ? { tag: found.tag } : { absent: true as const };
    const written = isExclusive
      ? await writeIf(bucket, LOCK_KEY, bytes(held), condition, ownLimit(host, sent, token, life))
      : await bucket.write(LOCK_KEY, bytes(held), CONTROL_HEADERS);
    tag = written.tag;
    // Counted from before it was asked for, whenever the answer came.
    confirmed = sent;
    hear(written.time);
  };
  const lose = (why: string) => {
    lost ??= new EnvironmentError(
      'lock-lost',
      `The lock of ${bucket.name} was lost while publishing: ${why}. Nothing of this process takes effect any more. Run the command again: it looks at the bucket, and goes on from what arrived.`,
    );
    abort.abort(lost);
    return lost;
  };
  /** Replaces one's own record. */
  const replace = async (held: boolean) => {
    if (lost) throw lost;
    try {
      await put(held, { tag: tag! });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // An earlier renewal may have arrived without its answer coming back.
      const present = await readLease(bucket);
      if (present?.record.token !== token) throw lose('another publisher has taken it');
      await put(held, present).catch(async (again: unknown) => {
        if (!(again instanceof ConditionFailed)) throw again;
        const last = await readLease(bucket);
        if (last?.record.token !== token) throw lose('another publisher has taken it');
        throw noConditionalWrites(bucket, 'a write with If-Match of the tag was refused');
      });
    }
  };

  // Writes of the record go one after the other: the condition of each is the result of the one before.
  let queue: Promise<unknown> = Promise.resolve();
  const next = (work: () => Promise<void>): Promise<void> => {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  };
  const renew = () => next(() => replace(true));
  const remaining = () => {
    if (lost || isOver || !confirmed) return 0;
    return isExclusive ? life - mostSince(host, confirmed) : life;
  };
  // Each fence has a name of its own: one that is raised by a process which slept lets nothing through before the record
  // has confirmed that the lease is still held.
  let fenced = token;
  let fences = 0;
  let recovery: Promise<void> | undefined;
  const recover = async () => {
    if (bucket.fence) {
      const name = `${token}~${++fences}`;
      await bucket.fence(name);
      await renew();
      fenced = name;
    } else await renew();
  };
  const limit: Limit = {
    get holder() {
      return fenced;
    },
    signal: abort.signal,
    remaining,
    unsettled() {
      isUnsettled = true;
    },
    async ready() {
      const isEnough = () => remaining() >= Math.max(life / 2, MIN_REMAINING);
      while (!isEnough()) {
        if (lost || isOver) throw lost ?? lose('it was given back');
        await renew().catch(async (error: unknown) => {
          const isHopeless = !(error instanceof BucketError) || !error.isTransient;
          if (lost || isHopeless) throw error;
          if (mostSince(host, confirmed!) > duration) throw lose('it could not be renewed');
          await host.sleep(PAUSE);
        });
      }
    },
  };

  return {
    token,
    limit,
    async take(found) {
      epoch = (found?.record.epoch ?? 0) + 1;
      const left = found && remainsOf(found.record);
      if (left) remains = { ...left, releases: [...new Set([...releases, ...left.releases])] };
      await put(true, found);
    },
    describe(next) {
      remains = next;
    },
    remains: () => remains,
    renew,
    recover() {
      recovery ??= recover().finally(() => {
        recovery = undefined;
      });
      return recovery;
    },
    keep: () => repeatedly(host, life / 3, renew),
    async giveBack(left) {
      await next(async () => {
        remains = left;
        await replace(false);
      }).finally(() => {
        isOver = true;
      });
    },
    // One's own all the same: a store that writes it although it should not is left with a record that can be read.
    probe: () => Buffer.from(bytes(true).toString('utf8').replace('{', '{"probe":true,')),
    time,
    hear,
  };
}

/** Bounds one write of the record: a renewal that comes later is worth nothing. */
function ownLimit(host: Host, sent: Instant, holder: string, life: number): Limit {
  const remaining = () => life - mostSince(host, sent);
  return {
    holder,
    remaining,
    signal: new AbortController().signal,
    async ready() {
      if (remaining() >= MIN_REMAINING) return;
      throw new BucketError('bucket-unreachable', 'The lock could not be renewed in time.', true);
    },
    unsettled() {},
  };
}

/** Does something again and again, with a pause after each time. Returns what ends it. */
function repeatedly(host: Host, pause: number, work: () => Promise<void>): () => void {
  let isOver = false;
  let cancel = () => {};
  const wait = () => {
    if (isOver) return;
    cancel = host.after(pause, () => {
      // A failure may pass before the lease ends; the next request finds out.
      work().then(wait, wait);
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
  };
}
