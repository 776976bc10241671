/** A bucket: objects by key. Everything that publishes goes through these methods. */
import { hash } from 'node:crypto';
import type { StoredHeaders } from '../contract/headers.ts';
import { EnvironmentError } from '../errors.ts';

/** Headers of an object. */
export type ObjectHeaders = StoredHeaders & {
  /** `gzip` when its bytes are compressed under the name of plain ones. */
  readonly contentEncoding?: string;
};

/**
 * What must hold for a write to happen: nothing has the key yet, or the object has this tag. The store decides, at the
 * moment at which the write takes effect.
 */
export type Condition = { readonly absent: true } | { readonly tag: string };

/** The condition that an object is still the one of this tag; undefined where there was none. */
export function stillOf(tag: string | undefined): Condition {
  return tag === undefined ? { absent: true } : { tag };
}

/**
 * Bounds requests to the time for which their sender may have any effect: what a publisher's lease hands to a bucket
 * with every request. A bucket has to see to it that **no request takes effect after its limit**.
 *
 * For each attempt of a request, the first and every one that follows:
 *
 * 1. Ask `remaining()` in the last step before the request is handed to the network, after waiting for a connection
 *    or a place in a queue. An answer below {@link MIN_REMAINING}: send nothing, throw {@link RequestExpired}.
 * 2. Bind the request to the answer *r*, so that the store itself refuses what arrives later. S3: sign in the query,
 *    with `X-Amz-Expires` of at most `floor(r / 1000)` seconds, and with `X-Amz-Date` of the *store's* clock: its last
 *    `Date`, plus the time that has passed here since that answer arrived (`performance.now`). That is never later than
 *    the store's own time, so a wrong clock of this machine lengthens nothing. A folder renames through a folder of
 *    `holder` (see {@link Bucket.fence}). Memory keeps the time with the request.
 * 3. Send head and body in one piece where they fit into one. Ask again before each further piece of a body: below
 *    {@link MIN_REMAINING}, end the request.
 * 4. Watch what is in flight by a timer of *r* milliseconds. When it fires, ask again, since a lease may have been
 *    renewed: go on watching, or close the connection. Close it at once when `signal` is aborted. The outcome of such
 *    a request is unknown.
 * 5. An answer that says "expired" is {@link RequestExpired}. Never send it again because the answer has another
 *    time; the retry decorator asks `ready()` first.
 */
export type Limit = {
  /** A name that no other holder ever has; safe in a file name. */
  readonly holder: string;
  /** Milliseconds for which a request that is sent now may take effect; 0 or less when it may not. */
  readonly remaining: () => number;
  /** Aborted when the lease is lost for good. */
  readonly signal: AbortSignal;
  /**
   * Waits until there is time for a request. The retry decorator calls it before each attempt.
   *
   * @throws EnvironmentError `lock-lost` when there never will be.
   */
  readonly ready: () => Promise<void>;
  /**
   * Hears that an attempt of a write or a removal ended without a certain outcome: it may have taken effect, or do so
   * until its limit. The retry decorator calls it.
   */
  readonly unsettled: () => void;
};

/** Milliseconds below which a limit leaves no time for a request: an expiry has whole seconds. */
export const MIN_REMAINING = 1000;

/** What a listing says of an object. */
export type ListedObject = {
  readonly key: string;
  /** Entity tag (RFC 9110, 8.8.3) as the store gives it; most often the MD5 of the bytes in quotes. */
  readonly tag: string;
  readonly size: number;
  /** The store's time of the last write. */
  readonly modified: Date;
};

/** An object without its bytes. */
type ObjectInfo = Omit<ListedObject, 'key'> & {
  /** Undefined where the store keeps no headers. */
  readonly headers: Partial<ObjectHeaders> | undefined;
};

/** An object with its bytes. */
export type StoredObject = {
  readonly body: Buffer;
  readonly tag: string;
  /** The store's time of the last write (S3: `Last-Modified`); undefined when it says none. */
  readonly modified?: Date | undefined;
  /** The store's time of the answer (S3: `Date`), by the same clock; undefined when it says none. */
  readonly time?: Date | undefined;
};

/** Bytes that are too many to hold: a reader takes a part at a time, as often as it needs to. */
export type LargeBody = {
  readonly size: number;
  /**
   * Bytes `from` up to and without `to`.
   *
   * @throws when the bytes are no longer those that were checked.
   */
  readonly read: (from: number, to: number) => Promise<Buffer>;
};

/** A write that took effect. */
export type Written = {
  readonly tag: string;
  /** The store's time of the write, or of its answer; undefined when it says none. */
  readonly time?: Date | undefined;
};

