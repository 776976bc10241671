/** The caches in front of a bucket that a publication invalidates. */
import { UsageError } from '../../errors.ts';
import type { Invalidator } from './purge.ts';

/** Which caches there are. */
export type CacheOptions = {
  /** CloudFront distribution. */
  readonly cloudfront?: string;
  /** ARN of the key value store of the CloudFront Function. */
  readonly keyValueStore?: string;
  /** Cloudflare zone. */
  readonly cloudflare?: string;
  /** URL in front of the API, which Cloudflare's requests name. */
  readonly baseUrl?: string | undefined;
  /** Exact paths to invalidate; everything beyond that. */
  readonly limit: number;
  /** Waits until CloudFront has invalidated. */
  readonly wait: boolean;
};

/** @throws UsageError when Cloudflare's token or the base URL is missing. */
export async function openInvalidators(
  { cloudfront, keyValueStore, cloudflare, baseUrl, limit, wait }: CacheOptions,
  env: NodeJS.ProcessEnv,
): Promise<Invalidator[]> {
  const invalidators: Invalidator[] = [];
  // Before the purge: an answer that is made of old totals would be cached again.
  if (keyValueStore !== undefined) {
    const { createKeyValueStore } = await import('./key-value-store.ts');
    invalidators.push(createKeyValueStore(keyValueStore));
  }
  if (cloudfront !== undefined) {
    const { createCloudFront } = await import('./cloudfront.ts');
    invalidators.push(createCloudFront({ distribution: cloudfront, limit, wait }));
  }
  if (cloudflare !== undefined) {
    const { CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_BASE_URL: endpoint } = env;
    if (!token) {
      throw new UsageError(
        'no-api-token',
        'There is no CLOUDFLARE_API_TOKEN in the environment. Make a token that may purge the cache of the zone.',
      );
    }
    if (baseUrl === undefined) {
      throw new UsageError(
        'no-base-url',
        'Cloudflare purges URLs. Name the one in front of the API with --base-url.',
      );
    }
    const { createCloudflare } = await import('./cloudflare.ts');
    invalidators.push(createCloudflare({ zone: cloudflare, token, baseUrl, limit, endpoint }));
  }
  return invalidators;
}
