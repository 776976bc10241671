import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { UsageError } from '../errors/errors.ts';
import { maskPasswords } from '../text/mask-passwords.ts';
import type { OpenedBucket } from './bucket.ts';
import { openFolderBucket } from './folder/bucket.ts';
import { createPace, MAX_IN_FLIGHT } from './pace.ts';
import { type RetryOptions, withRetry } from './retrying-bucket.ts';

export type BucketOptions = {
  /** @default the endpoint that the environment names (not for `gs://`), or the provider's own */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** @default adapts to the store, up to 256 */
  readonly concurrency?: number | undefined;
  /** Milliseconds without data after which a request fails. @default 60000 */
  readonly timeout?: number | undefined;
  readonly retry?: RetryOptions | undefined;
};

const FORMS = 's3://bucket, s3://bucket/prefix, gs://bucket/prefix, az://container/prefix or dir:/path';

/** Connections beyond the requests in flight, so that renewals of the lock find one free. */
const SPARE_CONNECTIONS = 4;

/**
 * Sends no request yet.
 * @throws UsageError `no-target`, `invalid-target`, `invalid-endpoint`; for `az://` also EnvironmentError
 * `azure-package-missing` and BucketError `bucket-credentials`
 */
export async function openBucket(address: string, options: BucketOptions = {}): Promise<OpenedBucket> {
  if (address === '') {
    throw new UsageError('no-target', `Name ${FORMS}, or set CATALOGUE_BUCKET.`);
  }
  if (address.startsWith('dir:') && address.length > 'dir:'.length) {
    // A shell leaves the `~` of `dir:~/x` as it is, since it expands `~` only at the start of a word.
    const folder = address.slice('dir:'.length).replace(/^~(?=$|[/\\])/, homedir);
    return { bucket: openFolderBucket(resolve(folder), { isPublished: true }), close: () => {} };
  }
  const match = /^(s3|gs|az):\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/([0-9A-Za-z!_.'()/-]*))?$/.exec(
    address,
  );
  const prefix = match?.[3]?.replace(/\/+$/, '') ?? '';
  if (!match || /^\/|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/.test(prefix)) {
    throw new UsageError('invalid-target', `"${address}" is not a bucket or folder. Give ${FORMS}.`);
  }
  if (/(?:^|\/)(?:_(?:catalogue|previews)(?:\/|$)|(?:changes|docs)$)/.test(prefix)) {
    throw new UsageError(
      'invalid-target',
      `"${address}" may be inside another catalogue, whose own objects are there. Give another prefix.`,
    );
  }
  const { endpoint, region, concurrency, timeout } = options;
  if (endpoint !== undefined) assertEndpoint(endpoint);
  const [, scheme, name = ''] = match;
  const retry: RetryOptions = { pace: createPace({ concurrency }), ...options.retry };
  const connections = (concurrency ?? MAX_IN_FLIGHT) + SPARE_CONNECTIONS;
  const place = { bucket: name, prefix, endpoint, region, connections, timeout, retry };
  const { bucket, close } =
    scheme === 'az'
      ? await (await import('./azure/bucket.ts')).openAzureBucket(place)
      : (await import('./s3/bucket.ts')).openS3Bucket({ ...place, scheme: scheme as 's3' | 'gs' });
  return { bucket: withRetry(bucket, retry), close };
}

function assertEndpoint(endpoint: string): void {
  const shown = maskPasswords(endpoint);
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new UsageError('invalid-endpoint', `"${shown}" is not a URL. Give one such as https://s3.example.`);
  }
  if (url.username || url.password) {
    const advice = 'Credentials belong in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.';
    throw new UsageError('invalid-endpoint', `"${shown}" holds a user name or a password. ${advice}`);
  }
}
