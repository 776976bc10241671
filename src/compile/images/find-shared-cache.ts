import { resolve } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { UsageError } from '../../errors/errors.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import type { OpenedBucket } from '../../storage/bucket.ts';
import type { BucketOptions } from '../../storage/open-bucket.ts';

/** These options override the configuration's `cache`. A default applies if neither has the value. */
export type SharedCacheLocation = {
  /** `s3://bucket`, `s3://bucket/prefix`, `dir:/path` or `/path`. @default no shared cache */
  readonly cache?: string | undefined;
  /** URL of an S3-compatible server. @default AWS */
  readonly endpoint?: string | undefined;
  /**
   * @default the region of the environment or the AWS profile. If neither has one: `us-east-1` if there is an
   * `endpoint`; otherwise the cache cannot be used
   */
  readonly region?: string | undefined;
};

export type LazySharedCache = {
  /** As the user named it, such as `s3://stays/cache`. */
  readonly name: string;
  readonly open: () => Promise<SharedCache>;
  readonly close: () => void;
};

type CacheAddress = { readonly folder: string } | { readonly bucket: string };

/**
 * Undefined if neither the options nor the configuration name a cache.
 * @throws UsageError `invalid-cache`; errors of the bucket are thrown when the cache opens
 */
export function findSharedCache(
  location: SharedCacheLocation,
  { cache }: Configuration,
): LazySharedCache | undefined {
  const name = location.cache ?? cache.location;
  if (name === undefined) return undefined;
  const place = placeOf(name);
  let opened: Promise<{ readonly shared: SharedCache; readonly close: () => void }> | undefined;
  const open = async () => {
    const { openSharedCache } = await import('../../media/shared-cache.ts');
    const options = {
      endpoint: location.endpoint ?? cache.endpoint,
      region: location.region ?? cache.region,
    };
    const { bucket, close } = await openPlace(place, options);
    return { shared: openSharedCache(bucket), close };
  };
  return {
    name,
    async open() {
      opened ??= open();
      return (await opened).shared;
    },
    close: () => void opened?.then(({ close }) => close()).catch(() => {}),
  };
}

function placeOf(name: string): CacheAddress {
  const folder = name.startsWith('dir:') ? name.slice('dir:'.length) : name;
  if (name.startsWith('s3://')) return { bucket: name };
  if (folder === '' || /^[a-z0-9]{2,}:/i.test(folder)) {
    throw new UsageError(
      'invalid-cache',
      `"${name}" is no place for a cache. Give s3://bucket, s3://bucket/prefix or the path of a folder.`,
    );
  }
  return { folder: resolve(folder) };
}

async function openPlace(place: CacheAddress, options: BucketOptions): Promise<OpenedBucket> {
  if ('bucket' in place)
    return (await import('../../storage/open-bucket.ts')).openBucket(place.bucket, options);
  const { openFolderBucket } = await import('../../storage/folder/bucket.ts');
  return { bucket: openFolderBucket(place.folder, { tags: 'times' }), close: () => {} };
}
