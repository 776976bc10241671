/** Cloudflare API "Purge Cached Content". */
import { UsageError } from '../../errors/errors.ts';
import { parseRetryAfter, retry } from '../../storage/backoff.ts';
import { batches } from '../../storage/for-each.ts';
import { createHttpClient, type HttpClient } from '../../storage/http-client.ts';
import {
  type Invalidator,
  invalidationError,
  isRetryable,
  limitPrefixes,
  MAX_PREFIXES,
  PURGE_ATTEMPTS,
  PURGE_BACKOFF,
  PurgeRefusal,
} from './purge.ts';

export type CloudflareOptions = {
  readonly zone: string;
  /** API token that is permitted to purge the zone. */
  readonly token: string;
  readonly baseUrl: string;
  /** Maximum number of prefixes; beyond it, the whole host is purged. @default 15 */
  readonly limit?: number | undefined;
  /** @default `CLOUDFLARE_BASE_URL`, as in Cloudflare's own libraries, else Cloudflare's API */
  readonly endpoint?: string | undefined;
  /** Upper limit of the first retry delay, in milliseconds. @default 1000 */
  readonly delay?: number | undefined;
};

/** Maximum number of prefixes per request (API reference). */
const PURGED_AT_ONCE = 30;

const API = 'https://api.cloudflare.com/client/v4';

/** @throws UsageError `invalid-base-url` */
export function createCloudflareInvalidator(options: CloudflareOptions): Invalidator {
  const { zone, token, baseUrl, limit = MAX_PREFIXES, delay = PURGE_BACKOFF.delay } = options;
  const endpoint = options.endpoint ?? (process.env.CLOUDFLARE_BASE_URL || API);
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example.`,
    );
  }
  const { host } = new URL(baseUrl);
  const url = `${endpoint}/zones/${encodeURIComponent(zone)}/purge_cache`;
  return {
    name: 'Cloudflare',
    async invalidate({ paths }) {
      // A prefix has no scheme and covers all queries.
      const prefixes = (limitPrefixes(paths, limit) ?? ['/']).map((path) => host + path);
      const client = createHttpClient({ proxy: true });
      try {
        for (const group of batches(prefixes, PURGED_AT_ONCE)) {
          const purge = () => post(client, url, token, group);
          await retry(PURGE_ATTEMPTS, purge, isRetryable, { ...PURGE_BACKOFF, delay });
        }
      } catch (error) {
        throw invalidationError(`Cloudflare zone ${zone}`, error);
      } finally {
        client.close();
      }
      return prefixes;
    },
  };
}

async function post(
  client: HttpClient,
  url: string,
  token: string,
  prefixes: readonly string[],
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await client.send({ method: 'POST', url, headers, body: JSON.stringify({ prefixes }) });
  const { status } = answer;
  const text = answer.body.toString('utf8');
  if (status < 300 && (JSON.parse(text) as { success?: unknown }).success === true) return;
  throw new PurgeRefusal(
    status,
    text.slice(0, 300),
    '',
    parseRetryAfter(answer.headers['retry-after']?.toString()),
  );
}
