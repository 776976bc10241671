/** One holder of a lease: writes its record, renews it, and tracks for how long its requests may take effect. */
import { setMaxListeners } from 'node:events';
import { EnvironmentError } from '../errors/errors.ts';
import { type Bucket, BucketError, ConditionFailed, ifTagIs, type Limit, MIN_REMAINING } from './bucket.ts';
import { noConditionalWrites, writeIf } from './conditional-writes.ts';
import {
  type FoundLease,
  type Remains,
  readLease,
  recordBytes,
  remainsOf,
  UNUSED,
  withPartial,
} from './lease-record.ts';
import { elapsedAtLeast, elapsedAtMost, type Instant, type Machine } from './machine.ts';
import { CONTROL_HEADERS, LOCK_KEY } from './reserved-keys.ts';

/** `releases` and `readerLife` are recorded only if the lease is still as the caller saw it. */
export type HolderOptions = Pick<Remains, 'releases' | 'readerLife'> & {
  readonly owner: string;
  readonly duration: number;
  readonly life: number;
  readonly isExclusive: boolean;
};

export type Holder = {
  readonly token: string;
  readonly limit: Limit;
  /** `isSeen`: the caller chose the releases by this record. @throws ConditionFailed when it has changed */
  readonly take: (found: FoundLease | undefined, isSeen: boolean) => Promise<void>;
  /** Whether `present` is this holder's last write: a proxy may send it twice and pass on the second, failed answer. */
  readonly hasWritten: (present: FoundLease | undefined) => boolean;
  /** Sets what the next record says about the bucket. Writes nothing yet. */
  readonly describe: (remains: Remains) => void;
  readonly remains: () => Remains;
  /** @throws EnvironmentError `lock-lost` when another publisher has taken the lease */
  readonly renew: () => Promise<void>;
  /** Renews periodically until the returned function is called. */
  readonly keep: () => () => void;
  /** After a request came too late: confirms the lease, raises the fence again. @throws EnvironmentError `lock-lost` */
  readonly recover: () => Promise<void>;
  /** Marks the lease free. No request takes effect afterwards. @throws EnvironmentError `lock-lost` */
  readonly giveBack: (remains: Remains) => Promise<void>;
  /** Bytes that the lease object never has. */
  readonly probe: () => Buffer;
  /** The store's time, estimated low. */
  readonly time: () => Date;
  /** The store's time, estimated high: includes sleep, which `time` misses until the next response. */
  readonly latest: () => Date;
  /** Learns the store's time from the response: the monotonic clock stands still while the machine sleeps. */
  readonly observe: <T extends { readonly time?: Date | undefined } | undefined>(
    request: () => Promise<T>,
  ) => Promise<T>;
};

/** Milliseconds between attempts to renew a lease that requests wait for. */
const PAUSE = 1000;

const UNKNOWN: Remains = { ...UNUSED, suspect: true };

const NEVER = new AbortController().signal;

export function createHolder(bucket: Bucket, host: Machine, options: HolderOptions): Holder {
  const { life } = options;
  const clock = createClock(host);
  const record = createRecord(bucket, host, options, clock);
  const term = createTerm(bucket, record);
  const fence = createFence(bucket, record.token, term.renew);
  const { token } = record;
  return {
    token,
    limit: limitOf(host, options, record, term, fence),
    async take(found, isSeen) {
      // An earlier attempt may have found a record that was removed since: what it says does not count.
      const left = found ? remainsOf(found.record) : UNKNOWN;
      record.remains = isSeen ? withPartial(left, options) : left;
      await record.take(found);
    },
    hasWritten: record.hasWritten,
    describe(next) {
      record.remains = next;
    },
    remains: () => record.remains,
    renew: term.renew,
    recover: fence.recover,
    keep: () => repeatedly(host, life / 3, term.renew),
    giveBack: term.giveBack,
    // Otherwise like this holder's record, so that a store that ignores the condition still has a readable record.
    probe: () => Buffer.from(record.bytes(true).toString('utf8').replace('{', '{"probe":true,')),
    ...clock,
  };
}

