/** The entries and beats of one holder of the lock. */
import { LOG_FOLDER } from '../contract/object-keys.ts';
import { type Bucket, BucketError, ConditionFailed, type Limit } from './bucket.ts';
import {
  beatBytes,
  type Entry,
  entryBytes,
  type Log,
  logKey,
  noConditionalWrites,
  numberIn,
  type Remains,
  tokenIn,
  UNUSED,
  writeNew,
} from './log.ts';
import { elapsedAtMost, type Instant, type Machine } from './machine.ts';
import { CONTROL_HEADERS } from './reserved-keys.ts';

/** Milliseconds after its signature until which the store accepts a request. */
export const EXPIRY = 30_000;
/**
 * Milliseconds after a holder's last beat until none of its requests can take effect: 30 s for which it may send them, on
 * a clock that is a tenth slow; 3 s by which a signature may be dated ahead; EXPIRY; 5 s for a late check, and 5 s for a
 * late effect.
 */
export const QUIET = 80_000;
/** The same after the last signature. */
const LATE = 45_000;
/** Milliseconds. With fewer left, an entry or beat is not sent. */
const LEAST = 1000;

const NEVER = new AbortController().signal;

export type JournalOptions = {
  readonly owner: string;
  /** False for a store without conditional writes. */
  readonly isExclusive: boolean;
};

export type Journal = {
  readonly token: string;
  remains: Remains;
  /** A change was sent, and its outcome is unknown. */
  isUnsettled: boolean;
  /** When the last beat that counts was sent; undefined before the first. */
  readonly counted: () => Instant | undefined;
  /** Of the first entry, whose beat is the sign of life. */
  readonly number: () => number;
  /**
   * Begins after `log`, which was read at `at`. Returns false when another publisher was faster.
   * @throws UsageError `no-conditional-writes`
   */
  readonly take: (log: Log, remains: Remains, at: Instant) => Promise<boolean>;
  /**
   * Gives the first sign of life, and tests the store. Returns false when another publisher has taken the lock.
   * @throws UsageError `no-conditional-writes`
   */
  readonly confirm: () => Promise<boolean>;
  /** Returns false when another publisher has taken the lock. */
  readonly beat: () => Promise<boolean>;
  /** Requests of earlier holders cannot take effect any more. */
  readonly waited: () => void;
  /** Returns false when another publisher has taken the lock. */
  readonly append: (kind: Entry['kind']) => Promise<boolean>;
};

export type Clock = {
  /** The store's time, estimated low. */
  readonly time: () => Date;
  /** The store's time, estimated high: includes sleep, which `time` misses until the next response. */
  readonly latest: () => Date;
  /** Learns the store's time from the response: the monotonic clock stands still while the machine sleeps. */
  readonly observe: <T extends { readonly time?: Date | undefined } | undefined>(
    request: () => Promise<T>,
  ) => Promise<T>;
};

