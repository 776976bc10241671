/** What an answer of the origin means, that is of the server or bucket that holds the files (`docs/decisions.md`, "Broken is not empty"). */

/** What stands behind a target: a web server, or an object store that answers 403 or 410 for a key that it has not. */
export type OriginKind = 'server' | 'bucket';

/** `present`: here is the file; `absent`: the origin has no such file; `broken`: nothing is known about the file. */
export type Presence = 'present' | 'absent' | 'broken';

/**
 * A `Range` header that asks for one range of bytes; without flags or groups. Any other is ignored, and never reaches an
 * origin: several ranges are answered with a body that says so in its type alone, which a cache would keep as the file.
 */
export const RANGE_PATTERN = '^bytes=(?:[0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$';

/** Statuses with which each kind of origin says that there is no file. */
export const ABSENT_STATUSES: Readonly<Record<OriginKind, readonly number[]>> = {
  server: [404],
  bucket: [404, 403, 410],
};

/**
 * How long an origin may take until its answer begins, in milliseconds. A later answer is as good as none: the origin
 * is broken.
 */
export const ORIGIN_TIME_LIMIT = 5000;

/**
 * What a status of the origin means. Everything that is no plain answer about a file is broken: a redirect, a login, a
 * rate limit, a refused request, a failure. So is no answer, and one after {@link ORIGIN_TIME_LIMIT}; a part of a file that
 * was asked for whole; and 304 for a request without a condition, as all are that code sends.
 *
 * @param hasRange whether the request had a `Range` header. Default: false.
 *
 * @example
 * presenceOf(403, 'bucket') // 'absent'
 * presenceOf(403, 'server') // 'broken'
 */
export function presenceOf(status: number, origin: OriginKind, hasRange = false): Presence {
  if (status === 200 || (status === 206 && hasRange)) return 'present';
  return ABSENT_STATUSES[origin].includes(status) ? 'absent' : 'broken';
}
