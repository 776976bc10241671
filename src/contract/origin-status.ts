/** The origin is the server or bucket from which a target reads files (`docs/decisions.md`, "Broken is not empty"). */

/** `server`: a web server. `bucket`: an object store, which may also answer 403 or 410 for a missing key. */
export type OriginKind = 'server' | 'bucket';

/** `broken`: the response does not tell whether the file exists. */
export type FilePresence = 'present' | 'absent' | 'broken';

/**
 * Matches a `Range` header with a single range. Targets ignore a header with several ranges, since a cache might store
 * the response as the whole file.
 */
export const RANGE_PATTERN = '^bytes=(?:[0-9]{1,15}-[0-9]{0,15}|-[0-9]{1,15})$';

const ABSENT_STATUSES: Readonly<Record<OriginKind, readonly number[]>> = {
  server: [404],
  bucket: [404, 403, 410],
};

/** Milliseconds until a response must begin; after that, the origin counts as broken. */
export const ORIGIN_TIME_LIMIT = 5000;

/**
 * A status that says neither that the file exists nor that it is missing counts as broken: for example a redirect, a
 * login, a rate limit, 206 for a request of the whole file, or 304, since targets send no conditions.
 */
export function classifyOriginStatus(status: number, origin: OriginKind, hasRange = false): FilePresence {
  if (status === 200 || (status === 206 && hasRange)) return 'present';
  return ABSENT_STATUSES[origin].includes(status) ? 'absent' : 'broken';
}
