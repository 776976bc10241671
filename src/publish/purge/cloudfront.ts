import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import { escapeXml, readText } from '../../storage/http/xml.ts';
import { createAwsSender } from './aws-service.ts';
import { createSigner } from './aws-signature.ts';
import type { Purger } from './purge-caches.ts';
import { type PurgeRequestOptions, withPurgeClient } from './request.ts';
import { limitPrefixes, MAX_PREFIXES, type StalePrefixes } from './stale-prefixes.ts';

/** Credentials come from the places where AWS tools look for them. */
type CloudFrontOptions = PurgeRequestOptions & {
  readonly distribution: string;
  /**
   * Maximum number of paths; beyond it, all of the data folder or everything is invalidated. @default 15, also the
   * upper bound
   */
  readonly limit?: number | undefined;
  /** Waits for the invalidation to complete at the edge. @default false */
  readonly wait?: boolean | undefined;
  /** @default `AWS_ENDPOINT_URL_CLOUDFRONT`, `AWS_ENDPOINT_URL`, or AWS */
  readonly endpoint?: string | undefined;
  /** Milliseconds between status requests of `wait`. @default 5000 */
  readonly interval?: number | undefined;
};

const VERSION = '2020-05-31';
const ENDPOINT = 'https://cloudfront.amazonaws.com';

/** CloudFront requires these characters percent-encoded (unsafe by RFC 1738, 2.2). */
const UNSAFE = /[^A-Za-z0-9$\-_.+!*'(),;/?:@&=]/g;

/** Each path ends with a wildcard, which also covers all queries. CloudFront allows wildcards only at the end. */
export function cloudFrontPaths(paths: StalePrefixes, limit: number): string[] {
  return (limitPrefixes(paths, Math.min(limit, MAX_PREFIXES)) ?? ['/']).map((path) => `${encodePath(path)}*`);
}

function encodePath(path: string): string {
  return path.replace(UNSAFE, (character) => (character === '~' ? '%7E' : encodeURIComponent(character)));
}

export function createCloudFrontPurger(options: CloudFrontOptions): Purger {
  const { distribution, limit = MAX_PREFIXES, wait = false, interval = 5000, endpoint } = options;
  return {
    name: 'CloudFront',
    async purge({ paths: stale }) {
      const paths = cloudFrontPaths(stale, limit);
      if (paths.length === 0) return paths;
      await withPurgeClient(`CloudFront distribution ${distribution}`, options, async (client) => {
        const send = createAwsSender(client, {
          endpoint: endpoint ?? (env.AWS_ENDPOINT_URL_CLOUDFRONT || env.AWS_ENDPOINT_URL || ENDPOINT),
          // CloudFront is global and accepts signatures only for this region.
          signer: createSigner('cloudfront', 'us-east-1'),
          type: 'text/xml',
        });
        const path = `/${VERSION}/distribution/${encodeURIComponent(distribution)}/invalidation`;
        const { body } = await send('POST', path, batchOf(paths, randomUUID()));
        let { id, status } = invalidationIn(body);
        while (wait && status !== 'Completed') {
          await client.sleep(interval);
          ({ id, status } = invalidationIn((await send('GET', `${path}/${encodeURIComponent(id)}`)).body));
        }
      });
      return paths;
    },
  };
}

/** @throws Error if the body does not describe an invalidation, for example if it is a proxy's login page */
function invalidationIn(body: Buffer): { readonly id: string; readonly status: string } {
  const [id, status] = ['Id', 'Status'].map((name) => readText(body, 'Invalidation', name));
  if (id && status) return { id, status };
  throw new Error('the answer is not that of CloudFront to an invalidation');
}

function batchOf(paths: readonly string[], reference: string): string {
  const items = paths.map((path) => `<Path>${escapeXml(path)}</Path>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/${VERSION}/"><Paths><Quantity>${paths.length}</Quantity><Items>${items}</Items></Paths><CallerReference>${escapeXml(reference)}</CallerReference></InvalidationBatch>`;
}
