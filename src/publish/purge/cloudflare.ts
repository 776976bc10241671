/** Makes Cloudflare forget what changed (API "Purge Cached Content"). */
import { EnvHttpProxyAgent, fetch } from 'undici';
import { LIST_PATH } from '../../contract/keys.ts';
import { UsageError } from '../../errors.ts';
import type { Release } from '../../release/release.ts';
import { retry } from '../../storage/backoff.ts';
import { groups } from '../../storage/for-each.ts';
import { changedPaths, type Invalidator, invalidationError, isPassing, PurgeRefusal } from './purge.ts';

/** How to reach Cloudflare. */
export type CloudflareOptions = {
  /** Id of the zone. */
  readonly zone: string;
  /** An API token that may purge the zone's cache. */
  readonly token: string;
  /** URL in front of the API, as consumers know it. */
  readonly baseUrl: string;
  /** URLs at most; with more, everything below the host is purged. @default 500 */
  readonly limit?: number | undefined;
  /** @default `CLOUDFLARE_BASE_URL`, which Cloudflare's own libraries read too, else Cloudflare */
  readonly endpoint?: string | undefined;
  /** Milliseconds before a second attempt at most. @default 1000 */
  readonly delay?: number | undefined;
};

/** What one purge names. */
export type Purge = { readonly files: readonly string[]; readonly prefixes: readonly string[] };

/** URLs or prefixes that one request can name (API reference). */
const PURGED_AT_ONCE = 30;
const ATTEMPTS = 5;

/** The URLs and prefixes that cover what changed. A prefix has no scheme, and covers every query. */
export function cloudflarePurge(
  before: readonly Release[],
  after: Release,
  { baseUrl, limit, others }: { baseUrl: string; limit: number; others: readonly string[] },
): Purge {
  const { origin, host } = new URL(baseUrl);
  const changed = changedPaths(before, after, { limit, others });
  if (!changed) return { files: [], prefixes: [`${host}/`] };
  const list = `${after.manifest.api.base}${LIST_PATH}`;
  // The path of the list is the start of that of every detail.
  const isCovered = (path: string) => changed.hasLists && path.startsWith(list);
  const files = [...changed.paths].filter((path) => !isCovered(path)).map((path) => origin + path);
  return { files: files.sort(), prefixes: changed.hasLists ? [host + list] : [] };
}

const API = 'https://api.cloudflare.com/client/v4';

/** @throws UsageError when the base URL is not one. */
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
  const purge = (dispatcher: EnvHttpProxyAgent, body: Partial<Purge>) =>
    retry(ATTEMPTS, () => post(url, token, body, dispatcher), isPassing, { delay }).catch(
      (error: unknown) => {
        throw invalidationError(`Cloudflare zone ${zone}`, error);
      },
    );
  return {
    name: 'Cloudflare',
    async invalidate(before, after, others) {
      const { files, prefixes } = cloudflarePurge(before, after, { baseUrl, limit, others });
      // Goes through the proxy that the environment names.
      const dispatcher = new EnvHttpProxyAgent();
      try {
        for (const group of groups(prefixes, PURGED_AT_ONCE)) await purge(dispatcher, { prefixes: group });
        for (const group of groups(files, PURGED_AT_ONCE)) await purge(dispatcher, { files: group });
      } finally {
        await dispatcher.close();
      }
      return [...prefixes, ...files];
    },
  };
}

async function post(url: string, token: string, body: unknown, dispatcher: EnvHttpProxyAgent): Promise<void> {
  const response = await fetch(url, {
    dispatcher,
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (response.ok && (JSON.parse(text) as { success?: unknown }).success === true) return;
  throw new PurgeRefusal(response.status, text.slice(0, 300));
}
