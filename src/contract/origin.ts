/** What an answer of the origin means, that is of the server or bucket that holds the files (`docs/decisions.md`, "Broken is not empty"). */

/** What stands behind a target: a web server, or an object store that answers 403 or 410 for a key that it has not. */
export type OriginKind = 'server' | 'bucket';

/** `present`: here is the file; `absent`: the origin has no such file; `broken`: nothing is known about the file. */
export type Presence = 'present' | 'absent' | 'broken';

/** Statuses with which an origin gives a file: whole, in part, or unchanged. */
export const PRESENT_STATUSES: readonly number[] = [200, 206, 304];

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
 * rate limit, a refused request, a failure. So is no answer, and one after {@link ORIGIN_TIME_LIMIT}.
 *
 * @example
 * presenceOf(403, 'bucket') // 'absent'
 * presenceOf(403, 'server') // 'broken'
 */
export function presenceOf(status: number, origin: OriginKind): Presence {
  if (PRESENT_STATUSES.includes(status)) return 'present';
  return ABSENT_STATUSES[origin].includes(status) ? 'absent' : 'broken';
}
