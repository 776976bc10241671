/**
 * A store in memory with exactly the guarantees of a real one: writes are atomic, a condition is checked when the write
 * takes effect, and the store's clock refuses requests whose signature has expired. On the way, requests and responses
 * are late, lost or duplicated.
 */
import {
  type Bucket,
  BucketError,
  ConditionFailed,
  etagOf,
  type ListedObject,
  type LockLimit,
  MIN_REMAINING_TIME,
  type ObjectHeaders,
  type RemoveResult,
  RequestExpired,
  type WriteCondition,
} from '../../src/storage/bucket.ts';
import { createStoreClock } from '../../src/storage/http/clock.ts';
import { isLogKey } from '../../src/storage/lock-log.ts';
import type { RetryOptions } from '../../src/storage/retrying-bucket.ts';
import { type Reach, type Uploads, withParts } from './parts.ts';
import type { Random } from './random.ts';
import type { Pause, Process, World } from './world.ts';

export type Stored = {
  readonly body: Buffer;
  readonly tag: string;
  readonly modified: number;
  readonly headers?: ObjectHeaders | undefined;
};

export type Effect = {
  readonly process: Process;
  readonly key: string;
  readonly before: Stored | undefined;
  /** Undefined if it was removed. */
  readonly after: Stored | undefined;
  readonly isConditional: boolean;
};

/** Probability of each fault per request, from 0 to 1. */
export type Faults = {
  readonly lost: number;
  readonly unanswered: number;
  readonly late: number;
  readonly doubled: number;
  /** A proxy sends the request twice and passes on the second response. */
  readonly repeated: number;
  /**
   * Arrives when it has expired, as late as the store may still accept it, and takes effect as late as is assumed. Only
   * for changes by a holder of the lock.
   */
  readonly expired: number;
  /** Requests that complete a large object: the response is an error, and the object appears later anyway. */
  readonly joined: number;
  readonly refused: number;
  readonly paused: number;
  readonly killed: number;
  /** The process dies at a request for a key with this ending. */
  readonly killedAt?: string | undefined;
  /** The process dies at this request, counted from 1. */
  readonly killedAfter?: number | undefined;
  /** Its first request for a key with this ending is late. */
  readonly lateAt?: string | undefined;
  /** No request reaches the store between these times. */
  readonly outage?: { readonly from: number; readonly to: number } | undefined;
  /** Milliseconds for which no request reaches the store after the process has written to the log. */
  readonly cut?: number | undefined;
};

export const NO_FAULTS: Faults = {
  lost: 0,
  unanswered: 0,
  late: 0,
  doubled: 0,
  repeated: 0,
  expired: 0,
  joined: 0.15,
  refused: 0,
  paused: 0,
  killed: 0,
};

export type Store = {
  readonly objects: Map<string, Stored>;
  /** @param retry settings for multipart uploads. @default large objects are not supported */
  readonly open: (process: Process, faults: Faults, retry?: RetryOptions) => Bucket;
  /** By the store's clock. */
  readonly time: () => number;
  /** Milliseconds by which the store's clock is ahead of true time, before it is set back. */
  readonly skew: number;
  /** At a time of the world, sets the store's clock back by `milliseconds`. No process is frozen in such a schedule. */
  readonly setBackAt: (time: number, milliseconds: () => number) => void;
  /** Milliseconds by which the clock was set back. */
  readonly behind: () => number;
};

/** Stands for the key of a request that raises the fence. */
export const FENCE = 'fence';

/** Milliseconds until a client gives up. */
const PATIENCE = 12_000;
/** Milliseconds within which an answered request may be carried out twice. */
const DOUBLE = 5;
/** Milliseconds by which a write may take effect after its check, and by which a check may be late. */
const BODY = 4900;
const JUDGED_LATE = 4900;
/** Milliseconds for which a process stops. */
const PAUSES = [2000, 20_000, 45_000, 70_000, 200_000];
/** Milliseconds until a late request arrives; and until a copy of an unanswered request does. */
const DELAYS = [3000, 8000, 14_000, 20_000, 29_000, 34_000, 65_000];
const COPIES = [10, 5000, 32_000];

const archives = new Map<string, Buffer>();

/** Equal archives are the same buffer in all schedules, so that results computed from it are cached. */
function shared(key: string, body: Buffer, tag: string): Buffer {
  if (!key.endsWith('.gz')) return body;
  const known = archives.get(tag);
  if (!known) archives.set(tag, body);
  return known ?? body;
}

/**
 * Assumption: no store's clock is set back while a virtual machine is paused. Only the store's clock shows such a pause.
 */
function pauseOf(random: Random, isSetBack: boolean): Pause {
  const share = random.next();
  return share < 0.2 ? 'suspended' : share < 0.35 && !isSetBack ? 'frozen' : 'stopped';
}

async function* yielded<T>(items: Promise<readonly T[]>): AsyncGenerator<T> {
  yield* await items;
}

/**
 * @param kind `expiring`: as S3, with expiring signatures. `fenced`: as a folder, where requests are neither late nor
 * lost, and a fence rejects those of earlier holders
 */
