/** One holder of the lock: beats, and tracks whether its requests may be sent. */
import { setMaxListeners } from 'node:events';
import { EnvironmentError } from '../errors/errors.ts';
import { type Bucket, BucketError, type Limit } from './bucket.ts';
import { type Clock, createJournal, EXPIRY, type Journal, type JournalOptions } from './journal.ts';
import type { Entry, Remains } from './log.ts';
import { elapsedAtLeast, elapsedAtMost, type Instant, type Machine } from './machine.ts';

/** Milliseconds between two beats. */
const BEAT = 10_000;
/** Milliseconds after a beat for which requests may be sent. */
const PERMIT = 30_000;
/** Milliseconds without a beat until others may take the lock. */
export const DEAD = 120_000;
/** Milliseconds between attempts to beat while requests wait for it. */
const PAUSE = 1000;

const TAKEN = 'another publisher has taken it';

export type Holder = Clock &
  Pick<Journal, 'take' | 'confirm' | 'waited' | 'number'> & {
    readonly limit: Limit;
    readonly remains: () => Remains;
    /** @throws EnvironmentError `lock-lost` when another publisher has taken the lock */
    readonly describe: (remains: Remains) => Promise<void>;
    /** Beats periodically until the returned function is called. */
    readonly keep: () => () => void;
    /** After a request came too late: confirms the lock, raises the fence again. @throws EnvironmentError `lock-lost` */
    readonly recover: () => Promise<void>;
    /** No request takes effect afterwards. @throws EnvironmentError `lock-lost` */
    readonly giveBack: (remains: Remains) => Promise<void>;
  };

export function createHolder(bucket: Bucket, host: Machine, options: JournalOptions): Holder {
  const clock = createClock(host);
  const term = createTerm(bucket);
  const journal = createJournal(bucket, host, options, clock);
  const confirm = () =>
    term.next(async () => {
      if (!(await journal.beat())) throw term.lose(TAKEN);
    });
  const append = async (kind: Entry['kind']) => {
    if (!(await journal.append(kind))) throw term.lose(TAKEN);
  };
  let renewal: Promise<void> | undefined;
  const renew = () => {
    renewal ??= confirm().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };
  const limit = createLimit(host, options, journal, term, renew);
  return {
    limit,
    take: journal.take,
    confirm: journal.confirm,
    number: journal.number,
    remains: () => journal.remains,
    describe: (next) =>
      term.next(async () => {
        journal.remains = next;
        await append('begin');
      }),
    keep: () => repeatedly(host, BEAT, renew),
    recover: createRecovery(bucket, limit, confirm),
    waited: journal.waited,
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
  { isExclusive }: JournalOptions,
  journal: Journal,
  { end, lose, signal }: ReturnType<typeof createTerm>,
  renew: () => Promise<void>,
): Limit & { holder: string } {
  const mayBeSent = () => {
    const counted = journal.counted();
    if (end() || !counted) return false;
    return !isExclusive || elapsedAtMost(host, counted) < PERMIT;
  };
  return {
    holder: journal.token,
    signal,
    remaining: () => (mayBeSent() ? EXPIRY : 0),
    unsettled() {
      journal.isUnsettled = true;
    },
    async ready() {
      host.stopped?.throwIfAborted();
      while (!mayBeSent()) {
        // A lock that was lost keeps its first reason.
        if (end()) throw lose('it was given back');
        await renew().catch(async (error: unknown) => {
          const isHopeless = !(error instanceof BucketError) || !error.isTransient;
          if (end() instanceof EnvironmentError || isHopeless) throw error;
          const counted = journal.counted();
          if (counted && elapsedAtMost(host, counted) > DEAD) throw lose('no sign of life arrived');
          await host.sleep(PAUSE);
        });
      }
    },
  };
}

function createClock(host: Machine): Clock {
  let last: { readonly time: Date; readonly asked: Instant; readonly at: Instant } | undefined;
  const after = (passed: number) => new Date(last ? last.time.getTime() + passed : host.instant().wall);
  return {
    time: () => after(last ? elapsedAtLeast(host, last.at) : 0),
    // A stopped process receives responses late: their times are as old as the requests.
    latest: () => after(last ? elapsedAtMost(host, last.asked) : 0),
    async observe(request) {
      const asked = host.instant();
      const answer = await request();
      // The latest, not the largest: the store's clock may be slow, or have been set back.
      if (answer?.time) last = { time: answer.time, asked, at: host.instant() };
      return answer;
    },
  };
}

/** The order of this holder's own writes, and why they ended. */
function createTerm(bucket: Bucket) {
  const abort = new AbortController();
  // Every request in flight listens to it; Node.js warns of a leak above ten listeners.
  setMaxListeners(0, abort.signal);
  let isOver = false;
  let lost: EnvironmentError | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  return {
    signal: abort.signal,
    /** Undefined during the term. */
    end: (): EnvironmentError | 'given back' | undefined => lost ?? (isOver ? 'given back' : undefined),
    finish() {
      isOver = true;
    },
    /** Ends the term. The first reason stays. */
    lose(why: string): EnvironmentError {
      lost ??= new EnvironmentError(
        'lock-lost',
        `The lock of ${bucket.name} was lost while publishing: ${why}. Nothing of this process takes effect any more. Run the command again: it looks at the bucket, and goes on from what arrived.`,
      );
      abort.abort(lost);
      return lost;
    },
    /** One at a time: each follows from the last. */
    next(work: () => Promise<void>): Promise<void> {
      const result = queue.then(() => (lost ? Promise.reject(lost) : work()));
      queue = result.catch(() => {});
      return result;
    },
  };
}

/** Each fence has a new name: after sleep, it admits no request before a beat confirms the lock. */
function createRecovery(bucket: Bucket, limit: { holder: string }, renew: () => Promise<void>) {
  const token = limit.holder;
  let fences = 0;
  let recovery: Promise<void> | undefined;
  const recover = async () => {
    const name = `${token}~${++fences}`;
    await bucket.fence?.(name);
    await renew();
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
      // A failure may pass; otherwise the next request reports it.
      work().then(wait, wait);
    });
  };
  wait();
  return () => {
    isOver = true;
    cancel();
  };
}
