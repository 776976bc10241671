/** Cloudflare API "Purge Cached Content". */
import { env } from 'node:process';
import { UsageError } from '../../errors/errors.ts';
import { batches } from '../../storage/for-each.ts';
import type { HttpResponse } from '../../storage/http-client.ts';
import type { Purger } from './purge-caches.ts';
import { PurgeRefusal, type PurgeRequestOptions, withPurgeClient } from './request.ts';
import { limitPrefixes, MAX_PREFIXES } from './stale-prefixes.ts';

type CloudflareOptions = PurgeRequestOptions & {
  readonly zone: string;
  /** API token that is permitted to purge the zone. */
  readonly token: string;
  readonly baseUrl: string;
  /** Maximum number of prefixes; beyond it, all of the data folder or the whole host is purged. @default 15 */
  readonly limit?: number | undefined;
  /** @default `CLOUDFLARE_BASE_URL`, as in Cloudflare's own libraries, else Cloudflare's API */
  readonly endpoint?: string | undefined;
};

/** Maximum number of prefixes per request (API reference). */
const PURGED_AT_ONCE = 30;

const API = 'https://api.cloudflare.com/client/v4';

/** @throws UsageError `invalid-base-url` */
export function createCloudflarePurger(options: CloudflareOptions): Purger {
  const { zone, token, baseUrl, limit = MAX_PREFIXES } = options;
  const endpoint = options.endpoint ?? (env.CLOUDFLARE_BASE_URL || API);
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new UsageError(
      'invalid-base-url',
      `"${baseUrl}" is not a base URL. Give one such as https://stays.example.`,
    );
  }
  const { host } = new URL(baseUrl);
  const url = `${endpoint}/zones/${encodeURIComponent(zone)}/purge_cache`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return {
    name: 'Cloudflare',
    async purge({ paths }) {
      // A prefix has no scheme and covers all queries.
      const prefixes = (limitPrefixes(paths, limit) ?? ['/']).map((path) => host + path);
      await withPurgeClient(`Cloudflare zone ${zone}`, options, async (client) => {
        for (const group of batches(prefixes, PURGED_AT_ONCE)) {
          const request = { method: 'POST', url, headers, body: JSON.stringify({ prefixes: group }) };
          await client.retry(async () => refuseFailure(await client.send(request)));
        }
      });
      return prefixes;
    },
  };
}

function refuseFailure(answer: HttpResponse): void {
  const text = answer.body.toString('utf8');
  if (answer.status < 300 && (JSON.parse(text) as { success?: unknown }).success === true) return;
  throw new PurgeRefusal(answer, text.slice(0, 300));
}
