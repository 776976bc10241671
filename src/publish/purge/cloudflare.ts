/** Purges Cloudflare's cache after a publish (API "Purge Cached Content"). */
import { LIST_PATH } from '../../contract/keys.ts';
import { UsageError } from '../../errors.ts';
import type { Release } from '../../release/release.ts';
import { retry } from '../../storage/backoff.ts';
import { groups } from '../../storage/for-each.ts';
import { createHttpClient, type HttpClient } from '../../storage/http-client.ts';
import { changedPaths, type Invalidator, invalidationError, isPassing, PurgeRefusal } from './purge.ts';

export type CloudflareOptions = {
  readonly zone: string;
  /** API token with permission to purge the zone's cache. */
  readonly token: string;
  /** Public URL in front of the API. */
  readonly baseUrl: string;
  /** Largest number of URLs; with more, the whole host is purged. @default 500 */
  readonly limit?: number | undefined;
  /** @default `CLOUDFLARE_BASE_URL`, which Cloudflare's own libraries also read, else Cloudflare */
  readonly endpoint?: string | undefined;
  /** Upper limit of the first retry delay, in milliseconds. @default 1000 */
  readonly delay?: number | undefined;
};

export type Purge = { readonly files: readonly string[]; readonly prefixes: readonly string[] };

/** Largest number of URLs or prefixes per request (API reference). */
const PURGED_AT_ONCE = 30;
const ATTEMPTS = 5;

/** Computes the URLs and prefixes that cover all changes. A prefix has no scheme, and covers every query. */
export function cloudflarePurge(
  before: readonly Release[],
  after: Release,
  { baseUrl, limit, others }: { baseUrl: string; limit: number; others: readonly string[] },
): Purge {
  const { origin, host } = new URL(baseUrl);
  const changed = changedPaths(before, after, { limit, others });
  if (!changed) return { files: [], prefixes: [`${host}/`] };
  const list = `${after.manifest.api.base}${LIST_PATH}`;
  // The path of the list is a prefix of the path of every detail.
  const isCovered = (path: string) => changed.hasLists && path.startsWith(list);
  const files = [...changed.paths].filter((path) => !isCovered(path)).map((path) => origin + path);
  return { files: files.sort(), prefixes: changed.hasLists ? [host + list] : [] };
}

const API = 'https://api.cloudflare.com/client/v4';

/** @throws UsageError `invalid-base-url`. */
export function createCloudflare(options: CloudflareOptions): Invalidator {
  const { zone, token, baseUrl, limit = 500, delay = 1000 } = options;
  const endpoint = options.endpoint ?? (process.env.CLOUDFLARE_BASE_URL || API);
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example.`,
    );
  }
  const url = `${endpoint}/zones/${encodeURIComponent(zone)}/purge_cache`;
  const purge = (client: HttpClient, body: Partial<Purge>) =>
    retry(ATTEMPTS, () => post(client, url, token, body), isPassing, { delay }).catch((error: unknown) => {
      throw invalidationError(`Cloudflare zone ${zone}`, error);
    });
  return {
    name: 'Cloudflare',
    async invalidate(before, after, others) {
      const { files, prefixes } = cloudflarePurge(before, after, { baseUrl, limit, others });
      const client = createHttpClient({ proxy: true });
      try {
        for (const group of groups(prefixes, PURGED_AT_ONCE)) await purge(client, { prefixes: group });
        for (const group of groups(files, PURGED_AT_ONCE)) await purge(client, { files: group });
      } finally {
        client.close();
      }
      return [...prefixes, ...files];
    },
  };
}

async function post(client: HttpClient, url: string, token: string, purge: Partial<Purge>): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { status, body } = await client.send({ method: 'POST', url, headers, body: JSON.stringify(purge) });
  const text = body.toString('utf8');
  if (status < 300 && (JSON.parse(text) as { success?: unknown }).success === true) return;
  throw new PurgeRefusal(status, text.slice(0, 300));
}
