/** Makes CloudFront forget what changed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EnvHttpProxyAgent } from 'undici';
import { LIST_PATH, PROPERTIES_FOLDER } from '../../contract/keys.ts';
import type { Release } from '../../release/release.ts';
import { retry } from '../../storage/backoff.ts';
import { findCredentials } from '../../storage/s3/account.ts';
import { BODY_DIGEST, createSigner, sha256 } from '../../storage/s3/signature.ts';
import { escapeXml, readError, readText } from '../../storage/s3/xml.ts';
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

/** How to reach CloudFront. Credentials come from where users of AWS keep them. */
export type CloudFrontOptions = {
  /** Id of the distribution. */
  readonly distribution: string;
  /** Exact paths at most; with more, folders are invalidated. @default 500 */
  readonly limit?: number | undefined;
  /** Invalidates tags, which the distribution must be set up to read. @default false */
  readonly byTag?: boolean | undefined;
  /** Waits until the edge locations have forgotten. @default false */
  readonly wait?: boolean | undefined;
  /** @default `AWS_ENDPOINT_URL_CLOUDFRONT`, `AWS_ENDPOINT_URL`, else AWS */
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
  const { distribution, limit = 500, byTag = false, wait = false, interval = 5000, endpoint } = options;
  return {
    name: 'CloudFront',
    async invalidate(before, after, others) {
      const tags = byTag ? changedTags(before, after, { limit, others }) : undefined;
      const paths = tags?.map((tag) => `#${tag}`) ?? cloudFrontPaths(before, after, limit, others);
      if (paths.length === 0) return paths;
      const service = openService(endpoint);
      try {
        const path = `/${VERSION}/distribution/${encodeURIComponent(distribution)}/invalidation`;
        const made = await service.send('POST', path, batchOf(paths, `${after.name}-${Date.now()}`));
        const id = readText(made, 'Invalidation', 'Id');
        for (let found = made; wait && readText(found, 'Invalidation', 'Status') !== 'Completed'; ) {
          await sleep(interval);
          found = await service.send('GET', `${path}/${encodeURIComponent(id)}`);
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

/** Version of the interface of CloudFront. */
const VERSION = '2020-05-31';
const ATTEMPTS = 5;

/** The body of `CreateInvalidation`. */
function batchOf(paths: readonly string[], reference: string): string {
  const items = paths.map((path) => `<Path>${escapeXml(path)}</Path>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><InvalidationBatch xmlns="http://cloudfront.amazonaws.com/doc/${VERSION}/"><Paths><Quantity>${paths.length}</Quantity><Items>${items}</Items></Paths><CallerReference>${escapeXml(reference)}</CallerReference></InvalidationBatch>`;
}

type Service = {
  /** Sends a request until it succeeds, at most {@link ATTEMPTS} times, and returns the body of the answer. */
  readonly send: (method: 'GET' | 'POST', path: string, body?: string) => Promise<Buffer>;
  readonly close: () => void;
};

function openService(given: string | undefined): Service {
  const { AWS_ENDPOINT_URL_CLOUDFRONT, AWS_ENDPOINT_URL } = process.env;
  const endpoint =
    given ?? (AWS_ENDPOINT_URL_CLOUDFRONT || AWS_ENDPOINT_URL || 'https://cloudfront.amazonaws.com');
  const { origin, host } = new URL(endpoint);
  // CloudFront is one for all regions, and takes signatures for this one.
  const signer = createSigner('cloudfront', 'us-east-1');
  const credentials = findCredentials();
  const dispatcher = new EnvHttpProxyAgent({ headersTimeout: 30_000, bodyTimeout: 30_000 });

  const sendOnce = async (method: 'GET' | 'POST', path: string, body: string) => {
    const digest = sha256(body);
    const headers = { host, [BODY_DIGEST]: digest, ...(body ? { 'content-type': 'text/xml' } : {}) };
    const signed = signer.headers(
      { method, path, query: {}, headers },
      await credentials(),
      Date.now(),
      digest,
    );
    const answer = await dispatcher.request({ origin, path, method, headers: signed, body: body || null });
    const received = Buffer.from(await answer.body.arrayBuffer());
    if (answer.statusCode < 300) return received;
    const { code, message } = readError(received) ?? { code: 'without a code', message: '' };
    throw new PurgeRefusal(answer.statusCode, `${code} ${message}`.trim());
  };

  return {
    send: (method, path, body = '') => retry(ATTEMPTS, () => sendOnce(method, path, body), isPassing),
    close: () => void dispatcher.destroy(),
  };
}
