import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { escapeXml, readText } from '../../storage/http/xml.ts';
import { openAwsService } from './aws-service.ts';
import { createSigner } from './aws-signature.ts';
import {
  type Invalidator,
  invalidationError,
  limitPrefixes,
  MAX_PREFIXES,
  type StalePaths,
} from './purge.ts';

/** Credentials come from the places where AWS tools look for them. */
export type CloudFrontOptions = {
  readonly distribution: string;
  /** Maximum number of paths; beyond it, everything is invalidated. @default 15, also the upper bound */
  readonly limit?: number | undefined;
  /** Waits for the invalidation to complete at the edge. @default false */
  readonly wait?: boolean | undefined;
  /** @default `AWS_ENDPOINT_URL_CLOUDFRONT`, `AWS_ENDPOINT_URL`, or AWS */
  readonly endpoint?: string | undefined;
  /** Milliseconds between status requests of `wait`. @default 5000 */
  readonly interval?: number | undefined;
  /** Upper limit of the first retry delay, in milliseconds. @default 1000 */
  readonly delay?: number | undefined;
};

/** CloudFront requires these characters percent-encoded (unsafe by RFC 1738, 2.2). */
const UNSAFE = /[^A-Za-z0-9$\-_.+!*'(),;/?:@&=]/g;

/** Each path ends with a wildcard, which also covers all queries. CloudFront allows wildcards only at the end. */
export function cloudFrontPaths(paths: StalePaths, limit: number): string[] {
  return (limitPrefixes(paths, Math.min(limit, MAX_PREFIXES)) ?? ['/']).map((path) => `${encodePath(path)}*`);
}

function encodePath(path: string): string {
  return path.replace(UNSAFE, (character) => (character === '~' ? '%7E' : encodeURIComponent(character)));
}

export function createCloudFrontInvalidator(options: CloudFrontOptions): Invalidator {
  const { distribution, limit = MAX_PREFIXES, wait = false, interval = 5000, endpoint, delay } = options;
  return {
    name: 'CloudFront',
    async invalidate({ paths: stale }) {
      const paths = cloudFrontPaths(stale, limit);
      if (paths.length === 0) return paths;
      // CloudFront is global and accepts signatures only for this region.
      const service = openAwsService({
        endpoint: endpoint ?? (env.AWS_ENDPOINT_URL_CLOUDFRONT || env.AWS_ENDPOINT_URL || ENDPOINT),
        signer: createSigner('cloudfront', 'us-east-1'),
        type: 'text/xml',
        delay,
      });
      try {
        const path = `/${VERSION}/distribution/${encodeURIComponent(distribution)}/invalidation`;
        const { body: made } = await service.send('POST', path, batchOf(paths, randomUUID()));
        const id = readText(made, 'Invalidation', 'Id');
        for (let found = made; wait && readText(found, 'Invalidation', 'Status') !== 'Completed'; ) {
          await sleep(interval);
          ({ body: found } = await service.send('GET', `${path}/${encodeURIComponent(id)}`));
        }
      } catch (error) {
        throw invalidationError(`CloudFront distribution ${distribution}`, error);
      } finally {
        service.close();
      }
      return paths;
    },
  };
}

const VERSION = '2020-05-31';
const ENDPOINT = 'https://cloudfront.amazonaws.com';

function batchOf(paths: readonly string[], reference: string): string {
  const items = paths.map((path) => `<Path>${escapeXml(path)}</Path>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/${VERSION}/"><Paths><Quantity>${paths.length}</Quantity><Items>${items}</Items></Paths><CallerReference>${escapeXml(reference)}</CallerReference></InvalidationBatch>`;
}
