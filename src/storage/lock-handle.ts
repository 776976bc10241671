/** A publisher that holds the lock: it sends heartbeats ("beats"), and knows whether requests may be sent. */
import { setMaxListeners } from 'node:events';
import { EnvironmentError } from '../errors/errors.ts';
import { type Bucket, BucketError, type LockLimit } from './bucket.ts';
import type { BucketState, LogEntry } from './lock-log.ts';
import {
  type BucketClock,
  type ConfirmedBeat,
  createLockLogWriter,
  type LockLogWriter,
  type LockLogWriterOptions,
  SIGNATURE_LIFETIME,
} from './lock-log-writer.ts';
import { elapsedAtLeast, elapsedAtMost, type Instant, type Machine } from './machine.ts';

/** In milliseconds. */
const BEAT_INTERVAL = 10_000;
/** Requests may be sent for this many milliseconds after a beat. */
const PERMIT_DURATION = 30_000;
/**
 * Milliseconds without a confirmed beat after which a holder gives up. Less than `DEAD_AFTER`, even on a slow clock.
 */
const GIVES_UP_AFTER = 100_000;
/** Milliseconds between attempts to beat while requests wait for a beat. */
const BEAT_RETRY_PAUSE = 1000;

const TAKEN = 'another publisher has taken it';
const SILENT = 'no sign of life arrived';

export type LockHandle = BucketClock &
  Pick<LockLogWriter, 'take' | 'markQuiet' | 'number'> & {
    /** Calls {@link LockLogWriter.confirm}. Returns false when another publisher has taken the lock. */
    readonly confirm: () => Promise<boolean>;
    readonly limit: LockLimit;
    readonly remains: () => BucketState;
    /** Records the bucket's state. @throws EnvironmentError `lock-lost` */
    readonly record: (remains: BucketState) => Promise<void>;
    /** Beats periodically until the returned function is called. */
    readonly keepBeating: () => () => void;
    /**
     * If the bucket supports fences, raises a new fence, which makes all earlier requests fail. Then confirms the lock
     * with a beat. Called when the lock is taken, and after a request has expired.
     * @throws EnvironmentError `lock-lost`
     */
    readonly recover: () => Promise<void>;
    /** Writes the last entry. No request is sent afterwards. @throws EnvironmentError `lock-lost` */
    readonly giveBack: (remains: BucketState) => Promise<void>;
  };

