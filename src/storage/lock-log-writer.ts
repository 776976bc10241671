/** What one holder of the lock writes to the bucket's log: entries and heartbeats ("beats"). */
import { LOG_FOLDER } from '../contract/object-keys.ts';
import { type Bucket, BucketError, ConditionFailed, type LockLimit, MIN_REMAINING_TIME } from './bucket.ts';
import { CONTROL_OBJECT_HEADERS } from './control-headers.ts';
import {
  type BucketLog,
  type BucketState,
  entryNumber,
  type LogEntry,
  logKey,
  noConditionalWritesError,
  readToken,
  serializeBeat,
  serializeEntry,
  UNUSED_BUCKET,
  writeIfAbsent,
} from './lock-log.ts';
import { elapsedAtMost, type Instant, type Machine } from './machine.ts';

/** Milliseconds for which the store accepts a signed request. */
export const SIGNATURE_LIFETIME = 30_000;
/**
 * Milliseconds after a holder's last beat until none of its requests can take effect. The sum, rounded up, of 33 s in
 * which it may send requests (30 s on a clock that is a tenth slow), 3 s by which a signature may be dated ahead,
 * SIGNATURE_LIFETIME, 5 s for a late check and 5 s for a late effect.
 */
export const QUIET_AFTER = 80_000;
/** Milliseconds from when a holder gives the lock back until none of its requests can take effect. */
const QUIET_AFTER_SIGNATURE = 45_000;

const NEVER_ABORTED = new AbortController().signal;

export type LockLogWriterOptions = {
  readonly owner: string;
  /** False for a store without conditional writes. */
  readonly isExclusive: boolean;
};

/**
 * A beat after which no other holder was found. `asked` and `answered`: milliseconds since 1970 by the store's clock.
 * If the beat took several attempts, `asked` is before the first one, and `answered` after the last.
 */
export type ConfirmedBeat = { readonly sent: Instant; readonly asked: number; readonly answered: number };

export type LockLogWriter = {
  readonly token: string;
  remains: BucketState;
  /** True if a write or removal was sent whose outcome is unknown. */
  isUnsettled: boolean;
  /** Number of this holder's first entry. The key of its beat has the same number. */
  readonly number: () => number;
  /**
   * Creates the entry that follows the last entry of `log`. Returns false when another publisher was faster. `at`: when
   * the reading of `log` began.
   * @throws UsageError `no-conditional-writes`
   */
  readonly take: (log: BucketLog, remains: BucketState, at: Instant) => Promise<boolean>;
  /**
   * Writes the first beat, and tests whether the store honours conditional writes. Undefined when another publisher has
   * taken the lock.
   * @throws UsageError `no-conditional-writes`
   */
  readonly confirm: () => Promise<ConfirmedBeat | undefined>;
  /** Undefined when another publisher has taken the lock. */
  readonly beat: () => Promise<ConfirmedBeat | undefined>;
  /** Call this when no request of an earlier holder can take effect any more. */
  readonly markQuiet: () => void;
  /** Returns false when another publisher has taken the lock. */
  readonly append: (kind: LogEntry['kind']) => Promise<boolean>;
};

export type BucketClock = {
  /** The store's time, estimated low. */
  readonly time: () => Date;
  /** The store's time, estimated high: includes the time for which the machine slept, which `time` may miss. */
  readonly latest: () => Date;
  /** Sends the request and learns the store's time from the response: the monotonic clock may stop during sleep. */
  readonly observe: <T extends { readonly time?: Date | undefined } | undefined>(
    request: () => Promise<T>,
  ) => Promise<T>;
};

