/**
 * A store in memory with exactly the guarantees of a real one: a write happens whole, its condition is checked when it
 * takes effect, and a request that was signed to expire is refused afterwards by the clock of the store. Between a
 * process and the store, requests and answers are late, lost, or doubled.
 */
import {
  type Bucket,
  BucketError,
  type Condition,
  ConditionFailed,
  type Limit,
  MIN_REMAINING,
  RequestExpired,
  tagOf,
} from '../../src/storage/bucket.ts';
import { LOCK_KEY } from '../../src/storage/reserved-keys.ts';
import type { RetryOptions } from '../../src/storage/retry.ts';
import { type Reach, type Uploads, withParts } from './parts.ts';
import type { Process, World } from './world.ts';

export type Stored = { readonly body: Buffer; readonly tag: string; readonly modified: number };

/** A change of the store. */
export type Effect = {
  readonly process: Process;
  readonly key: string;
  readonly before: Stored | undefined;
  /** Undefined when it was removed. */
  readonly after: Stored | undefined;
  /** The limit of the request; undefined when it had none. */
  readonly holder: string | undefined;
  readonly isConditional: boolean;
};

/** The frequency of each fault, from 0 to 1 of the requests. */
export type Faults = {
  readonly lost: number;
  readonly unanswered: number;
  readonly late: number;
  readonly doubled: number;
  /** Sent twice by a proxy, which passes on the answer to the second. */
  readonly repeated: number;
  readonly refused: number;
  readonly paused: number;
  readonly killed: number;
  /** The process dies at a request for a key with this ending. */
  readonly killedAt?: string | undefined;
  /** Its first request for a key with this ending is late. */
  readonly lateAt?: string | undefined;
  /** No request reaches the store between these two times. */
  readonly outage?: { readonly from: number; readonly to: number } | undefined;
  /** Milliseconds for which no request of the process reaches the store after it has written the lease. */
  readonly cut?: number | undefined;
};

export const NO_FAULTS: Faults = {
  lost: 0,
  unanswered: 0,
  late: 0,
  doubled: 0,
  repeated: 0,
  refused: 0,
  paused: 0,
  killed: 0,
};

export type Store = {
  readonly objects: Map<string, Stored>;
  /** Opens it for a process. @param retry the settings for large objects, sent in parts; absent: none are. */
  readonly open: (process: Process, faults: Faults, retry?: RetryOptions) => Bucket;
  /** The store's time. */
  readonly time: () => number;
  /** Milliseconds by which that is ahead of true time. */
  readonly skew: number;
};

/** Milliseconds after which a client gives up. */
const PATIENCE = 12_000;
/** Milliseconds within which an answered request may be carried out twice. */
const DOUBLE = 5;
/** Milliseconds by which a write may take effect after its check. */
const BODY = 3000;

/**
 * @param kind `expiring`: as S3, with expiring signatures. `fenced`: as a folder, where requests are neither late nor
 *   lost, and a fence refuses those of earlier holders.
 */
