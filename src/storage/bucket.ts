import { hash } from 'node:crypto';
import type { StoredHeaders } from '../contract/headers.ts';
import { EnvironmentError } from '../errors/errors.ts';
import type { Pace } from './pace.ts';

export type ObjectHeaders = StoredHeaders & {
  /** `gzip` for compressed bytes, unless the content type is `application/gzip`: clients must not decode that. */
  readonly contentEncoding?: string;
};

/** The store checks that the key is unused at the moment when the write takes effect. */
export type WriteCondition = { readonly absent: true };

/**
 * Bounds the time for which a request may take effect. A publisher limits its requests by its lock
 * ({@link Bucket.limited}). A bucket guarantees that **no request takes effect after its limit**. For each attempt it
 *
 * 1. calls `remaining()` last, after waiting for a connection or a place in a queue. With less than
 *    {@link MIN_REMAINING_TIME} left (in a folder: with 0 or less), it sends nothing and throws {@link RequestExpired};
 * 2. makes the store refuse the request if it arrives later. An object store: the signature expires. It is dated by
 *    the *store's* clock, estimated low, so that a wrong local clock cannot extend it. A folder: see
 *    {@link Bucket.fence};
 * 3. calls `remaining()` again before each further chunk of a body, and ends the request if too little is left;
 * 4. closes the connection when the limit has passed (unless the lock has been renewed meanwhile), or at once when
 *    `signal` is aborted. The outcome is then unknown;
 * 5. throws {@link RequestExpired} when the store says "expired". The retry decorator calls `ready()` before each
 *    attempt.
 */
export type LockLimit = {
  /** Unique to this holder; safe in a file name. */
  readonly holder: string;
  /**
   * Milliseconds within which a request must take effect if it is sent now; at 0 or less, it must not be sent.
   * `storeTime`: the date in the request's signature, in milliseconds since 1970. Only given when a request is signed.
   */
  readonly remaining: (storeTime?: number) => number;
  /** Aborted when the lock is lost for good. */
  readonly signal: AbortSignal;
  /** Waits until a request may be sent. @throws EnvironmentError `lock-lost` when the lock is lost for good */
  readonly ready: () => Promise<void>;
  /** Reports an attempt whose outcome is unknown: it may have taken effect, or may still do so until its limit. */
  readonly unsettled: () => void;
};

/** A signed request is sent only if at least this many milliseconds remain: signatures expire at whole seconds. */
export const MIN_REMAINING_TIME = 1000;

export type ListedObject = {
  readonly key: string;
  /** ETag (RFC 9110, 8.8.3). */
  readonly tag: string;
  readonly size: number;
  /** By the store's clock. */
  readonly modified: Date;
};

type ObjectInfo = Omit<ListedObject, 'key'> & {
  /** Undefined where the store keeps no headers. */
  readonly headers: Partial<ObjectHeaders> | undefined;
};

export type StoredObject = {
  readonly body: Buffer;
  readonly tag: string;
  /** By the store's clock; undefined if the store reports none. */
  readonly modified?: Date | undefined;
  /** When the store responded, by its clock; undefined if it reports no time. */
  readonly time?: Date | undefined;
};

/** A body that is too large for memory. Retries may read any range again. */
export type LargeBody = {
  readonly size: number;
  /** The end is exclusive. @throws when the object was replaced since it was opened */
  readonly read: (from: number, to: number) => Promise<Buffer>;
};

export type WriteResult = {
  readonly tag: string;
  /** Time of the write, or of the response, by the store's clock; undefined if the store gives none. */
  readonly time?: Date | undefined;
  /** True if nothing was written, since the object was there already. @default false */
  readonly wasPresent?: boolean | undefined;
};

export type RemoveResult = {
  /** The store's time after the last removal; undefined if nothing was removed, or the store reports no time. */
  readonly time?: Date | undefined;
};

/**
 * Objects by key (`contract/object-keys.ts`), without the bucket's prefix. Writes and removals have three outcomes:
 *
 * - *won*: the promise is fulfilled. The change took effect.
 * - *lost*: {@link ConditionFailed}, {@link RequestExpired}, or a {@link BucketError} that is not transient. The change
 *   never takes effect.
 * - *unknown*: any other transient {@link BucketError}, such as no response, 429 or 5xx. The change may have taken
 *   effect, or may still do so until its limit. The retry decorator settles a conditional write by reading the object:
 *   the same bytes mean *won*, whoever wrote them.
 *
 * Removals are unconditional, since few stores support conditions for them. So nobody removes an object that two
 * publishers may own. If a removal fails, whatever the error, some of its keys may have been removed.
 */
