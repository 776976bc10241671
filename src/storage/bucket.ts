/** The bucket interface, through which everything is published: objects by key. */
import { hash } from 'node:crypto';
import type { StoredHeaders } from '../contract/headers.ts';
import { EnvironmentError } from '../errors/errors.ts';
import type { Pace } from './pace.ts';

export type ObjectHeaders = StoredHeaders & {
  /** `gzip` for compressed bytes under a key without `.gz`. */
  readonly contentEncoding?: string;
};

/**
 * Precondition of a write: the key is absent, or the object has this tag. The store checks it at the moment of the
 * write.
 */
export type Condition = { readonly absent: true } | { readonly tag: string };

export function ifTagIs(tag: string | undefined): Condition {
  return tag === undefined ? { absent: true } : { tag };
}

/**
 * Bounds requests to the time for which their sender may have any effect: a publisher's lease passes one with every
 * request. A bucket guarantees that **no request takes effect after its limit**.
 *
 * For each attempt of a request:
 *
 * 1. Call `remaining()` last before the request goes to the network, after waiting for a connection or a place in a
 *    queue. Below {@link MIN_REMAINING}: send nothing, throw {@link RequestExpired}.
 * 2. Bind the request to the result *r*, so that the store itself refuses a later arrival. S3: sign in the query, with
 *    `X-Amz-Expires` of at most `floor(r / 1000)` seconds, and with `X-Amz-Date` of the *store's* clock: its last
 *    `Date`, plus the time that has passed here since that answer arrived (`performance.now`). That is never later than
 *    the store's own time, so a wrong clock of this machine lengthens nothing. A folder renames through a folder of
 *    `holder` (see {@link Bucket.fence}). Memory keeps the time with the request.
 * 3. Send head and body in one piece where they fit into one. Call `remaining()` again before each further piece of a
 *    body: below {@link MIN_REMAINING}, end the request.
 * 4. Watch requests in flight by a timer of *r* milliseconds. When it fires, call `remaining()` again, since the lease
 *    may have been renewed: go on watching, or close the connection. Close it at once when `signal` is aborted. The
 *    outcome of such a request is unknown.
 * 5. Throw for an answer that says "expired": {@link RequestExpired}. Do not resend it with the answer's time; the
 *    retry decorator calls `ready()` first.
 */
export type Limit = {
  /** Name unique to this holder; safe in a file name. */
  readonly holder: string;
  /** Returns how many milliseconds a request sent now has to take effect; 0 or less: it may not be sent. */
  readonly remaining: () => number;
  /** Aborted when the lease is lost for good. */
  readonly signal: AbortSignal;
  /**
   * Waits until a request may be sent. The retry decorator calls it before each attempt.
   *
   * @throws EnvironmentError `lock-lost` when the lease is lost for good.
   */
  readonly ready: () => Promise<void>;
  /**
   * Reports that an attempt of a write or removal ended with an unknown outcome: it may have taken effect, or may until
   * its limit. The retry decorator calls it.
   */
  readonly unsettled: () => void;
};

/** With fewer milliseconds left, no request is sent: expiries have whole seconds. */
export const MIN_REMAINING = 1000;

export type ListedObject = {
  readonly key: string;
  /**
   * Entity tag (RFC 9110, 8.8.3) as the store gives it; most often the MD5 of the bytes in quotes. That of a listing may
   * lack the version ({@link versionedTag}), so it cannot be a condition.
   */
  readonly tag: string;
  readonly size: number;
  /** Time of the last write, by the store's clock. */
  readonly modified: Date;
};

type ObjectInfo = Omit<ListedObject, 'key'> & {
  /** Undefined where the store keeps no headers. */
  readonly headers: Partial<ObjectHeaders> | undefined;
};

export type StoredObject = {
  readonly body: Buffer;
  readonly tag: string;
  /** Time of the last write, by the store's clock (S3: `Last-Modified`); undefined when the store gives none. */
  readonly modified?: Date | undefined;
  /** Time of the response, by the store's clock (S3: `Date`); undefined when the store gives none. */
  readonly time?: Date | undefined;
};

/** Body too large for memory, read part by part; every part may be read repeatedly. */
export type LargeBody = {
  readonly size: number;
  /**
   * Reads the bytes from `from` up to, but not including, `to`.
   *
   * @throws when the object was replaced since it was opened.
   */
  readonly read: (from: number, to: number) => Promise<Buffer>;
};

export type Written = {
  readonly tag: string;
  /** Time of the write, or of its response, by the store's clock; undefined when the store gives none. */
  readonly time?: Date | undefined;
};

/**
 * A store of objects by key (`contract/object-keys.ts`). Keys exclude the bucket's prefix.
 *
 * Every write and removal has one of three outcomes:
 *
 * - *won*: the promise is fulfilled. The request took effect.
 * - *lost*: {@link ConditionFailed} (S3: 412, or 404 for `If-Match`). The attempt took no effect, and never will.
 *   {@link BucketError} that is not transient: likewise.
 * - *unknown*: a transient {@link BucketError}. It may have taken effect, may not, or may do so until its limit. Every
 *   failure without an answer from the store is of this kind, and so are the statuses for "try later" (409 for a
 *   conditional write, 429, 5xx). The retry decorator settles a conditional write by reading back: no other publisher
 *   writes the same bytes.
 *
 * Removals have no condition, since too few stores know one; nothing that two may own is ever removed.
 */