export function createLockHandle(bucket: Bucket, host: Machine, options: LockLogWriterOptions): LockHandle {
  const clock = createClock(host);
  const term = createTerm(bucket);
  const journal = createLockLogWriter(bucket, host, options, clock);
  let lastBeat: ConfirmedBeat | undefined;
  const beat = () =>
    term.next(async () => {
      const isOverdue = (elapsed: (last: ConfirmedBeat) => number) =>
        lastBeat !== undefined && elapsed(lastBeat) > GIVES_UP_AFTER;
      if (isOverdue(({ sent }) => elapsedAtMost(host, sent))) throw term.lose(SILENT);
      const next = await journal.beat();
      if (!next) throw term.lose(TAKEN);
      if (isOverdue(({ asked }) => next.answered - asked)) throw term.lose(SILENT);
      lastBeat = next;
    });
  const append = async (kind: LogEntry['kind']) => {
    if (!(await journal.append(kind))) throw term.lose(TAKEN);
  };
  let renewal: Promise<void> | undefined;
  const renew = () => {
    renewal ??= beat().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
  const limit = createLimit(host, options, journal, term, { renew, lastBeat: () => lastBeat, ...clock });
  return {
    limit,
    take: journal.take,
    async confirm() {
      lastBeat = await journal.confirm();
      return lastBeat !== undefined;
    },
    number: journal.number,
    remains: () => journal.remains,
    record: (next) =>
      term.next(async () => {
        journal.remains = next;
        await append('begin');
      }),
    keepBeating: () => repeatedly(host, BEAT_INTERVAL, renew),
    recover: createRecovery(bucket, limit, beat),
    markQuiet: journal.markQuiet,
    giveBack: (left) =>
      term
        .next(async () => {
          journal.remains = left;
          await append('end');
        })
        .finally(term.finish),
    ...clock,
  };
}

function createLimit(
  host: Machine,
  { isExclusive }: LockLogWriterOptions,
  journal: LockLogWriter,
  { end, lose, signal }: ReturnType<typeof createTerm>,
  {
    renew,
    lastBeat,
    signed,
  }: {
    renew: () => Promise<void>;
    lastBeat: () => ConfirmedBeat | undefined;
    signed: (time: number) => void;
  },
): LockLimit & { holder: string } {
  let outdated: ConfirmedBeat | undefined;
  const mayBeSent = () => {
    const beat = lastBeat();
    if (end() || !beat) return false;
    return !isExclusive || (beat !== outdated && elapsedAtMost(host, beat.sent) < PERMIT_DURATION);
  };
  return {
    holder: journal.token,
    signal,
    remaining(storeTime = 0) {
      // While a virtual machine is paused, both of its clocks stand still, but the store's does not.
      signed(storeTime);
      const beat = lastBeat();
      if (beat && storeTime - beat.asked >= PERMIT_DURATION) outdated = beat;
      return mayBeSent() ? SIGNATURE_LIFETIME : 0;
    },
    unsettled() {
      journal.isUnsettled = true;
    },
    async ready() {
      host.stopped?.throwIfAborted();
      while (!mayBeSent()) {
        // If the lock was lost before, `lose` returns the first error instead.
        if (end()) throw lose('it was given back');
        await renew().catch(async (error: unknown) => {
          const isHopeless = !(error instanceof BucketError) || !error.isTransient;
          if (end() instanceof EnvironmentError || isHopeless) throw error;
          await host.sleep(BEAT_RETRY_PAUSE);
        });
      }
    },
  };
}

function createClock(host: Machine): BucketClock & { readonly signed: (storeTime: number) => void } {
  let signedAt = 0;
  let last: { readonly time: Date; readonly asked: Instant; readonly at: Instant } | undefined;
  const after = (passed: number) => new Date(last ? last.time.getTime() + passed : host.instant().wall);
  return {
    time: () => after(last ? elapsedAtLeast(host, last.at) : 0),
    // A process that was suspended reads responses late, so their times may be as old as the requests. If a virtual
    // machine was paused since the last observed response, the time by which a later request was signed is greater.
    latest: () => new Date(Math.max(after(last ? elapsedAtMost(host, last.asked) : 0).getTime(), signedAt)),
    signed(storeTime) {
      signedAt = Math.max(signedAt, storeTime);
    },
    async observe(request) {
      const asked = host.instant();
      const answer = await request();
      // The newest response counts, not the greatest time: the store's clock may be slow, or have been set back.
      if (answer?.time) last = { time: answer.time, asked, at: host.instant() };
      return answer;
    },
  };
}

/** The time for which the lock is held. Writes to the log run in order, and none starts after the lock is lost. */
function createTerm(bucket: Bucket) {
  const abort = new AbortController();
  // Every request in flight listens to the signal; Node.js warns of a leak above ten listeners.
  setMaxListeners(0, abort.signal);
  let isOver = false;
  let lost: EnvironmentError | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  return {
    signal: abort.signal,
    /** Why the lock is no longer held; undefined while it is. */
    end: (): EnvironmentError | 'given back' | undefined => lost ?? (isOver ? 'given back' : undefined),
    finish() {
      isOver = true;
    },
    /** Marks the lock as lost. Later calls return the first error. */
    lose(why: string): EnvironmentError {
      lost ??= new EnvironmentError(
        'lock-lost',
        `The lock of ${bucket.name} was lost while publishing: ${why}. Nothing of this process takes effect any more. Run the command again: it looks at the bucket, and goes on from what arrived.`,
      );
      abort.abort(lost);
      return lost;
    },
    /** Runs one write at a time, because each depends on the previous one. */
    next(work: () => Promise<void>): Promise<void> {
      const result = queue.then(() => (lost ? Promise.reject(lost) : work()));
      queue = result.catch(() => {});
      return result;
    },
  };
}

/**
 * The returned function raises a fence with a new name, then beats. Until the beat has confirmed the lock, requests
 * keep the old name and therefore fail: another holder may have taken the lock while the machine slept.
 */
function createRecovery(bucket: Bucket, limit: { holder: string }, beat: () => Promise<void>) {
  const token = limit.holder;
  let fences = 0;
  let recovery: Promise<void> | undefined;
  const recover = async () => {
    const name = `${token}~${++fences}`;
    await bucket.fence?.(name);
    await beat();
    if (bucket.fence) limit.holder = name;
  };
  return () => {
    recovery ??= recover().finally(() => {
      recovery = undefined;
    });
    return recovery;
  };
}

function repeatedly(host: Machine, pause: number, work: () => Promise<void>): () => void {
  let isOver = false;
  let cancel = () => {};
  const wait = () => {
    if (isOver) return;
    cancel = host.after(pause, () => {
      // A failure may be transient; if it is not, the next request reports it.
      work().then(wait, wait);
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
  };
}
