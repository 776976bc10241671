import { cacheLifetimeOf } from '../../contract/cache-control.ts';

/** Ages in milliseconds, each the first that is too old. */
export type Freshness = {
  /** Below this age, no revalidation is needed. */
  readonly fresh: number;
  /** Below this age, the old value is used during revalidation. */
  readonly stale: number;
  /** Below this age, the old value is used if revalidation fails. */
  readonly failed: number;
};

/** @example freshnessOf('public, max-age=5, stale-while-revalidate=60') // { fresh: 5000, stale: 65000, failed: 5000 } */
export function freshnessOf(cacheControl: string): Freshness {
  const { private: age = 0, stale, failed } = cacheLifetimeOf(cacheControl);
  return { fresh: 1000 * age, stale: 1000 * (age + stale), failed: 1000 * (age + failed) };
}