export function createLockLogWriter(
  bucket: Bucket,
  host: Machine,
  { owner, isExclusive }: LockLogWriterOptions,
  { observe, time, latest }: BucketClock,
): LockLogWriter {
  const token = host.unique();
  const since = new Date(host.instant().wall).toISOString();
  const own = { owner, token, since, ...(host.process && { process: host.process }) };
  const write = createWrite(bucket, host, isExclusive, token, observe);
  const chain = { first: 0, last: 0, ended: 0, quiet: null as string | null, hasBeaten: false };
  let isWaiting = true;
  let beats = 0;
  const isStillLast = async () => !isExclusive || hasLastEntry(bucket, token, chain);
  const bytesOf = (kind: LogEntry['kind']) =>
    serializeEntry({ kind, ...own, ended: chain.ended, quiet: chain.quiet, ...journal.remains });
  const beatAgain = (last: number) =>
    write.replace(logKey(chain.first, 'beat'), serializeBeat(token, ++beats, last));
  const journal: LockLogWriter = {
    token,
    remains: UNUSED_BUCKET,
    isUnsettled: false,
    number: () => chain.first,
    async take(log, remains, at) {
      journal.remains = remains;
      const { ended = 0, quiet = null } = log.lastEntry ?? {};
      const first = log.lastNumber + 1;
      Object.assign(chain, { first, last: first, ended, quiet, hasBeaten: false });
      isWaiting = log.lastNumber === 0 || log.isHeld || quiet !== null;
      beats = 0;
      return !(await write.create(logKey(first), bytesOf('begin'), at));
    },
    async confirm() {
      const beat = journal.beat();
      if (!isExclusive) return beat;
      // This holder's entry with one more byte: if the store ignores the condition, the entry is still readable.
      const probe = Buffer.concat([bytesOf('begin'), Buffer.from('\n')]);
      const [isWritten, isFirst] = await Promise.all([write.isAccepted(logKey(chain.first), probe), beat]);
      if (isWritten)
        throw noConditionalWritesError(bucket, 'a second write with If-None-Match: * was written');
      return isFirst;
    },
    /** Writes the beat before it looks for another holder: of two holders, one always sees the other. */
    async beat() {
      const sent = host.instant();
      const asked = time().getTime();
      if (beats > 0) await beatAgain(chain.last);
      else if (await write.create(logKey(chain.first, 'beat'), serializeBeat(token, ++beats, chain.last)))
        return undefined;
      chain.hasBeaten = true;
      const answered = time().getTime();
      return (await isStillLast()) ? { sent, asked, answered } : undefined;
    },
    async append(kind) {
      // If somebody removes the new entry by hand, the beat still shows that it existed.
      if (kind === 'begin') await beatAgain(chain.last + 1);
      // Somebody may have removed the entry of another holder by hand; its number must not be reused.
      const looked = host.instant();
      if (!(await isStillLast())) return false;
      for (;;) {
        const late = isWaiting ? QUIET_AFTER : journal.isUnsettled ? QUIET_AFTER_SIGNATURE : 0;
        if (kind === 'end') chain.ended = chain.last + 1;
        if (kind === 'end' && late > 0) chain.quiet = new Date(latest().getTime() + late).toISOString();
        const present = await write.create(logKey(chain.last + 1), bytesOf(kind));
        // The entry may be this holder's: an earlier attempt may have arrived late.
        if (present && readToken(present) !== token) return false;
        chain.last++;
        // While the write was under way, another holder's entry may have been made and removed.
        if (!present) return elapsedAtMost(host, looked) < SIGNATURE_LIFETIME || isStillLast();
      }
    },
    markQuiet() {
      isWaiting = false;
      chain.quiet = null;
    },
  };
  return journal;
}

/**
 * Whether this holder's last entry exists, and is the last one of the log. Updates `chain.last` if this holder wrote a
 * later entry, but the response was lost.
 */
async function hasLastEntry(
  bucket: Bucket,
  token: string,
  chain: { readonly first: number; last: number; readonly hasBeaten: boolean },
): Promise<boolean> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(`${LOG_FOLDER}/`, logKey(chain.last - 1))) keys.push(key);
  for (const key of keys) {
    const number = entryNumber(key) ?? 0;
    // Before this holder's first beat, a beat with the same number may belong to another holder, who began after
    // somebody removed an entry by hand.
    const isBeat = key === logKey(chain.first, 'beat');
    if (number < chain.last || key === logKey(chain.last) || (isBeat && chain.hasBeaten)) continue;
    // A beat with another number is another holder's. A later entry may be this holder's: the response may have been
    // lost.
    if ((key !== logKey(number) && !isBeat) || readToken((await bucket.read(key))?.body) !== token)
      return false;
    chain.last = number;
  }
  return keys.includes(logKey(chain.last));
}

function createWrite(
  bucket: Bucket,
  host: Machine,
  isExclusive: boolean,
  token: string,
  observe: BucketClock['observe'],
) {
  const replace = (key: string, body: Buffer, at = host.instant()) =>
    observe(() => bucket.limited(limitOf(host, at, token)).write(key, body, CONTROL_OBJECT_HEADERS));
  return {
    replace,
    /** Returns undefined if the object now has the bytes of `body`; otherwise its bytes: none if it was removed. */
    async create(key: string, body: Buffer, at = host.instant()): Promise<Buffer | undefined> {
      try {
        if (isExclusive)
          await observe(() => writeIfAbsent(bucket.limited(limitOf(host, at, token)), key, body));
        else await replace(key, body, at);
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        // The response to an earlier attempt may have been lost.
        const present = (await observe(() => bucket.read(key)))?.body ?? Buffer.of();
        return present.equals(body) ? undefined : present;
      }
    },
    async isAccepted(key: string, body: Buffer): Promise<boolean> {
      try {
        await writeIfAbsent(bucket, key, body);
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
  };
}

function limitOf(host: Machine, since: Instant, holder: string): LockLimit {
  const remaining = () => SIGNATURE_LIFETIME - elapsedAtMost(host, since);
  return {
    holder,
    remaining,
    signal: NEVER_ABORTED,
    async ready() {
      if (remaining() >= MIN_REMAINING_TIME) return;
      throw new BucketError(
        'bucket-unreachable',
        'The lock could not be confirmed in time. Check the network, then run the command again.',
        true,
      );
    },
    unsettled() {},
  };
}