export function createJournal(
  bucket: Bucket,
  host: Machine,
  { owner, isExclusive }: JournalOptions,
  { observe, latest }: Clock,
): Journal {
  const token = host.unique();
  const since = new Date(host.instant().wall).toISOString();
  const own = { owner, token, since, ...(host.process && { process: host.process }) };
  const write = createWrite(bucket, host, isExclusive, token, observe);
  const chain = { first: 0, last: 0, ended: 0, quiet: null as string | null };
  let isWaiting = true;
  let hasBeaten = false;
  let beats = 0;
  let counted: Instant | undefined;
  const bytesOf = (kind: Entry['kind']) => {
    const { ended, quiet } = chain;
    return entryBytes({ kind, ...own, ended, quiet, ...journal.remains });
  };
  const beatAgain = (last: number) =>
    write.replace(logKey(chain.first, 'beat'), beatBytes(token, ++beats, last));
  const journal: Journal = {
    token,
    remains: UNUSED,
    isUnsettled: false,
    counted: () => counted,
    number: () => chain.first,
    async take(log, remains, at) {
      journal.remains = remains;
      const { ended = 0, quiet = null } = log.entry ?? {};
      const first = log.last + 1;
      Object.assign(chain, { first, last: first, ended, quiet });
      isWaiting = log.last === 0 || log.isHeld || quiet !== null;
      hasBeaten = false;
      beats = 0;
      return !(await write.create(logKey(first), bytesOf('begin'), at));
    },
    async confirm() {
      const beat = journal.beat();
      if (!isExclusive) return beat;
      // The same record in other bytes, so that a store that ignores the condition still has a readable one.
      const probe = Buffer.concat([bytesOf('begin'), Buffer.from('\n')]);
      const [isWritten, isFirst] = await Promise.all([write.isAccepted(logKey(chain.first), probe), beat]);
      if (isWritten) throw noConditionalWrites(bucket, 'a second write with If-None-Match: * was written');
      return isFirst;
    },
    /** First a sign of life, then the look for another holder: of two holders, one sees the other. */
    async beat() {
      const sent = host.instant();
      if (beats > 0) await beatAgain(chain.last);
      else if (await write.create(logKey(chain.first, 'beat'), beatBytes(token, ++beats, chain.last)))
        return false;
      hasBeaten = true;
      if (isExclusive && !(await isLast(bucket, token, chain))) return false;
      counted = sent;
      return true;
    },
    async append(kind) {
      // Should a person remove the new entry, the beat tells that it was there.
      if (kind === 'begin') await beatAgain(chain.last + 1);
      // A person may have removed the entry of another holder, whose number is not free.
      if (isExclusive && !(await isLast(bucket, token, chain, hasBeaten))) return false;
      for (;;) {
        const late = isWaiting ? QUIET : journal.isUnsettled ? LATE : 0;
        if (kind === 'end') chain.ended = chain.last + 1;
        if (kind === 'end' && late > 0) chain.quiet = new Date(latest().getTime() + late).toISOString();
        const present = await write.create(logKey(chain.last + 1), bytesOf(kind));
        // An earlier entry of this holder may have arrived late.
        if (present && tokenIn(present) !== token) return false;
        chain.last++;
        if (!present) return true;
      }
    },
    waited() {
      isWaiting = false;
      chain.quiet = null;
    },
  };
  return journal;
}

/**
 * Whether this holder's last entry is there, and is the last of all.
 * @param hasBeaten the beat under its number is its own. Otherwise a person may have removed its entry, and another holder
 * have begun under that number
 */
async function isLast(
  bucket: Bucket,
  token: string,
  chain: { readonly first: number; last: number },
  hasBeaten = true,
): Promise<boolean> {
  const keys: string[] = [];
  for await (const { key } of bucket.list(`${LOG_FOLDER}/`, logKey(chain.last - 1))) keys.push(key);
  for (const key of keys) {
    const number = numberIn(key) ?? 0;
    const isBeat = key === logKey(chain.first, 'beat');
    if (number < chain.last || key === logKey(chain.last) || (isBeat && hasBeaten)) continue;
    // Only another holder beats under another number. The answer to an entry of this holder may have been lost.
    if ((key !== logKey(number) && !isBeat) || tokenIn((await bucket.read(key))?.body) !== token)
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
  observe: Clock['observe'],
) {
  const replace = (key: string, body: Buffer, at = host.instant()) =>
    observe(() => bucket.limited(limitOf(host, at, token)).write(key, body, CONTROL_HEADERS));
  return {
    replace,
    /** Returns the present bytes if they are others: empty when the object is gone again. */
    async create(key: string, body: Buffer, at = host.instant()): Promise<Buffer | undefined> {
      try {
        if (isExclusive) await observe(() => writeNew(bucket.limited(limitOf(host, at, token)), key, body));
        else await replace(key, body, at);
        return undefined;
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
        // The answer to an earlier attempt may have been lost.
        const present = (await observe(() => bucket.read(key)))?.body ?? Buffer.of();
        return present.equals(body) ? undefined : present;
      }
    },
    async isAccepted(key: string, body: Buffer): Promise<boolean> {
      try {
        await writeNew(bucket, key, body);
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    },
  };
}

/** Limits one entry or beat: a later one would be worthless. */
function limitOf(host: Machine, since: Instant, holder: string): Limit {
  const remaining = () => EXPIRY - elapsedAtMost(host, since);
  return {
    holder,
    remaining,
    signal: NEVER,
    async ready() {
      if (remaining() >= LEAST) return;
      throw new BucketError('bucket-unreachable', 'The lock could not be confirmed in time.', true);
    },
    unsettled() {},
  };
}