export function createStore(
  world: World,
  kind: 'expiring' | 'fenced',
  skew: number,
  onEffect: (effect: Effect) => void,
  onRequest: (holder: string) => void,
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
  const time = () => world.now() + skew;
  const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000) * 1000;
  let fences: string[] = [];

  const open = (process: Process, faults: Faults, retry?: RetryOptions): Bucket => {
    let clock: { time: number; monotonic: number } | undefined;
    /** The time at which it first wrote the lease. */
    let leased = Number.POSITIVE_INFINITY;
    /** Whether the request that shall be late has been made. */
    let wasLate = false;
    const heard = () => {
      clock = { time: seconds(time()), monotonic: process.host.instant().monotonic };
    };
    /** The time at which the store refuses a request that is sent now. */
    const expiryOf = (limit: Limit | undefined): number => {
      if (!limit) return Number.POSITIVE_INFINITY;
      const remaining = limit.remaining();
      if (limit.signal.aborted || remaining < MIN_REMAINING) throw new RequestExpired('store');
      if (kind === 'fenced') return Number.POSITIVE_INFINITY;
      const known = clock ? clock.time + process.host.instant().monotonic - clock.monotonic : time();
      return seconds(known) + seconds(remaining);
    };

    const request = <T>(limit: Limit | undefined, changes: boolean, work: () => T, key = ''): Promise<T> =>
      new Promise<T>((fulfil, fail) => {
        let isSettled = false;
        const resolve = (value: T) => {
          isSettled = true;
          fulfil(value);
        };
        const reject = (error: unknown) => {
          if (isSettled) return false;
          isSettled = true;
          fail(error);
          return true;
        };
        const expiry = expiryOf(limit);
        const holder = key === LOCK_KEY ? undefined : limit?.holder;
        if (holder !== undefined) onRequest(holder);
        const busy = (text: string) => new BucketError('bucket-busy', text, true);
        const isAt = changes && faults.killedAt !== undefined && key.endsWith(faults.killedAt);
        if (isAt || random.chance(faults.killed)) process.isDead = true;
        const isPaused = random.chance(faults.paused);
        const length = isPaused ? random.pick([2000, 20_000, 45_000, 70_000, 200_000]) : 0;
        // A process is stopped before its request leaves, or while it is on the way.
        const isHeld = isPaused && random.chance(0.5);
        if (isPaused) process.pause(length, random.chance(0.2));
        const isNetwork = kind === 'expiring';
        const { from = 0, to = 0 } = faults.outage ?? {};
        const isWithin = (start: number, end: number) => world.now() >= start && world.now() < end;
        const isCut = isNetwork && (isWithin(from, to) || isWithin(leased, leased + (faults.cut ?? 0)));
        const isLost = isNetwork && (isCut || random.chance(faults.lost));
        const isUnanswered = isNetwork && random.chance(faults.unanswered);
        const isRefused = isNetwork && random.chance(faults.refused);
        const isRepeated = isNetwork && faults.repeated > 0 && random.chance(faults.repeated);
        const isFirst = changes && !wasLate && faults.lateAt !== undefined && key.endsWith(faults.lateAt);
        wasLate ||= isFirst;
        const isLate = isNetwork && (isFirst || random.chance(faults.late));
        const travel = () => 1 + random.below(isNetwork ? 40 : 2);
        const away = isLate
          ? random.pick([3000, 8000, 14_000, 20_000, 29_000, 34_000, 65_000]) + random.below(1000)
          : travel();
        if (process.isDead && random.chance(0.5)) return;

        const judged = (): (() => unknown) | undefined => {
          if (isRefused) return () => reject(busy('the store is busy'));
          if (kind === 'fenced' && holder !== undefined && !fences.includes(holder))
            return () => reject(new RequestExpired('store'));
          if (time() > expiry) return () => reject(new RequestExpired('store'));
          return undefined;
        };
        // The effects in a store are unseen before it answers.
        const take = (isAnswered: boolean): false => {
          const refusal = judged();
          const answer = (settle: () => unknown) => {
            if (!isAnswered || isUnanswered) return;
            process.later(DOUBLE + travel(), () => {
              heard();
              return settle();
            });
          };
          if (refusal) {
            answer(refusal);
            return false;
          }
          const carryOut = (): false => {
            try {
              const result = work();
              answer(() => resolve(result));
            } catch (error) {
              answer(() => reject(error));
            }
            return false;
          };
          // The rest of a body may arrive after the check of its headers; that of a copy, not after the answer.
          if (changes && isNetwork && (isAnswered || isUnanswered) && random.chance(0.03))
            world.at(world.now() + random.below(BODY), carryOut);
          else carryOut();
          return false;
        };
        const arrival = world.now() + (isHeld ? length : 0) + away;
        if (!isLost) world.at(arrival, () => take(!isRepeated));
        if (!isLost && isRepeated) world.at(arrival + DOUBLE, () => take(true));
        if (!isLost && isNetwork && random.chance(faults.doubled))
          // An answered request is not carried out again.
          world.at(arrival + (isUnanswered ? random.pick([10, 5000, 32_000]) : random.below(DOUBLE)), () =>
            take(false),
          );
        if (isNetwork) {
          const giveUp = () => reject(new BucketError('bucket-unreachable', 'no answer', true));
          if (isCut || ((isLost || isUnanswered || isLate) && random.chance(0.5))) process.later(30, giveUp);
          else process.later(PATIENCE, giveUp);
        }
      });

    const put = (
      key: string,
      body: Buffer,
      condition: Condition | undefined,
      holder: string | undefined,
      tag = tagOf(body),
    ) => {
      const before = objects.get(key);
      if (condition && before?.tag !== ('absent' in condition ? undefined : condition.tag))
        throw new ConditionFailed(key);
      const after = { body, tag, modified: time() };
      objects.set(key, after);
      if (key === LOCK_KEY) leased = Math.min(leased, world.now());
      onEffect({
        process,
        key,
        before,
        after,
        holder,
        isConditional: condition !== undefined,
      });
      return { tag: after.tag, time: new Date(seconds(time())) };
    };

    const bucket: Bucket = {
      name: 'memory',
      read: (key, limit) =>
        request(
          limit,
          false,
          () => {
            const object = objects.get(key);
            const found = object && { body: object.body, tag: object.tag };
            return (
              found && {
                ...found,
                modified: new Date(seconds(object.modified)),
                time: new Date(seconds(time())),
              }
            );
          },
          key,
        ),
      inspect: (key, limit) =>
        request(limit, false, () => {
          const object = objects.get(key);
          return (
            object && {
              tag: object.tag,
              size: object.body.length,
              modified: new Date(seconds(object.modified)),
              headers: undefined,
            }
          );
        }),
      write(key, body, _headers, condition, limit) {
        // A holder that raises its fence again gets another name.
        const holder = limit?.holder;
        return request(limit, true, () => put(key, body, condition, holder), key);
      },
      async *list(prefix, after = '', limit) {
        const found = await request(limit, false, () =>
          [...objects]
            .filter(([key]) => key.startsWith(prefix) && key > after)
            .sort(([one], [other]) => (one < other ? -1 : 1))
            .map(([key, { body, tag, modified }]) => ({
              key,
              tag,
              size: body.length,
              modified: new Date(seconds(modified)),
            })),
        );
        yield* found;
      },
      remove(keys, limit) {
        const holder = limit?.holder;
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
              holder,
              isConditional: false,
            });
          }
        });
      },
      ...(kind === 'fenced'
        ? {
            fence: (holder: string) =>
              request(undefined, true, () => {
                fences = [holder];
              }),
          }
        : {}),
    };
    if (!retry || kind === 'fenced') return bucket;
    const reach: Reach = {
      uploads,
      begin,
      inspect: bucket.inspect,
      put: (key, body, limit, tag) => void put(key, body, undefined, limit?.holder, tag),
      send: request,
    };
    return { ...bucket, ...withParts(reach, retry) };
  };
  return { objects, open, time, skew };
}