export type Bucket = {
  /** The address, for messages and reports: such as `s3://stays/live`, or `dir:` and the absolute path. */
  readonly name: string;
  /** Undefined for a bucket that is not reached over a network. */
  readonly pace?: Pace | undefined;
  /** Returns a bucket with the same objects. Its requests never take effect after the limit. */
  readonly limited: (limit: LockLimit) => Bucket;
  readonly read: (key: string) => Promise<StoredObject | undefined>;
  /** Undefined if the object is absent. The method is missing if the bucket has no ranged reads. */
  readonly readLarge?: ((key: string) => Promise<LargeBody | undefined>) | undefined;
  /** Metadata without the body; undefined when the object is absent. */
  readonly inspect: (key: string) => Promise<ObjectInfo | undefined>;
  /** Atomic. @throws ConditionFailed */
  readonly write: (
    key: string,
    body: Buffer,
    headers: ObjectHeaders,
    condition?: WriteCondition,
  ) => Promise<WriteResult>;
  /** Atomic; retries each part itself. Missing if the bucket has no multipart uploads: use `write` instead. */
  readonly writeLarge?:
    | ((key: string, body: LargeBody, headers: ObjectHeaders) => Promise<WriteResult>)
    | undefined;
  /** Aborts the incomplete multipart uploads for which `isOurs` returns true. */
  readonly discardParts?: ((isOurs: (key: string, begun: Date) => boolean) => Promise<void>) | undefined;
  /** Whether removed objects stay as earlier versions; undefined if the store does not say. */
  readonly keepsVersions?: (() => Promise<boolean | undefined>) | undefined;
  /** Objects whose key starts with `prefix` and is above `after`, ascending by the UTF-8 bytes of their keys. */
  readonly list: (prefix: string, after?: string) => AsyncIterable<ListedObject>;
  /** Ignores absent keys. */
  readonly remove: (keys: readonly string[]) => Promise<RemoveResult>;
  /**
   * After this call, no other holder can change anything except the log. Missing for object stores: there, a new
   * holder waits until the requests of earlier holders have expired.
   */
  readonly fence?: ((holder: string) => Promise<void>) | undefined;
  /**
   * Lets other users of the machine read the objects that `isOurs` accepts. Only a folder that is opened with
   * `isPublished` has this method.
   */
  readonly restoreModes?: ((isOurs: (key: string) => boolean) => Promise<void>) | undefined;
  /**
   * Returns a bucket for the objects below `prefix`, which ends with `/`. Missing if callers can simply put `prefix`
   * before each key.
   */
  readonly within?: ((prefix: string) => Bucket) | undefined;
};

export type OpenedBucket = { readonly bucket: Bucket; readonly close: () => void };

export class ConditionFailed extends Error {
  constructor(key: string) {
    super(`the condition of the write of ${key} does not hold`);
    this.name = 'ConditionFailed';
  }
}

export type BucketErrorCode =
  | 'bucket-unreachable'
  | 'bucket-denied'
  | 'bucket-missing'
  | 'bucket-busy'
  | 'bucket-failed'
  | 'bucket-credentials'
  | 'bucket-region'
  | 'bucket-clock'
  | 'bucket-proxy'
  | 'bucket-not-s3'
  | 'condition-unsupported'
  | 'key-refused'
  | 'request-expired';

export class BucketError extends EnvironmentError {
  /** Whether a retry may succeed. If so, the request may have taken effect, except for {@link RequestExpired}. */
  readonly isTransient: boolean;
  constructor(code: BucketErrorCode, message: string, isTransient: boolean, cause?: unknown) {
    super(code, message, { cause });
    this.name = 'BucketError';
    this.isTransient = isTransient;
  }
}

/** The request took no effect. Transient, since a sender that still holds its lock gets a new limit. */
export class RequestExpired extends BucketError {
  constructor(where: string) {
    super(
      'request-expired',
      `${where}: the request came too late, and took no effect. Run the command again: it goes on from what arrived.`,
      true,
    );
    this.name = 'RequestExpired';
  }
}

export function objectReplacedError(where: string): BucketError {
  const message = `${where} was replaced while it was read. Run the command again.`;
  return new BucketError('bucket-failed', message, false);
}

/** The order of a listing. */
export function compareKeys(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

export function etagOf(body: Buffer): string {
  return `"${hash('md5', body)}"`;
}

export function withContentEncoding(headers: ObjectHeaders, body: Buffer): ObjectHeaders {
  // Gzip starts with 1f 8b (RFC 1952, 2.3.1). A download whose type is gzip gets no content encoding, since clients
  // would decode it.
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b && headers.contentType !== 'application/gzip';
  return isCompressed ? { ...headers, contentEncoding: 'gzip' } : headers;
}
