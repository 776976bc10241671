import { env } from 'node:process';
import { UsageError } from '../../errors/errors.ts';
import type { Purger } from './purge-caches.ts';

type PurgerOptions = {
  readonly cloudfront?: string;
  readonly keyValueStore?: string;
  readonly cloudflare?: string;
  /** Public URL of the API. Needed with `cloudflare`, which purges by URL. */
  readonly baseUrl?: string | undefined;
  /**
   * Maximum number of paths. If there are more, the data folder replaces all paths in it; if there are still too many
   * paths, everything is purged. @default 15
   */
  readonly limit?: number | undefined;
  readonly wait: boolean;
  /** Ends a purge. @default never */
  readonly stopped?: AbortSignal | undefined;
};

/** @throws UsageError `no-api-token`, `no-base-url`, `invalid-base-url`, `invalid-key-value-store` */
export async function openPurgers(options: PurgerOptions): Promise<Purger[]> {
  const { cloudfront, keyValueStore, cloudflare, baseUrl, limit, wait, stopped } = options;
  const purgers: Purger[] = [];
  // The key value store comes first. Otherwise, a cache that was already purged may get the old totals again.
  if (keyValueStore !== undefined) {
    const { createKeyValueStorePurger } = await import('./key-value-store.ts');
    purgers.push(createKeyValueStorePurger(keyValueStore, { stopped }));
  }
  if (cloudfront !== undefined) {
    const { createCloudFrontPurger } = await import('./cloudfront.ts');
    purgers.push(createCloudFrontPurger({ distribution: cloudfront, limit, wait, stopped }));
  }
  if (cloudflare !== undefined) {
    const { CLOUDFLARE_API_TOKEN: token } = env;
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
    const { createCloudflarePurger } = await import('./cloudflare.ts');
    purgers.push(createCloudflarePurger({ zone: cloudflare, token, baseUrl, limit, stopped }));
  }
  return purgers;
}
