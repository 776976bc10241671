/**
 * Cache tags. A cache in front of the bucket can forget objects by a tag, which names what they show, instead of by their
 * addresses. The tag follows from the key, so the store and the cache give an object the same one.
 *
 * Limits: CloudFront takes 50 tags of 256 visible ASCII characters for an object ("What you need to know when invalidating
 * tags"), Cloudflare a header of 16 KB ("Purge cache by cache-tags"). Both ignore case, and separate tags by commas.
 */
import { PAGES_FOLDER } from './keys.ts';

/** The header of an answer that Cloudflare reads tags from. */
export const CACHE_TAG_HEADER = 'Cache-Tag';
/** The name under which an object store keeps the tags; S3 answers with it as a header. CloudFront is configured with this name. */
export const STORED_TAG_HEADER = 'x-amz-meta-cache-tag';

/**
 * The tag of the object of this key, at most 249 characters: that of its scope for a page or a total, since they change together;
 * its key for any other.
 *
 * @example cacheTag('_catalogue/pages/IE/-/25-1.json') // 'pages/IE/-'
 */
export function cacheTag(key: string): string {
  return key.startsWith(`${PAGES_FOLDER}/`)
    ? key.slice(PAGES_FOLDER.lastIndexOf('/') + 1, key.lastIndexOf('/'))
    : key;
}
