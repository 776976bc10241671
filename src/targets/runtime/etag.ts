/**
 * Tells whether `If-None-Match` includes this entity tag, by weak comparison (RFC 9110, 8.8.3.2 and 13.1.2), so that
 * the answer is 304. The catalogue's entity tags have no comma.
 *
 * @example namesTag('"a", W/"b"', '"b"') // true
 */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const parts = ifNoneMatch.split(',');
  for (let index = 0; index < parts.length; index++) {
    if (parts[index]!.trim().replace(/^W\//, '') === tag) return true;
  }
  return false;
}
