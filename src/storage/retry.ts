/** A bucket decorator that retries transient failures. */
import { type BackoffOptions, backOff } from './backoff.ts';
import {
  type Bucket,
  BucketError,
  ConditionFailed,
  type Limit,
  RequestExpired,
  type StoredObject,
  type Written,
} from './bucket.ts';

export type RetryOptions = BackoffOptions & {
  /** Attempts of one request, including the first. @default 7 */
  readonly attempts?: number | undefined;
};

/** Retries the requests of a bucket that fail transiently. */
export function withRetry(bucket: Bucket, options: RetryOptions = {}): Bucket {
  /** Sends a request without side effects. */
  const ask = <T>(limit: Limit | undefined, request: () => Promise<T>): Promise<T> =>
    send(options, limit, request);
  /** Sends a write or a removal, and reports each attempt whose outcome is unknown. */
  const change = <T>(limit: Limit | undefined, request: (attempt: number) => Promise<T>): Promise<T> =>
    send(options, limit, request, (error) => {
      if (isUnknown(error)) limit?.unsettled();
    });
  return {
    ...bucket,
    read: (key, limit) => ask(limit, () => bucket.read(key, limit)),
    readLarge:
      bucket.readLarge &&
      (async (key, limit) => {
        const large = await ask(limit, () => bucket.readLarge!(key, limit));
        return large && { size: large.size, read: (from, to) => ask(limit, () => large.read(from, to)) };
      }),
    inspect: (key, limit) => ask(limit, () => bucket.inspect(key, limit)),
    list: (prefix, after, limit) => listOn(bucket, options, prefix, after, limit),
    write: (...args) => change(args[4], (attempt) => writeOnce(bucket, attempt, args)),
    remove: (keys, limit) => change(limit, () => bucket.remove(keys, limit)),
  };
}

/** Sends a request until it succeeds. @param onFailure receives the error of each failed attempt. */
export async function send<T>(
  options: RetryOptions,
  limit: Limit | undefined,
  request: (attempt: number) => Promise<T>,
  onFailure: (error: unknown) => void = () => {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    await limit?.ready();
    try {
      return await request(attempt);
    } catch (error) {
      onFailure(error);
      await nextAttempt(error, attempt, options);
    }
  }
}

/** Lists; after a failure, resumes behind the last key received. */
async function* listOn(
  bucket: Bucket,
  options: RetryOptions,
  prefix: string,
  after: string | undefined,
  limit: Limit | undefined,
): ReturnType<Bucket['list']> {
  let last = after;
  for (let attempt = 1; ; attempt++) {
    await limit?.ready();
    try {
      for await (const object of bucket.list(prefix, last, limit)) {
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

/** Writes; an earlier attempt may have taken effect although its answer was lost. */
async function writeOnce(bucket: Bucket, attempt: number, args: Parameters<Bucket['write']>) {
  const [key, body, , , limit] = args;
  try {
    return await bucket.write(...args);
  } catch (error) {
    if (attempt === 1) throw error;
    return settle(error, body, () => bucket.read(key, limit));
  }
}

/**
 * Recognises a write that took effect although the store reports a failed condition: the object has these very bytes.
 * The answer to an earlier attempt was lost, or a proxy sent the request twice and passed on the second answer.
 *
 * @throws the error when the object has other bytes.
 */
export async function settle(
  error: unknown,
  body: Buffer,
  read: () => Promise<StoredObject | undefined>,
): Promise<Written> {
  const present = error instanceof ConditionFailed ? await read() : undefined;
  if (!present?.body.equals(body)) throw error;
  return { tag: present.tag, time: present.modified ?? present.time };
}

/** Waits before the next attempt. @throws the error after the last attempt. */
async function nextAttempt(error: unknown, attempt: number, options: RetryOptions): Promise<void> {
  const { attempts = 7 } = options;
  if (!(error instanceof BucketError) || !error.isTransient || attempt >= attempts) throw error;
  await backOff(attempt, options);
}

/** Tells whether a request that failed with this error may have taken effect, or still may. */
export function isUnknown(error: unknown): boolean {
  return error instanceof BucketError && error.isTransient && !(error instanceof RequestExpired);
}