export function createStore(
  world: World,
  kind: 'expiring' | 'fenced',
  skew: number,
  onEffect: (effect: Effect) => void,
  onRequest: (process: Process, key: string) => void,
): Store {
  const { random } = world;
  const objects = new Map<string, Stored>();
  const uploads: Uploads = new Map();
  let begun = 0;
  const begin = (key: string) => {
    const id = `upload-${begun++}`;
    uploads.set(id, { key, parts: new Map() });
    return id;
  };
  let behind = 0;
  let isSetBack = false;
  const time = () => world.now() + skew - behind;
  const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000) * 1000;
  const isNetwork = kind === 'expiring';
  const travel = () => 1 + random.below(isNetwork ? 40 : 2);
  /** How late a request is; at an edge, mostly as late as possible. */
  const upTo = (most: number, isEdge: boolean) => (isEdge && random.chance(0.8) ? most : random.below(most));
  const fences: string[] = [];

  const open = (process: Process, faults: Faults, retry?: RetryOptions): Bucket => {
    const clock = createStoreClock(() => process.host.instant().monotonic);
    /** How far back the process has seen the store's clock being set. */
    let seen = behind;
    /** The present effect is already late. */
    let isSlow = false;
    /** When the process first wrote to the log. */
    let locked = Number.POSITIVE_INFINITY;
    let requests = 0;
    /** The request that `lateAt` delays has been sent. */
    let wasLate = false;
    const isOut = (now: number) =>
      faults.outage !== undefined && now >= faults.outage.from && now < faults.outage.to;
    const heard = () => {
      clock.learn(new Date(seconds(time())));
      seen = behind;
    };
    /** When the store starts to refuse a request that is sent now. */
    const expiryOf = (limit: LockLimit | undefined): number => {
      if (!limit) return Number.POSITIVE_INFINITY;
      const signed = clock.now() ?? time();
      const remaining = limit.remaining(isNetwork ? signed : undefined);
      if (limit.signal.aborted || remaining < MIN_REMAINING_TIME) throw new RequestExpired('store');
      if (kind === 'fenced') return Number.POSITIVE_INFINITY;
      return seconds(signed + remaining);
    };

    const request = <T>(
      limit: LockLimit | undefined,
      changes: boolean,
      work: () => T | ConditionFailed,
      key = '',
    ): Promise<T> =>
      new Promise<T>((fulfil, fail) => {
        const expiry = expiryOf(limit);
        const signedBehind = seen;
        const holder = isLogKey(key) ? undefined : limit?.holder;
        onRequest(process, key);
        const isAt = changes && faults.killedAt !== undefined && key.endsWith(faults.killedAt);
        if (isAt || ++requests === faults.killedAfter || random.chance(faults.killed)) process.isDead = true;
        const isPaused = random.chance(faults.paused);
        const length = isPaused ? random.pick(PAUSES) : 0;
        // The process stops before its request leaves, or while the request is on its way.
        const isHeld = isPaused && random.chance(0.5);
        if (isPaused) process.pause(length, pauseOf(random, isSetBack));
        const now = world.now();
        const isCut = isNetwork && (isOut(now) || (now >= locked && now < locked + (faults.cut ?? 0)));
        const isLost = isNetwork && (isCut || random.chance(faults.lost));
        const isUnanswered = isNetwork && random.chance(faults.unanswered);
        const isRefused = isNetwork && random.chance(faults.refused);
        const isRepeated = isNetwork && faults.repeated > 0 && random.chance(faults.repeated);
        const isFirst = changes && !wasLate && faults.lateAt !== undefined && key.endsWith(faults.lateAt);
        wasLate ||= isFirst;
        const isLate = isNetwork && (isFirst || random.chance(faults.late));
        const isExpired =
          holder !== undefined && changes && faults.expired > 0 && random.chance(faults.expired);
        let away = isLate ? random.pick(DELAYS) + random.below(1000) : travel();
        if (isExpired) away = expiry - (time() + behind - signedBehind) + upTo(JUDGED_LATE, isExpired);
        if (process.isDead && random.chance(0.5)) return;

        let isWaiting = true;
        let cancel = () => {};
        /** The process receives the result, unless it gave up. */
        const settle = (error: unknown, result?: T) => {
          if (!isWaiting) return false;
          isWaiting = false;
          cancel();
          if (error) fail(error);
          else fulfil(result as T);
          return true;
        };
        const answer = (error: unknown, result?: T) => {
          if (isUnanswered) return;
          process.later(DOUBLE + travel(), () => {
            heard();
            return settle(error, result);
          });
        };
        const refusal = () => {
          if (isRefused) return new BucketError('bucket-busy', 'the store is busy', true);
          const isFenced = kind === 'fenced' && holder !== undefined && !fences.includes(holder);
          // Assumption: setting the clock back does not prolong requests that were signed before the process could see
          // it.
          const late = isExpired ? JUDGED_LATE : random.chance(0.03) ? random.below(JUDGED_LATE) : 0;
          const judged = time() + behind - signedBehind - late;
          return isFenced || judged > expiry ? new RequestExpired('store') : undefined;
        };
        const carryOut = (isAnswered: boolean): false => {
          try {
            const result = work();
            if (!isAnswered) return false;
            if (result instanceof ConditionFailed) answer(result);
            else answer(undefined, result);
          } catch (error) {
            if (isAnswered) answer(error);
          }
          return false;
        };
        // Effects are invisible until the store responds.
        const take = (isAnswered: boolean): false => {
          const error = refusal();
          if (error && isAnswered) answer(error);
          if (error) return false;
          // The rest of a body may arrive after the check of its headers. That of a copy never arrives after the
          // response.
          if (changes && isNetwork && (isAnswered || isUnanswered) && (isExpired || random.chance(0.03)))
            world.at(world.now() + upTo(BODY, isExpired), () => {
              isSlow = true;
              carryOut(isAnswered);
              isSlow = false;
              return false;
            });
          else carryOut(isAnswered);
          return false;
        };
        const arrival = now + (isHeld ? length : 0) + away;
        if (!isLost) world.at(arrival, () => take(!isRepeated));
        if (!isLost && isRepeated) world.at(arrival + DOUBLE, () => take(true));
        if (!isLost && isNetwork && random.chance(faults.doubled))
          // An answered request is not carried out again much later.
          world.at(arrival + (isUnanswered ? random.pick(COPIES) : random.below(DOUBLE)), () => take(false));
        if (isNetwork) {
          const isShort = isCut || ((isLost || isUnanswered || isLate || isExpired) && random.chance(0.5));
          cancel = process.later(isShort ? 30 : PATIENCE, () =>
            settle(new BucketError('bucket-unreachable', 'no answer', true)),
          );
        }
      });

    const listed = (prefix: string, after: string) => {
      const keys: string[] = [];
      for (const key of objects.keys()) if (key.startsWith(prefix) && key > after) keys.push(key);
      return keys.sort().map((key): ListedObject => {
        const { body, tag, modified } = objects.get(key)!;
        return { key, tag, size: body.length, modified: new Date(seconds(modified)) };
      });
    };
    const put = (
      key: string,
      body: Buffer,
      condition: WriteCondition | undefined,
      headers?: ObjectHeaders,
      given?: string,
    ) => {
      const before = objects.get(key);
      if (condition && before) return new ConditionFailed(key);
      const tag = given ?? etagOf(body);
      const after = { body: shared(key, body, tag), tag, modified: time(), headers };
      objects.set(key, after);
      if (isLogKey(key)) locked = Math.min(locked, world.now());
      onEffect({
        process,
        key,
        before,
        after,
        isConditional: condition !== undefined,
      });
      return { tag: after.tag, time: new Date(seconds(time())) };
    };

    const bucketWith = (limit?: LockLimit): Bucket => {
      const bucket: Bucket = {
        name: 'memory',
        limited: bucketWith,
        read: (key) =>
          request(
            limit,
            false,
            () => {
              const object = objects.get(key);
              if (!object) return undefined;
              const { body, tag, modified } = object;
              return { body, tag, modified: new Date(seconds(modified)), time: new Date(seconds(time())) };
            },
            key,
          ),
        inspect: (key) =>
          request(limit, false, () => {
            const object = objects.get(key);
            return (
              object && {
                tag: object.tag,
                size: object.body.length,
                modified: new Date(seconds(object.modified)),
                headers: object.headers,
              }
            );
          }),
        write: (key, body, headers, condition) =>
          request(limit, true, () => put(key, body, condition, headers), key),
        list: (prefix, after = '') => yielded(request(limit, false, () => listed(prefix, after), prefix)),
        async remove(keys) {
          // A folder removes one key after the other.
          if (kind === 'fenced' && keys.length > 1) {
            let last: RemoveResult = {};
            for (const key of keys) last = await bucket.remove([key]);
            return last;
          }
          return request(limit, true, () => {
            for (const key of keys) {
              const before = objects.get(key);
              if (!before) continue;
              objects.delete(key);
              onEffect({
                process,
                key,
                before,
                after: undefined,
                isConditional: false,
              });
            }
            return { time: new Date(seconds(time())) };
          });
        },
        fence: isNetwork
          ? undefined
          : (holder) => request(undefined, true, () => void fences.splice(0, fences.length, holder), FENCE),
      };
      if (!retry || kind === 'fenced') return bucket;
      const reach: Reach = {
        uploads,
        begin,
        inspect: bucket.inspect,
        put: (key, body, tag) => void put(key, body, undefined, undefined, tag),
        postpone(work) {
          if (isSlow || !random.chance(faults.joined)) return false;
          world.at(world.now() + random.below(BODY), work);
          return true;
        },
        send: (changes, work, key) => request(limit, changes, work, key),
      };
      return { ...bucket, ...withParts(reach, { ...retry, limit }) };
    };
    return bucketWith();
  };
  const setBackAt: Store['setBackAt'] = (when, milliseconds) => {
    isSetBack = true;
    world.at(when, () => {
      behind += milliseconds();
    });
  };
  return { objects, open, time, skew, setBackAt, behind: () => behind };
}
