import { type BackoffOptions, backOff } from './backoff.ts';
import { PART_SIZE, PARTS_IN_FLIGHT } from './body.ts';
import {
  type Bucket,
  BucketError,
  ConditionFailed,
  type LockLimit,
  RequestExpired,
  type StoredObject,
  type WriteResult,
} from './bucket.ts';
import { isLogKey } from './lock-log.ts';
import type { Pace } from './pace.ts';

export type RetryOptions = BackoffOptions & {
  /** Maximum attempts of one request, including the first. @default 7 */
  readonly attempts?: number | undefined;
  /** Each attempt waits until this pace lets it start. @default no waiting */
  readonly pace?: Pace | undefined;
  /**
   * Every attempt waits for `limit.ready()` before it is sent. This does not make requests expire:
   * {@link Bucket.limited} does.
   * @default no waiting
   */
  readonly limit?: LockLimit | undefined;
};

export function withRetry(bucket: Bucket, options: RetryOptions = {}): Bucket {
  const { pace } = options;
  const carry: Pace['carry'] = pace?.carry ?? ((_bytes, work) => work());
  // Requests for the log do not wait for a turn: during the wait, the holder's permission to send could expire.
  const atOnce = { ...options, pace: undefined };
  const optionsFor = (key?: string) => (key && isLogKey(key) ? atOnce : options);
  const ask = <T>(request: () => Promise<T>, key?: string): Promise<T> =>
    sendWithRetry(optionsFor(key), request);
  return {
    ...bucket,
    pace,
    limited: (limit) => withRetry(bucket.limited(limit), { ...options, limit }),
    within: bucket.within && ((prefix) => withRetry(bucket.within!(prefix), options)),
    read: (key) => ask(() => bucket.read(key), key),
    readLarge:
      bucket.readLarge &&
      (async (key) => {
        const large = await ask(() => bucket.readLarge!(key));
        return large && { size: large.size, read: (from, to) => ask(() => large.read(from, to)) };
      }),
    inspect: (key) => ask(() => bucket.inspect(key)),
    list: (prefix, after) => listOn(bucket, options, prefix, after),
    write: (...args) => {
      const [key, body] = args;
      const write = (attempt: number) => writeOnce(bucket, attempt, args);
      return carry(body.length, () => sendChange(optionsFor(key), write));
    },
    writeLarge:
      bucket.writeLarge &&
      ((...args) => carry(PARTS_IN_FLIGHT * PART_SIZE, () => bucket.writeLarge!(...args))),
    remove: (keys) => sendChange(options, () => bucket.remove(keys)),
  };
}

/** For a write or removal. Calls `limit.unsettled()` after each attempt whose outcome is unknown. */
export function sendChange<T>(options: RetryOptions, request: (attempt: number) => Promise<T>): Promise<T> {
  return sendWithRetry(options, request, (error) => {
    if (isOutcomeUnknown(error)) options.limit?.unsettled();
  });
}

/** Retries transient failures, with at most `options.attempts` attempts. `onFailure` receives each attempt's error. */
export async function sendWithRetry<T>(
  options: RetryOptions,
  request: (attempt: number) => Promise<T>,
  onFailure: (error: unknown) => void = () => {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const done = await options.pace?.turn();
    await options.limit?.ready();
    try {
      const result = await request(attempt);
      done?.();
      return result;
    } catch (error) {
      done?.(error);
      onFailure(error);
      await nextAttempt(error, attempt, options);
    }
  }
}

async function* listOn(
  bucket: Bucket,
  options: RetryOptions,
  prefix: string,
  after: string | undefined,
): ReturnType<Bucket['list']> {
  let last = after;
  for (let attempt = 1; ; attempt++) {
    await options.limit?.ready();
    try {
      for await (const object of bucket.list(prefix, last)) {
        yield object;
        last = object.key;
        attempt = 1;
      }
      return;
    } catch (error) {
      await nextAttempt(error, attempt, options);
    }
  }
}

/** If a retry fails, an earlier attempt may have taken effect although its response was lost. */
async function writeOnce(bucket: Bucket, attempt: number, args: Parameters<Bucket['write']>) {
  const [key, body] = args;
  try {
    return await bucket.write(...args);
  } catch (error) {
    if (attempt === 1) throw error;
    return confirmWriteAfterError(error, body, () => bucket.read(key));
  }
}

/**
 * Turns a failed condition into success if the object has exactly the bytes of `body`: the first response was lost, or
 * a proxy sent the request twice. @throws `error` in all other cases
 */
export async function confirmWriteAfterError(
  error: unknown,
  body: Buffer,
  read: () => Promise<StoredObject | undefined>,
): Promise<WriteResult> {
  const present = error instanceof ConditionFailed ? await read() : undefined;
  if (!present?.body.equals(body)) throw error;
  return { tag: present.tag, time: present.modified ?? present.time };
}

async function nextAttempt(error: unknown, attempt: number, options: RetryOptions): Promise<void> {
  const { attempts = 7 } = options;
  if (!(error instanceof BucketError) || !error.isTransient || attempt >= attempts) throw error;
  await backOff(attempt, options);
}

function isOutcomeUnknown(error: unknown): boolean {
  return error instanceof BucketError && error.isTransient && !(error instanceof RequestExpired);
}