type Clock = Pick<Holder, 'time' | 'latest' | 'observe'> & {
  /** `asked`: when the request was sent. */
  readonly learn: (time: Date | undefined, asked: Instant) => void;
};

function createClock(host: Machine): Clock {
  let last: { readonly time: Date; readonly asked: Instant; readonly at: Instant } | undefined;
  const after = (passed: number) => new Date(last ? last.time.getTime() + passed : host.instant().wall);
  const learn: Clock['learn'] = (time, asked) => {
    // The latest, not the largest: the store's clock may be slow, or have been set back.
    if (time) last = { time, asked, at: host.instant() };
  };
  return {
    learn,
    time: () => after(last ? elapsedAtLeast(host, last.at) : 0),
    // A stopped process receives responses late: their times are as old as the requests.
    latest: () => after(last ? elapsedAtMost(host, last.asked) : 0),
    async observe(request) {
      const asked = host.instant();
      const answer = await request();
      learn(answer?.time, asked);
      return answer;
    },
  };
}

type OwnRecord = Pick<Holder, 'hasWritten'> & {
  readonly token: string;
  remains: Remains;
  isUnsettled: boolean;
  /** Start of the last write that succeeded; undefined before the first. */
  readonly confirmed: () => Instant | undefined;
  readonly bytes: (held: boolean) => Buffer;
  readonly take: (found: FoundLease | undefined) => Promise<void>;
  /** Replaces this holder's own record. @throws ConditionFailed */
  readonly put: (held: boolean, tag?: string) => Promise<void>;
};

function createRecord(bucket: Bucket, host: Machine, options: HolderOptions, clock: Clock): OwnRecord {
  const { owner, duration, life, isExclusive, releases, readerLife } = options;
  const token = host.unique();
  const since = new Date(host.instant().wall).toISOString();
  const own = { owner, token, since, duration, life, ...(host.process && { process: host.process }) };
  let epoch = 0;
  let renewal = 0;
  let tag: string | undefined;
  let asked: Instant | undefined;
  let confirmed: Instant | undefined;
  const bytes = (held: boolean) => {
    return recordBytes({ ...own, held, epoch, renewal, settled: !record.isUnsettled, ...record.remains });
  };
  const put = async (held: boolean, found: string | undefined) => {
    renewal++;
    const sent = host.instant();
    asked = sent;
    const written = isExclusive
      ? await writeIf(bucket, LOCK_KEY, bytes(held), ifTagIs(found), ownLimit(host, sent, token, life))
      : await bucket.write(LOCK_KEY, bytes(held), CONTROL_HEADERS);
    tag = written.tag;
    // Counted from the start of the request, whenever the answer came.
    confirmed = sent;
    clock.learn(written.time, sent);
  };
  const record: OwnRecord = {
    token,
    remains: { ...UNKNOWN, releases, readerLife },
    isUnsettled: false,
    confirmed: () => confirmed,
    bytes,
    async take(found) {
      epoch = (found?.record.epoch ?? 0) + 1;
      await put(true, found?.tag);
    },
    put: (held, found = tag) => put(held, found),
    hasWritten(present) {
      if (present?.record.token !== token || present.record.renewal !== renewal) return false;
      tag = present.tag;
      confirmed = asked;
      clock.learn(present.time, asked!);
      return true;
    },
  };
  return record;
}

type Term = Pick<Holder, 'renew' | 'giveBack'> & {
  readonly signal: AbortSignal;
  /** Why requests must not take effect any more; undefined during the term. */
  readonly end: () => EnvironmentError | 'given back' | undefined;
  /** Ends the term as lost. The first reason stays. */
  readonly lose: (why: string) => EnvironmentError;
};

