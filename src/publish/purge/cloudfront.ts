/** Invalidates CloudFront's cache after a publish. */

import { env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIST_PATH } from '../../contract/keys.ts';
import type { Release } from '../../release/release.ts';
import { createSigner } from '../../storage/s3/signature.ts';
import { escapeXml, readText } from '../../storage/s3/xml.ts';
import { openAwsService } from './aws-service.ts';
import { changedPaths, type Invalidator, invalidationError } from './purge.ts';

/** Options for CloudFront. Credentials come from the places that AWS tools use. */
export type CloudFrontOptions = {
  readonly distribution: string;
  /** Largest number of exact paths; with more, everything is invalidated. @default 500 */
  readonly limit?: number | undefined;
  /** Waits until the edge locations have completed the invalidation. @default false */
  readonly wait?: boolean | undefined;
  /** @default `AWS_ENDPOINT_URL_CLOUDFRONT`, `AWS_ENDPOINT_URL`, else AWS */
  readonly endpoint?: string | undefined;
  /** Milliseconds between two status requests, with `wait`. @default 5000 */
  readonly interval?: number | undefined;
};

/** Computes the paths that cover all changes, ascending. */
export function cloudFrontPaths(
  before: readonly Release[],
  after: Release,
  limit: number,
  others: readonly string[] = [],
): string[] {
  const changed = changedPaths(before, after, { limit, others });
  if (!changed) return ['/*'];
  const list = `${after.manifest.api.base}${LIST_PATH}`;
  return [...changed.paths, ...(changed.hasLists ? [list, `${list}?*`] : [])].sort();
}

export function createCloudFront(options: CloudFrontOptions): Invalidator {
  const { distribution, limit = 500, wait = false, interval = 5000, endpoint } = options;
  return {
    name: 'CloudFront',
    async invalidate(before, after, others) {
      const paths = cloudFrontPaths(before, after, limit, others);
      if (paths.length === 0) return paths;
      // CloudFront is global, and takes signatures for this region.
      const service = openAwsService({
        endpoint: endpoint ?? (env.AWS_ENDPOINT_URL_CLOUDFRONT || env.AWS_ENDPOINT_URL || ENDPOINT),
        signer: createSigner('cloudfront', 'us-east-1'),
        type: 'text/xml',
      });
      try {
        const path = `/${VERSION}/distribution/${encodeURIComponent(distribution)}/invalidation`;
        const { body: made } = await service.send(
          'POST',
          path,
          batchOf(paths, `${after.name}-${Date.now()}`),
        );
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

/** CloudFront API version. */
const VERSION = '2020-05-31';
const ENDPOINT = 'https://cloudfront.amazonaws.com';

/** Builds the body of `CreateInvalidation`. */
function batchOf(paths: readonly string[], reference: string): string {
  const items = paths.map((path) => `<Path>${escapeXml(path)}</Path>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/${VERSION}/"><Paths><Quantity>${paths.length}</Quantity><Items>${items}</Items></Paths><CallerReference>${escapeXml(reference)}</CallerReference></InvalidationBatch>`;
}
