/** A bucket: objects by key. Everything that publishes goes through these five methods. */
import { createHash } from 'node:crypto';
import type { StoredHeaders } from '../contract/headers.ts';
import { EnvironmentError } from '../report/failure.ts';

/** Headers of an object: those of its key, and `gzip` when its bytes are compressed under the name of plain ones. */
export type ObjectHeaders = StoredHeaders & { readonly contentEncoding?: string };

/** What must hold for a write to happen: nothing has the key yet, or the object has this tag. */
export type Condition = { readonly absent: true } | { readonly tag: string };

/** What a listing tells of an object. */
export type ListedObject = {
  readonly key: string;
  /** Entity tag (RFC 9110, 8.8.3) as the store gives it; most often the MD5 of the bytes in quotes. */
  readonly tag: string;
  readonly size: number;
  readonly modified: Date;
};

/** An object without its bytes. */
export type ObjectInfo = Omit<ListedObject, 'key'> & {
  /** Undefined where the store keeps no headers. */
  readonly headers: Partial<ObjectHeaders> | undefined;
};

/** An object with its bytes. */
export type StoredObject = { readonly body: Buffer; readonly tag: string };

/** Where releases are published. Keys are as in `contract/layout.ts`; a prefix is the bucket's own affair. */
export type Bucket = {
  /** As the user named it, such as `s3://stays/live`. */
  readonly name: string;
  /** The object; undefined when there is none. */
  readonly read: (key: string) => Promise<StoredObject | undefined>;
  /** The object without its bytes; undefined when there is none. */
  readonly inspect: (key: string) => Promise<ObjectInfo | undefined>;
  /**
   * Writes an object, whole or not at all. Returns its tag.
   *
   * @throws ConditionFailed when the condition does not hold.
   */
  readonly write: (
    key: string,
    body: Buffer,
    headers: ObjectHeaders,
    condition?: Condition,
  ) => Promise<string>;
  /** The objects whose keys start with `prefix`, ascending by the UTF-8 bytes of the key; only keys above `after`. */
  readonly list: (prefix: string, after?: string) => AsyncIterable<ListedObject>;
  /** Removes objects; keys that are not there are no error. */
  readonly remove: (keys: readonly string[]) => Promise<void>;
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
  | 'condition-unsupported';

/** A request to a bucket failed. */
export class BucketError extends EnvironmentError {
  /** Whether the same request may succeed a moment later. */
  readonly isTransient: boolean;
  constructor(code: BucketErrorCode, message: string, isTransient: boolean, cause?: unknown) {
    super(code, message, { cause });
    this.name = 'BucketError';
    this.isTransient = isTransient;
  }
}

/** The tag that a store which hashes gives to these bytes: their MD5 (RFC 1321), in quotes. */
export function tagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`;
}

/** Whether a tag can be compared with {@link tagOf}: tags of composite or encrypted objects are something else. */
export function isHash(tag: string): boolean {
  return /^"?[0-9a-f]{32}"?$/.test(tag);
}

/** Whether the tag is the one of these bytes. */
export function isTagOf(tag: string, body: Buffer): boolean {
  return tag.replace(/^W\/|"/g, '') === tagOf(body).slice(1, -1);
}

/** The headers of an object of this key with these bytes. */
export function withEncoding(headers: StoredHeaders, body: Buffer): ObjectHeaders {
  // RFC 1952, 2.3.1. A download that is named as compressed is one: decoding it on the way would change it.
  const isCompressed = body[0] === 0x1f && body[1] === 0x8b && headers.contentType !== 'application/gzip';
  return isCompressed ? { ...headers, contentEncoding: 'gzip' } : headers;
}
