/** Makes CloudFront forget what changed. */

import { setTimeout as sleep } from 'node:timers/promises';
import {
  CloudFrontClient,
  CreateInvalidationCommand,
  GetInvalidationCommand,
} from '@aws-sdk/client-cloudfront';
import { LIST_PATH, PROPERTIES_FOLDER } from '../contract/layout.ts';
import { EnvironmentError } from '../report/failure.ts';
import { changedKeys, coverPaths, detailPath, type Invalidator, isListKey } from './invalidation.ts';
import type { Release } from './release.ts';

/** How to reach CloudFront. Credentials come from the SDK's own chain. */
export type CloudFrontOptions = {
  /** Id of the distribution. */
  readonly distribution: string;
  /** Exact paths at most; with more, folders are invalidated. @default 500 */
  readonly limit?: number | undefined;
  /** Waits until the edge locations have forgotten. @default false */
  readonly wait?: boolean | undefined;
  /** @default AWS */
  readonly endpoint?: string | undefined;
  /** Milliseconds between two looks, with `wait`. @default 5000 */
  readonly interval?: number | undefined;
};

/** Paths with a wildcard that one distribution takes at a time (CloudFront quotas). */
const WILDCARDS = 15;
/** Wildcards that are not of pages: all details under both of their paths, and the list. */
const OTHER_WILDCARDS = 3;

/** The paths that cover what changed, ascending. */
export function cloudFrontPaths(
  before: readonly Release[],
  after: Release,
  limit: number,
  others: readonly string[] = [],
): string[] {
  if (before.length === 0) return ['/*'];
  const changed = () => changedKeys(before, after, others);
  const exact = new Set<string>();
  for (const path of pathsOf(changed(), after)) {
    exact.add(path);
    if (exact.size > limit) return coarsePaths(changed(), after, limit);
  }
  return [...exact].sort();
}

/** CloudFront caches under the path that a viewer asked for, and under the one that a function made of it. */
function* pathsOf(changed: Iterable<string>, after: Release): Generator<string> {
  const { base } = after.manifest.api;
  for (const key of changed) {
    yield `/${key}`;
    const detail = detailPath(base, key);
    if (detail) yield detail;
    else if (isListKey(key)) {
      yield `${base}${LIST_PATH}`;
      yield `${base}${LIST_PATH}?*`;
    } else yield `${base}/${key}`;
  }
}

function coarsePaths(changed: Iterable<string>, after: Release, limit: number): string[] {
  const { base } = after.manifest.api;
  const folders = new Set<string>();
  const others = new Set<string>();
  for (const key of changed) {
    if (isListKey(key)) folders.add(`/${key.slice(0, key.lastIndexOf('/'))}/*`);
    else if (detailPath(base, key)) others.add(`/${PROPERTIES_FOLDER}/*`);
    else {
      others.add(`/${key}`);
      others.add(`${base}/${key}`);
    }
  }
  if (others.size > limit) return ['/*'];
  // Covers the list, with any query, and every detail.
  others.add(`${base}${LIST_PATH}*`);
  return [...coverPaths(folders, WILDCARDS - OTHER_WILDCARDS), ...others].sort();
}

/** Makes CloudFront forget. */
export function createCloudFront(options: CloudFrontOptions): Invalidator {
  const { distribution: DistributionId, limit = 500, wait = false, interval = 5000, endpoint } = options;
  return {
    name: 'CloudFront',
    async invalidate(before, after, others) {
      const paths = cloudFrontPaths(before, after, limit, others);
      if (paths.length === 0) return paths;
      const client = new CloudFrontClient({
        region: 'us-east-1',
        maxAttempts: 5,
        ...(endpoint ? { endpoint } : {}),
      });
      try {
        const { Invalidation } = await client.send(
          new CreateInvalidationCommand({
            DistributionId,
            InvalidationBatch: {
              CallerReference: `${after.name}-${Date.now()}`,
              Paths: { Quantity: paths.length, Items: paths },
            },
          }),
        );
        for (let status = Invalidation?.Status; wait && status !== 'Completed'; ) {
          await sleep(interval);
          const found = await client.send(
            new GetInvalidationCommand({ DistributionId, Id: Invalidation?.Id }),
          );
          status = found.Invalidation?.Status;
        }
      } catch (error) {
        throw invalidationError(`CloudFront distribution ${DistributionId}`, error);
      } finally {
        client.destroy();
      }
      return paths;
    },
  };
}

/** The error of a cache that could not be told. */
export function invalidationError(cache: string, error: unknown): EnvironmentError {
  const { name, message } = error as Error;
  return new EnvironmentError(
    'invalidation-failed',
    `The release is live, but ${cache} was not told what changed (${name}: ${message}). Run the command again: it goes on from here.`,
    { cause: error },
  );
}
