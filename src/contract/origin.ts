/**
 * Interprets answers of the origin, the server or bucket that has the files (`docs/decisions.md`, "Broken is not
 * empty").
 */

/**
 * Kind of origin that a target reads from: a web server, or an object store that answers 403 or 410 for a missing key.
 */
export type OriginKind = 'server' | 'bucket';

/** State of a file at the origin. `present`: it exists; `absent`: it does not; `broken`: unknown. */
export type Presence = 'present' | 'absent' | 'broken';

/**
 * Matches a `Range` header for one range of bytes; without flags or groups. Any other is ignored, and never reaches an
 * origin: the answer to several ranges differs from the file only in its media type, and a cache might store it as the
 * file.
 */
export const RANGE_PATTERN = '^bytes=(?:[0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$';

const ABSENT_STATUSES: Readonly<Record<OriginKind, readonly number[]>> = {
  server: [404],
  bucket: [404, 403, 410],
};

/** Milliseconds until an origin's answer must start; otherwise the origin counts as broken. */
export const ORIGIN_TIME_LIMIT = 5000;

/**
 * Interprets a status of the origin. Anything but a plain answer about a file is broken: a redirect, a login, a rate
 * limit, a refused request, a failure. So are a missing answer, or one after {@link ORIGIN_TIME_LIMIT}; a part of a
 * file requested whole; and 304 for a request without a condition, since targets send none.
 *
 * @param hasRange whether the request had a `Range` header. @default false
 *
 * @example
 * classifyOriginStatus(403, 'bucket') // 'absent'
 * classifyOriginStatus(403, 'server') // 'broken'
 */
export function classifyOriginStatus(status: number, origin: OriginKind, hasRange = false): Presence {
  if (status === 200 || (status === 206 && hasRange)) return 'present';
  return ABSENT_STATUSES[origin].includes(status) ? 'absent' : 'broken';
}