function createTerm(bucket: Bucket, record: OwnRecord): Term {
  const abort = new AbortController();
  // Every request in flight listens to it; Node.js warns of a leak above ten listeners.
  setMaxListeners(0, abort.signal);
  let isOver = false;
  let lost: EnvironmentError | undefined;
  const lose = (why: string) => {
    lost ??= new EnvironmentError(
      'lock-lost',
      `The lock of ${bucket.name} was lost while publishing: ${why}. Nothing of this process takes effect any more. Run the command again: it looks at the bucket, and goes on from what arrived.`,
    );
    abort.abort(lost);
    return lost;
  };
  const replace = async (held: boolean) => {
    if (lost) throw lost;
    try {
      await record.put(held);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // An earlier renewal may have taken effect although its answer was lost.
      const present = await readLease(bucket);
      if (record.hasWritten(present)) return;
      if (present?.record.token !== record.token) throw lose('another publisher has taken it');
      await record.put(held, present.tag).catch(async (again: unknown) => {
        if (!(again instanceof ConditionFailed)) throw again;
        const last = await readLease(bucket);
        if (record.hasWritten(last)) return;
        if (last?.record.token !== record.token) throw lose('another publisher has taken it');
        throw noConditionalWrites(bucket, 'a write with If-Match of the tag was refused');
      });
    }
  };
  // Writes of the record are serialised: each has the tag of the one before as its condition.
  let queue: Promise<unknown> = Promise.resolve();
  const next = (work: () => Promise<void>): Promise<void> => {
    const result = queue.then(work);
    queue = result.catch(() => {});
    return result;
  };
  return {
    signal: abort.signal,
    end: () => lost ?? (isOver ? 'given back' : undefined),
    lose,
    renew: () => next(() => replace(true)),
    giveBack: (left) =>
      next(async () => {
        record.remains = left;
        await replace(false);
      }).finally(() => {
        isOver = true;
      }),
  };
}

type Fence = Pick<Holder, 'recover'> & {
  readonly name: () => string;
};

/** Each fence has a new name: after sleep, it admits no request before the record confirms the lease. */
function createFence(bucket: Bucket, token: string, renew: () => Promise<void>): Fence {
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
  return {
    name: () => fenced,
    recover() {
      recovery ??= recover().finally(() => {
        recovery = undefined;
      });
      return recovery;
    },
  };
}

function limitOf(
  host: Machine,
  { life, duration, isExclusive }: HolderOptions,
  record: OwnRecord,
  { end, lose, renew, signal }: Term,
  fence: Fence,
): Limit {
  const remaining = () => {
    const confirmed = record.confirmed();
    if (end() || !confirmed) return 0;
    return isExclusive ? life - elapsedAtMost(host, confirmed) : life;
  };
  const isEnough = () => remaining() >= Math.max(life / 2, MIN_REMAINING);
  return {
    get holder() {
      return fence.name();
    },
    signal,
    remaining,
    unsettled() {
      record.isUnsettled = true;
    },
    async ready() {
      host.stopped?.throwIfAborted();
      while (!isEnough()) {
        // A lease that was lost keeps its first reason.
        if (end()) throw lose('it was given back');
        await renew().catch(async (error: unknown) => {
          const isHopeless = !(error instanceof BucketError) || !error.isTransient;
          if (end() instanceof EnvironmentError || isHopeless) throw error;
          if (elapsedAtMost(host, record.confirmed()!) > duration) throw lose('it could not be renewed');
          await host.sleep(PAUSE);
        });
      }
    },
  };
}

/** Limits one write of the record: a later renewal would be worthless. */
function ownLimit(host: Machine, sent: Instant, holder: string, life: number): Limit {
  const remaining = () => life - elapsedAtMost(host, sent);
  return {
    holder,
    remaining,
    signal: NEVER,
    async ready() {
      if (remaining() >= MIN_REMAINING) return;
      throw new BucketError('bucket-unreachable', 'The lock could not be renewed in time.', true);
    },
    unsettled() {},
  };
}

function repeatedly(host: Machine, pause: number, work: () => Promise<void>): () => void {
  let isOver = false;
  let cancel = () => {};
  const wait = () => {
    if (isOver) return;
    cancel = host.after(pause, () => {
      // A failure may pass before the lease ends; otherwise the next request reports it.
      work().then(wait, wait);
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
  };
}
