/** The shared cache that an option or the configuration names. */
import { resolve } from 'node:path';
import type { Configuration } from '../../contract/configuration.ts';
import { UsageError } from '../../errors.ts';
import type { SharedCache } from '../../media/shared-cache.ts';
import type { OpenTarget, TargetOptions } from '../../storage/open.ts';

/** Which cache is shared, and how to reach it. What is absent comes from the configuration. */
export type CacheLocation = {
  /** `s3://bucket`, `s3://bucket/prefix`, `dir:/path` or `/path`. @default none: nothing is shared */
  readonly cache?: string | undefined;
  /** URL of a server that speaks the protocol of S3. @default AWS */
  readonly endpoint?: string | undefined;
  /** Region of the bucket. @default from the environment */
  readonly region?: string | undefined;
};

/** A shared cache that is opened when it is first needed. */
export type LazyCache = {
  /** As the user named it. */
  readonly name: string;
  readonly open: () => Promise<SharedCache>;
  /** Ends the connections, if there are any. */
  readonly close: () => void;
};

/** The place of a cache; checked, and nothing opened. */
type CacheAddress = { readonly folder: string } | { readonly target: string };

/**
 * The shared cache of a command; undefined when neither the options nor the configuration name one.
 *
 * @throws UsageError `invalid-cache`. What else is wrong with a bucket shows when the cache is opened.
 */
export function findCache(location: CacheLocation, { cache }: Configuration): LazyCache | undefined {
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
  if (name.startsWith('s3://')) return { target: name };
  if (folder === '' || /^[a-z0-9]{2,}:/i.test(folder)) {
    throw new UsageError(
      'invalid-cache',
      `"${name}" is no place for a cache. Give s3://bucket, s3://bucket/prefix or the path of a folder.`,
    );
  }
  return { folder: resolve(folder) };
}

async function openPlace(place: CacheAddress, options: TargetOptions): Promise<OpenTarget> {
  if ('target' in place) return (await import('../../storage/open.ts')).openTarget(place.target, options);
  const { openFolder } = await import('../../storage/folder/bucket.ts');
  return { bucket: openFolder(place.folder, { versioned: [], tags: 'times' }), close: () => {} };
}
