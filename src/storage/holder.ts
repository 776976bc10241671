/** One holder of a lease: writes its record, renews it, and knows for how long its requests may take effect. */
import { setMaxListeners } from 'node:events';
import { EnvironmentError } from '../errors.ts';
import { type Bucket, BucketError, ConditionFailed, type Limit, MIN_REMAINING, stillOf } from './bucket.ts';
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
  /**
   * Whether what is in the place of the lease is what was written last although its condition is said not to have held: a
   * proxy sent it twice, and passed on the second answer. It counts as written then.
   */
  readonly hasWritten: (present: FoundLease | undefined) => boolean;
  /** What the next record says of the bucket. */
  readonly describe: (remains: Remains) => void;
  readonly remains: () => Remains;
  /** Writes the record again. @throws EnvironmentError `lock-lost` when another publisher has the lease. */
  readonly renew: () => Promise<void>;
  /** Renews it from time to time. Returns what ends that. */
  readonly keep: () => () => void;
  /**
   * Makes sure, after a request came too late, that the lease is still one's own and that the fence, where there is one,
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
  /** The store's time, or a little after: counts what a machine slept, which `time` learns with the next answer. */
  readonly latest: () => Date;
  /**
   * Takes in the time of an answer of the store. A machine that slept knows no other measure of how long: its clock that
   * is never set stood still.
   */
  readonly hear: (time: Date | undefined) => void;
};

/** Milliseconds between two attempts to renew a lease while requests wait for it. */
const PAUSE = 1000;

/** A signal that never comes. */
const NEVER = new AbortController().signal;

export function createHolder(bucket: Bucket, host: Host, options: HolderOptions): Holder {
  const { life, releases } = options;
  const clock = createClock(host);
  const record = createRecord(bucket, host, options, clock);
  const term = createTerm(bucket, record);
  const fence = createFence(bucket, record.token, term.renew);
  const { token } = record;
  return {
    token,
    limit: limitOf(host, options, record, term, fence),
    async take(found) {
      const left = found && remainsOf(found.record);
      if (left) record.remains = { ...left, releases: [...new Set([...releases, ...left.releases])] };
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
    // One's own all the same: a store that writes it although it should not is left with a record that can be read.
    probe: () => Buffer.from(record.bytes(true).toString('utf8').replace('{', '{"probe":true,')),
    ...clock,
  };
}

type Clock = Pick<Holder, 'time' | 'latest' | 'hear'>;

/** The store's time, as far as answers have said it. */
function createClock(host: Host): Clock {
  let last: { readonly time: Date; readonly at: Instant } | undefined;
  const after = (passed: typeof leastSince) =>
    new Date(last ? last.time.getTime() + passed(host, last.at) : host.instant().wall);
  const time = () => after(leastSince);
  return {
    time,
    latest: () => after(mostSince),
    hear(heard) {
      // The latest, and not the largest: the store's clock may be slower, or may have been set back.
      if (heard) last = { time: heard, at: host.instant() };
    },
  };
}

/** The record of one holder, and what becomes of it. */
type OwnRecord = Pick<Holder, 'hasWritten'> & {
  readonly token: string;
  remains: Remains;
  isUnsettled: boolean;
  /** When the last write that succeeded was asked for; undefined before the first. */
  readonly confirmed: () => Instant | undefined;
  readonly bytes: (held: boolean) => Buffer;
  /** Writes it in place of what was found. @throws ConditionFailed when that is no longer there. */
  readonly take: (found: FoundLease | undefined) => Promise<void>;
  /** Writes it in place of one's own of this tag. @throws ConditionFailed */
  readonly put: (held: boolean, tag?: string) => Promise<void>;
};

function createRecord(bucket: Bucket, host: Host, options: HolderOptions, clock: Clock): OwnRecord {
  const { owner, duration, life, isExclusive, releases } = options;
  const token = host.unique();
  const since = new Date(host.instant().wall).toISOString();
  const own = { owner, token, since, duration, life };
  let epoch = 0;
  let renewal = 0;
  let tag: string | undefined;
  let asked: Instant | undefined;
  let confirmed: Instant | undefined;
  const bytes = (held: boolean) => {
    const { releases, suspect, manifest, due, goal } = record.remains;
    const settled = !record.isUnsettled;
    return recordBytes({ ...own, held, epoch, renewal, settled, releases, suspect, manifest, due, goal });
  };
  const put = async (held: boolean, found: string | undefined) => {
    renewal++;
    const sent = host.instant();
    asked = sent;
    const written = isExclusive
      ? await writeIf(bucket, LOCK_KEY, bytes(held), stillOf(found), ownLimit(host, sent, token, life))
      : await bucket.write(LOCK_KEY, bytes(held), CONTROL_HEADERS);
    tag = written.tag;
    // Counted from before it was asked for, whenever the answer came.
    confirmed = sent;
    clock.hear(written.time);
  };
  const record: OwnRecord = {
    token,
    remains: { releases, suspect: true, manifest: null, due: null, goal: null },
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
      clock.hear(present.time);
      return true;
    },
  };
  return record;
}

/** For as long as the lease is one's own. */
type Term = Pick<Holder, 'renew' | 'giveBack'> & {
  readonly signal: AbortSignal;
  /** Why requests may have no effect any more; undefined while they may. */
  readonly end: () => EnvironmentError | 'given back' | undefined;
  /** Ends it. Returns the error that says why. */
  readonly lose: (why: string) => EnvironmentError;
};

function createTerm(bucket: Bucket, record: OwnRecord): Term {
  const abort = new AbortController();
  // Every request in flight listens to it; Node.js takes more than ten listeners for a leak, and says so to the user.
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
  /** Replaces one's own record. */
  const replace = async (held: boolean) => {
    if (lost) throw lost;
    try {
      await record.put(held);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // An earlier renewal may have arrived without its answer coming back.
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
  // Writes of the record go one after the other: the condition of each is the result of the one before.
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

/** The fence of a holder, where the bucket has one. */
type Fence = Pick<Holder, 'recover'> & {
  /** The name under which requests go through it. */
  readonly name: () => string;
};

/**
 * Each fence has a name of its own: one that is raised by a process which slept lets nothing through before the record
 * has confirmed that the lease is still held.
 */
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

/** What bounds the requests of a holder. */
function limitOf(
  host: Host,
  { life, duration, isExclusive }: HolderOptions,
  record: OwnRecord,
  { end, lose, renew, signal }: Term,
  fence: Fence,
): Limit {
  const remaining = () => {
    const confirmed = record.confirmed();
    if (end() || !confirmed) return 0;
    return isExclusive ? life - mostSince(host, confirmed) : life;
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
      while (!isEnough()) {
        const ended = end();
        if (ended) throw ended === 'given back' ? lose('it was given back') : ended;
        await renew().catch(async (error: unknown) => {
          const isHopeless = !(error instanceof BucketError) || !error.isTransient;
          if (end() instanceof EnvironmentError || isHopeless) throw error;
          if (mostSince(host, record.confirmed()!) > duration) throw lose('it could not be renewed');
          await host.sleep(PAUSE);
        });
      }
    },
  };
}

/** Bounds one write of the record: a renewal that comes later is worth nothing. */
function ownLimit(host: Host, sent: Instant, holder: string, life: number): Limit {
  const remaining = () => life - mostSince(host, sent);
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
