/** Makes Cloudflare forget what changed (API "Purge Cached Content"). */
import { EnvHttpProxyAgent, fetch } from 'undici';
import { LIST_PATH, PROPERTIES_FOLDER } from '../../contract/keys.ts';
import { UsageError } from '../../errors.ts';
import type { Release } from '../../release/release.ts';
import { retry } from '../../storage/backoff.ts';
import { groups } from '../../storage/for-each.ts';
import {
  changedKeys,
  changedTags,
  coverPaths,
  detailPath,
  type Invalidator,
  invalidationError,
  isListKey,
  isPassing,
  PurgeRefusal,
} from './purge.ts';

/** How to reach Cloudflare. */
export type CloudflareOptions = {
  /** Id of the zone. */
  readonly zone: string;
  /** An API token that may purge the zone's cache. */
  readonly token: string;
  /** URL in front of the API, as consumers know it. */
  readonly baseUrl: string;
  /** URLs at most; with more, prefixes are purged. @default 500 */
  readonly limit?: number | undefined;
  /** Purges tags, which the Worker gives to what it caches. @default false */
  readonly byTag?: boolean | undefined;
  /** @default `CLOUDFLARE_BASE_URL`, which Cloudflare's own libraries read too, else Cloudflare */
  readonly endpoint?: string | undefined;
  /** Milliseconds before a second attempt at most. @default 1000 */
  readonly delay?: number | undefined;
};

/** What one purge names. */
export type Purge = { readonly files: readonly string[]; readonly prefixes: readonly string[] };

/** URLs, prefixes or tags that one request can name (API reference). */
const PURGED_AT_ONCE = 30;
const ATTEMPTS = 5;

/** The URLs and prefixes that cover what changed. A prefix has no scheme, and covers every query. */
export function cloudflarePurge(
  before: readonly Release[],
  after: Release,
  { baseUrl, limit, others }: { baseUrl: string; limit: number; others: readonly string[] },
): Purge {
  const { host } = new URL(baseUrl);
  if (before.length === 0) return { files: [], prefixes: [`${host}/`] };
  const changed = () => changedKeys(before, after, others);
  return exactPurge(changed(), after, baseUrl, limit) ?? coarsePurge(changed(), after, baseUrl, limit);
}

/** Undefined when there are more URLs than the limit. */
function exactPurge(
  changed: Iterable<string>,
  after: Release,
  baseUrl: string,
  limit: number,
): Purge | undefined {
  const { origin, host } = new URL(baseUrl);
  const { base } = after.manifest.api;
  const files = new Set<string>();
  const prefixes = new Set<string>();
  for (const key of changed) {
    // The worker keeps files under their keys.
    files.add(`${origin}/${key}`);
    const detail = detailPath(base, key);
    if (detail) files.add(origin + detail);
    // Lists have no end of URLs.
    else if (isListKey(key)) prefixes.add(`${host}${base}${LIST_PATH}`);
    else files.add(`${origin}${base}/${key}`);
    if (files.size > limit) return undefined;
  }
  return uncovered(files, prefixes);
}

function coarsePurge(changed: Iterable<string>, after: Release, baseUrl: string, limit: number): Purge {
  const { origin, host } = new URL(baseUrl);
  const { base } = after.manifest.api;
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const key of changed) {
    if (isListKey(key)) folders.add(`/${key.slice(0, key.lastIndexOf('/'))}/*`);
    else if (!detailPath(base, key)) {
      files.add(`${origin}/${key}`);
      files.add(`${origin}${base}/${key}`);
    }
  }
  if (files.size > limit) return { files: [], prefixes: [`${host}/`] };
  const cover = coverPaths(folders, PURGED_AT_ONCE - 2).map((folder) => host + folder.slice(0, -1));
  return uncovered(files, new Set([...cover, `${host}${base}${LIST_PATH}`, `${host}/${PROPERTIES_FOLDER}/`]));
}

/** Leaves out URLs that a prefix covers: that of the list is the start of the path of every detail. */
function uncovered(files: ReadonlySet<string>, prefixes: ReadonlySet<string>): Purge {
  const starts = [...prefixes].map((prefix) => `://${prefix}`);
  const isCovered = (url: string) => starts.some((start) => url.startsWith(start, url.indexOf(':')));
  return { files: [...files].filter((url) => !isCovered(url)).sort(), prefixes: [...prefixes].sort() };
}

const API = 'https://api.cloudflare.com/client/v4';

/** @throws UsageError when the base URL is not one. */
export function createCloudflare(options: CloudflareOptions): Invalidator {
  const { zone, token, baseUrl, limit = 500, byTag = false, delay = 1000 } = options;
  const endpoint = options.endpoint ?? (process.env.CLOUDFLARE_BASE_URL || API);
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example.`,
    );
  }
  const url = `${endpoint}/zones/${encodeURIComponent(zone)}/purge_cache`;
  const purge = (dispatcher: EnvHttpProxyAgent, body: Partial<Purge> | { tags: readonly string[] }) =>
    retry(ATTEMPTS, () => post(url, token, body, dispatcher), isPassing, { delay }).catch(
      (error: unknown) => {
        throw invalidationError(`Cloudflare zone ${zone}`, error);
      },
    );
  return {
    name: 'Cloudflare',
    async invalidate(before, after, others) {
      const tags = byTag ? changedTags(before, after, { limit, others }) : undefined;
      const { files, prefixes } = tags
        ? { files: [], prefixes: [] }
        : cloudflarePurge(before, after, { baseUrl, limit, others });
      // Goes through the proxy that the environment names.
      const dispatcher = new EnvHttpProxyAgent();
      try {
        for (const group of groups(tags ?? [], PURGED_AT_ONCE)) await purge(dispatcher, { tags: group });
        for (const group of groups(prefixes, PURGED_AT_ONCE)) await purge(dispatcher, { prefixes: group });
        for (const group of groups(files, PURGED_AT_ONCE)) await purge(dispatcher, { files: group });
      } finally {
        await dispatcher.close();
      }
      return tags ?? [...prefixes, ...files];
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
