/**
 * Image cache in a bucket, shared by several machines.
 *
 * ```
 * images/<engine>/<first two digits>/<published name>   one made image
 * ```
 *
 * The published name depends on the source and the image's settings, and `engine` on the versions of the encoders, so
 * an object never changes. Objects have the format of the local cache (cache-entry.ts). A damaged object is made again.
 */
import pLimit from 'p-limit';
import { type Bucket, BucketError, ConditionFailed } from '../storage/bucket.ts';
import { type Concurrency, concurrencyOf } from '../storage/pace.ts';
import { type MadeImage, packEntry, unpackEntry } from './cache-entry.ts';
import { engineName, engineVersions } from './engine-version.ts';
import { IMAGE_NAME } from './image-name.ts';

/** `present`: another machine was first. `repaired`: a damaged image was replaced. */
export type UploadOutcome = 'added' | 'present' | 'repaired';

/** Every method can throw the errors of the bucket. */
export type SharedCache = {
  readonly name: string;
  readonly width: Concurrency;
  /** Undefined if the image is absent or damaged. Sends one request. */
  readonly find: (name: string) => Promise<MadeImage | undefined>;
  /**
   * Stores the image unless it is present and undamaged. Sends one request, or up to four if the object exists or the
   * bucket has no conditional writes.
   */
  readonly keep: (name: string, image: MadeImage) => Promise<UploadOutcome>;
  /** The wanted names that are present, damaged or not. Sends 16 requests, and one per 1,000 images in the cache. */
  readonly present: (wanted: ReadonlySet<string>) => Promise<ReadonlySet<string>>;
};

const LISTINGS_AT_ONCE = 8;

/** No other program reads the objects, and they never change. */
const HEADERS = {
  contentType: 'application/octet-stream',
  cacheControl: 'private, max-age=31536000, immutable',
};

/** Opens the cache of the installed encoder versions. Sends no request yet. */
export function openSharedCache(bucket: Bucket): SharedCache {
  const images = `images/${engineName(engineVersions())}/`;
  const imageKey = (name: string) => `${images}${name.slice(0, 2)}/${name}`;
  const read = async (key: string) => (await bucket.read(key))?.body;

  const keepAs = async (
    key: string,
    body: Buffer,
    isRight: (body: Buffer) => boolean,
  ): Promise<UploadOutcome> => {
    if (await add(bucket, key, body)) return 'added';
    const there = await read(key);
    if (there && isRight(there)) return 'present';
    await bucket.write(key, body, HEADERS);
    return 'repaired';
  };

  return {
    name: bucket.name,
    width: concurrencyOf(bucket),
    async find(name) {
      const body = await read(imageKey(name));
      return body && unpackEntry(name, body);
    },
    keep: (name, image) =>
      keepAs(imageKey(name), packEntry(name, image), (body) => unpackEntry(name, body) !== undefined),
    async present(wanted) {
      const found = new Set<string>();
      if (wanted.size === 0) return found;
      await pLimit(LISTINGS_AT_ONCE).map([...'0123456789abcdef'], async (digit) => {
        for await (const { key } of bucket.list(images + digit)) {
          const name = key.slice(key.lastIndexOf('/') + 1);
          if (IMAGE_NAME.test(name) && wanted.has(name)) found.add(name);
        }
      });
      return found;
    },
  };
}

async function add(bucket: Bucket, key: string, body: Buffer): Promise<boolean> {
  try {
    await bucket.write(key, body, HEADERS, { absent: true });
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    if (!(error instanceof BucketError) || error.code !== 'condition-unsupported') throw error;
    // Without conditional writes, two machines may write the same bytes twice, which is harmless.
    if (await bucket.inspect(key)) return false;
    await bucket.write(key, body, HEADERS);
  }
  return true;
}