/**
 * Where releases are published. Keys are as in `contract/keys.ts`; a prefix is the bucket's own affair.
 *
 * Outcomes of every write and removal, which the caller has to keep apart:
 *
 * - *won*: the promise is fulfilled. The request took effect.
 * - *lost*: {@link ConditionFailed} (S3: 412, or 404 for `If-Match`). This attempt took no effect, and never will.
 *   {@link BucketError} that is not transient: the store refused it, likewise.
 * - *unknown*: a transient {@link BucketError}. It may have taken effect, may not, or may do so until its limit. Every
 *   failure without an answer from the store is of this kind, and so are statuses that say "later" (409 for a
 *   conditional write, 429, 5xx). The retry decorator settles a conditional write by reading back: no other
 *   publisher writes the same bytes.
 *
 * Removals have no condition, since too few stores know one; nothing that two may own is ever removed.
 */
export type Bucket = {
  /** As the user named it, such as `s3://stays/live`. */
  readonly name: string;
  /** The object; undefined when it is absent. */
  readonly read: (key: string, limit?: Limit) => Promise<StoredObject | undefined>;
  /**
   * The object, to be read a part at a time; undefined when it is absent. Its `read` fails when the object is no longer the one
   * that was there at this call. Undefined where a bucket reads no parts.
   */
  readonly readLarge?: ((key: string, limit?: Limit) => Promise<LargeBody | undefined>) | undefined;
  /** The object without its bytes; undefined when it is absent. */
  readonly inspect: (key: string, limit?: Limit) => Promise<ObjectInfo | undefined>;
  /**
   * Writes an object, whole or not at all.
   *
   * @throws ConditionFailed when the condition does not hold.
   */
  readonly write: (
    key: string,
    body: Buffer,
    headers: ObjectHeaders,
    condition?: Condition,
    limit?: Limit,
  ) => Promise<Written>;
  /**
   * Writes a large object, whole or not at all: its bytes are read a part at a time, and no attempt is needed around it.
   * Undefined where a bucket takes no parts: `write` takes the whole body there.
   */
  readonly writeLarge?:
    | ((key: string, body: LargeBody, headers: ObjectHeaders, limit?: Limit) => Promise<Written>)
    | undefined;
  /**
   * Discards parts of large objects that a publisher left when it stopped. Undefined where there are none.
   *
   * @param isOurs whether an object of this key may be discarded.
   */
  readonly discardParts?: ((isOurs: (key: string) => boolean, limit?: Limit) => Promise<void>) | undefined;
  /** The objects whose keys start with `prefix`, ascending by the UTF-8 bytes of the key; only keys above `after`. */
  readonly list: (prefix: string, after?: string, limit?: Limit) => AsyncIterable<ListedObject>;
  /** Removes objects; keys that are not there are no error. */
  readonly remove: (keys: readonly string[], limit?: Limit) => Promise<void>;
  /**
   * Ends the effect of every request that is limited to another holder, at once and for good, and lets those of this
   * one through. Undefined where a store cannot do that (S3): there, time has to pass instead.
   */
  readonly fence?: ((holder: string) => Promise<void>) | undefined;
};

/** The condition of a write did not hold; nothing was written. */
export class ConditionFailed extends Error {
  constructor(key: string) {
    super(`the condition of the write of ${key} does not hold`);
    this.name = 'ConditionFailed';
  }
}

/** Permanent code of a cause why a bucket fails. */
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
  | 'request-expired';

/** A request to a bucket failed. */
export class BucketError extends EnvironmentError {
  /** Whether the same request may succeed a moment later; of a write or removal it is not known whether it took effect. */
  readonly isTransient: boolean;
  constructor(code: BucketErrorCode, message: string, isTransient: boolean, cause?: unknown) {
    super(code, message, { cause });
    this.name = 'BucketError';
    this.isTransient = isTransient;
  }
}

/**
 * The limit of a request was over before it was sent, or before it reached the store: it took no effect. Transient: the
 * sender may still have its lease, and then has new time.
 */
export class RequestExpired extends BucketError {
  constructor(where: string) {
    super('request-expired', `${where}: the request came too late, and took no effect.`, true);
    this.name = 'RequestExpired';
  }
}

/** The error for an object that was replaced while it was read in parts. */
export function replacedError(where: string): BucketError {
  const message = `${where} was replaced while it was read. Run the command again.`;
  return new BucketError('bucket-failed', message, false);
}

/** The tag that a store which hashes gives to these bytes: their MD5 (RFC 1321), in quotes. */
export function tagOf(body: Buffer): string {
  return `"${hash('md5', body)}"`;
}

/** Whether a tag can be compared with {@link tagOf}: tags of composite or encrypted objects are something else. */
export function isHash(tag: string): boolean {
  return /^"?[0-9a-f]{32}"?$/.test(tag);
}

/** The headers of an object of this key with these bytes. */
export function withEncoding(headers: ObjectHeaders, body: Buffer): ObjectHeaders {
  // RFC 1952, 2.3.1. A download that is named as compressed is one: decoding it on the way would change it.
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b && headers.contentType !== 'application/gzip';
  return isCompressed ? { ...headers, contentEncoding: 'gzip' } : headers;
}