export type Bucket = {
  /** Name as the user gave it, such as `s3://stays/live`. */
  readonly name: string;
  /** Pace of its requests; undefined where they do not wait for a network. */
  readonly pace?: Pace | undefined;
  readonly read: (key: string, limit?: Limit) => Promise<StoredObject | undefined>;
  /**
   * Opens an object for reading part by part; undefined when it is absent. Its `read` fails once the object is
   * replaced. Undefined where a bucket has no ranged reads.
   */
  readonly readLarge?: ((key: string, limit?: Limit) => Promise<LargeBody | undefined>) | undefined;
  /** Reads an object's metadata; undefined when it is absent. */
  readonly inspect: (key: string, limit?: Limit) => Promise<ObjectInfo | undefined>;
  /**
   * Writes an object atomically.
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
   * Writes a large object atomically, reading its body part by part; retries each part itself. Undefined where a bucket
   * has no multipart uploads: `write` takes the whole body there.
   */
  readonly writeLarge?:
    | ((key: string, body: LargeBody, headers: ObjectHeaders, limit?: Limit) => Promise<Written>)
    | undefined;
  /**
   * Aborts incomplete multipart uploads that stopped publishers left. Undefined where a bucket has none.
   *
   * @param isOurs tells whether an upload to this key, begun at this time by the store's clock, may be aborted.
   */
  readonly discardParts?:
    | ((isOurs: (key: string, begun: Date) => boolean, limit?: Limit) => Promise<void>)
    | undefined;
  /** Tells whether removed objects stay as earlier versions; undefined where the role may not ask. Undefined where a bucket has none. */
  readonly keepsVersions?: (() => Promise<boolean | undefined>) | undefined;
  /** Lists the objects whose keys start with `prefix` and are above `after`, ascending by the key's UTF-8 bytes. */
  readonly list: (prefix: string, after?: string, limit?: Limit) => AsyncIterable<ListedObject>;
  /** Removes objects; absent keys are ignored. */
  readonly remove: (keys: readonly string[], limit?: Limit) => Promise<void>;
  /**
   * Ends the effect of every request limited to another holder, at once and for good, and admits those of this one.
   * Undefined where a store cannot do that (S3): there, a waiting time replaces it.
   */
  readonly fence?: ((holder: string) => Promise<void>) | undefined;
  /**
   * Makes objects that readers are served readable for other users of the machine. Undefined where a store has no such permissions.
   *
   * @param isOurs tells whether an object is one of those.
   */
  readonly restoreModes?: ((isOurs: (key: string) => boolean) => Promise<void>) | undefined;
  /**
   * Opens the objects below a prefix, which ends with `/`, as a bucket with its own lease. Undefined where a key with
   * the prefix in front does the same.
   */
  readonly within?: ((prefix: string) => Bucket) | undefined;
};

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
  /** Whether the same request may succeed a moment later; whether a write or removal took effect is then unknown. */
  readonly isTransient: boolean;
  constructor(code: BucketErrorCode, message: string, isTransient: boolean, cause?: unknown) {
    super(code, message, { cause });
    this.name = 'BucketError';
    this.isTransient = isTransient;
  }
}

/**
 * Thrown when a request's limit passed before it was sent or reached the store: it took no effect. Transient, since a
 * sender that still holds its lease gets a new limit.
 */
export class RequestExpired extends BucketError {
  constructor(where: string) {
    super('request-expired', `${where}: the request came too late, and took no effect.`, true);
    this.name = 'RequestExpired';
  }
}

export function replacedError(where: string): BucketError {
  const message = `${where} was replaced while it was read. Run the command again.`;
  return new BucketError('bucket-failed', message, false);
}

/** Returns the entity tag of stores that hash: the MD5 (RFC 1321) in quotes. */
export function tagOf(body: Buffer): string {
  return `"${hash('md5', body)}"`;
}

/**
 * Makes the tag of a store whose conditions name a version instead of the content, such as Google's generation. Content
 * is compared by its first part.
 */
export function versionedTag(content: string, version: string): string {
  return `${content}@${version}`;
}

export function splitTag(tag: string): { readonly content: string; readonly version: string | undefined } {
  const [, content = tag, version] = /^("[^"]*")@(.+)$/.exec(tag) ?? [];
  return { content, version };
}

/** Tells whether a tag can be compared with {@link tagOf}; those of multipart or encrypted objects cannot. */
export function isHash(tag: string): boolean {
  return /^"?[0-9a-f]{32}"?$/.test(tag);
}

export function withEncoding(headers: ObjectHeaders, body: Buffer): ObjectHeaders {
  // RFC 1952, 2.3.1. A download whose type is gzip has no content encoding: clients would decode it.
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b && headers.contentType !== 'application/gzip';
  return isCompressed ? { ...headers, contentEncoding: 'gzip' } : headers;
}
