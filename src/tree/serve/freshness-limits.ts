import { cacheLifetimeOf } from '../../contract/parse-cache-control.ts';

/** Limits of a cached value's age, in milliseconds. */
export type FreshnessLimits = {
  /** Below this age, no revalidation is needed. */
  readonly fresh: number;
  /** Below this age, the old value is used during revalidation. */
  readonly stale: number;
  /** Below this age, the old value is used if revalidation fails. */
  readonly failed: number;
};

/** @example freshnessLimits('max-age=5, stale-while-revalidate=60') // { fresh: 5000, stale: 65000, failed: 5000 } */
export function freshnessLimits(cacheControl: string): FreshnessLimits {
  const { private: age = 0, staleWhileRevalidate, staleIfError } = cacheLifetimeOf(cacheControl);
  return {
    fresh: 1000 * age,
    stale: 1000 * (age + staleWhileRevalidate),
    failed: 1000 * (age + staleIfError),
  };
}
