import { UsageError } from '../../errors/errors.ts';
import type { Invalidator } from './purge.ts';

export type InvalidatorOptions = {
  readonly cloudfront?: string;
  readonly keyValueStore?: string;
  readonly cloudflare?: string;
  /** Public URL of the API. Needed with `cloudflare`, which purges by URL. */
  readonly baseUrl?: string | undefined;
  /** Maximum number of paths; beyond it, everything is purged. @default that of each cache */
  readonly limit?: number | undefined;
  readonly wait: boolean;
};

/** @throws UsageError when Cloudflare's token or the base URL is missing */
export async function openInvalidators(
  { cloudfront, keyValueStore, cloudflare, baseUrl, limit, wait }: InvalidatorOptions,
  env: NodeJS.ProcessEnv,
): Promise<Invalidator[]> {
  const invalidators: Invalidator[] = [];
  // The key value store comes first: caches purged before it has the new totals would store the old ones again.
  if (keyValueStore !== undefined) {
    const { createKeyValueStoreInvalidator } = await import('./key-value-store.ts');
    invalidators.push(createKeyValueStoreInvalidator(keyValueStore));
  }
  if (cloudfront !== undefined) {
    const { createCloudFrontInvalidator } = await import('./cloudfront.ts');
    invalidators.push(createCloudFrontInvalidator({ distribution: cloudfront, limit, wait }));
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
    const { createCloudflareInvalidator } = await import('./cloudflare.ts');
    invalidators.push(createCloudflareInvalidator({ zone: cloudflare, token, baseUrl, limit, endpoint }));
  }
  return invalidators;
}
