/** What a failed request to S3 means. */
import { BucketError, type BucketErrorCode, ConditionFailed } from './bucket.ts';

/** The object is not there. */
export class NotFound extends Error {
  constructor(key: string) {
    super(`${key} is not there`);
    this.name = 'NotFound';
  }
}

/** What the SDK throws, as far as it tells. */
type SdkError = {
  name?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
};

/** Statuses that a server gives when it is busy (RFC 9110, 15.5.9 and 15.6; RFC 6585, 4). */
const BUSY = new Set([408, 429, 500, 502, 503, 504, 509]);
/** Names of errors that go away. */
const TRANSIENT = new Set([
  'SlowDown',
  'InternalError',
  'ServiceUnavailable',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'ThrottlingException',
  'Throttling',
  'TooManyRequests',
  'OperationAborted',
  'ConditionalRequestConflict',
  // A body that changed on the way.
  'BadDigest',
  'XAmzContentSHA256Mismatch',
  'XAmzContentChecksumMismatch',
  'IncompleteBody',
]);

/**
 * The error to throw for one of the SDK's.
 *
 * @param where the object, as `s3://bucket/key`.
 * @param isConditional whether the request had a condition.
 */
export function s3Error(error: unknown, where: string, isConditional: boolean): Error {
  if (error instanceof BucketError || error instanceof ConditionFailed) return error;
  const { name = '', message = '', code, $metadata, $response } = error as SdkError;
  const status = $metadata?.httpStatusCode ?? $response?.statusCode;
  const text = `${where}: ${status ? `${status} ` : ''}${name}${message && message !== name ? ` (${message})` : ''}`;
  const bucketError = (kind: BucketErrorCode, advice: string, isTransient = false) =>
    new BucketError(kind, `${text}. ${advice}`, isTransient, error);

  if (name === 'CredentialsProviderError' || name === 'TokenProviderError') {
    return new BucketError(
      'bucket-credentials',
      `There are no credentials for ${where}. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or whatever the AWS SDK reads.`,
      false,
      error,
    );
  }
  if (name === 'Region is missing' || /^Region is missing/.test(message)) {
    return bucketError('bucket-credentials', 'Name the region with --region or AWS_REGION.');
  }
  if (
    TRANSIENT.has(name) ||
    (status !== undefined && BUSY.has(status)) ||
    (status === 409 && isConditional)
  ) {
    return bucketError('bucket-busy', 'Run the command again: it goes on from what arrived.', true);
  }
  if (name === 'NoSuchBucket')
    return bucketError('bucket-missing', 'Create the bucket, or correct its name.');
  if (status === 412 || (status === 404 && isConditional)) return new ConditionFailed(where);
  if (status === 404) return new NotFound(where);
  if (status === 401 || status === 403) {
    return bucketError(
      'bucket-denied',
      'Check the credentials, and that they may read, write, list and delete.',
    );
  }
  if (status === 501 || status === 405 || (isConditional && (status === 400 || status === 402))) {
    return bucketError('condition-unsupported', 'The store does not know this request.');
  }
  // An answer that ends early has a status too.
  if (status === undefined || code !== undefined || (status >= 200 && status < 300)) {
    return new BucketError(
      'bucket-unreachable',
      `${where}: ${message || name || code}. Check the network and --endpoint; then run the command again: it goes on from what arrived.`,
      true,
      error,
    );
  }
  return bucketError('bucket-failed', 'The store refused the request.');
}
