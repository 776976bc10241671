/** Reads lifetimes from a `Cache-Control` header (RFC 9111, 5.2.2; RFC 5861). */

/** Age limits in milliseconds. */
export type Freshness = {
  /** Up to this age a value is used as it is. */
  readonly fresh: number;
  /** Up to this age it is used while it is revalidated. */
  readonly stale: number;
  /** Up to this age it is used when revalidation fails. */
  readonly failed: number;
};

/** @example freshnessOf('public, max-age=5, stale-while-revalidate=60') // { fresh: 5000, stale: 65000, failed: 5000 } */
export function freshnessOf(cacheControl: string): Freshness {
  const seconds = (directive: string) =>
    Number(new RegExp(`(?:^|[\\s,])${directive}="?([0-9]{1,9})`, 'i').exec(cacheControl)?.[1] ?? 0);
  const fresh = 1000 * seconds('max-age');
  return {
    fresh,
    stale: fresh + 1000 * seconds('stale-while-revalidate'),
    failed: fresh + 1000 * seconds('stale-if-error'),
  };
}
