/** What each failure of a server means: try again, give up, or the condition did not hold. */
import { describe, expect, it } from 'vitest';
import { BucketError, ConditionFailed } from '../../src/publish/bucket.ts';
import { NotFound, s3Error } from '../../src/publish/s3-error.ts';

/** An error as the SDK throws it for an answer. */
const answered = (status: number, name: string) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } });
/** An error as the SDK throws it when there was no answer. */
const failed = (code: string) => Object.assign(new Error(`connect ${code}`), { name: 'TimeoutError', code });

const outcome = (error: unknown, isConditional = false) => {
  const failure = s3Error(error, 's3://stays/key', isConditional);
  if (failure instanceof BucketError) return `${failure.code}${failure.isTransient ? ', again' : ''}`;
  return failure instanceof ConditionFailed ? 'refused' : failure instanceof NotFound ? 'absent' : 'other';
};

describe('a failure', () => {
  it.each([
    [500, 'InternalError'],
    // Ceph, of writes of one object that overlap.
    [500, 'UnknownError'],
    [502, 'BadGateway'],
    [503, 'ServiceUnavailable'],
    [503, 'SlowDown'],
    [504, 'GatewayTimeout'],
    [429, 'TooManyRequests'],
    [408, 'RequestTimeout'],
    [400, 'RequestTimeout'],
    [400, 'BadDigest'],
    [400, 'XAmzContentSHA256Mismatch'],
    [409, 'OperationAborted'],
  ])('%i %s passes', (status, name) => {
    expect(outcome(answered(status, name))).toBe('bucket-busy, again');
    expect(outcome(answered(status, name), true)).toBe('bucket-busy, again');
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'])('%s passes', (code) => {
    expect(outcome(failed(code))).toBe('bucket-unreachable, again');
  });

  it.each([
    [401, 'Unauthorized', 'bucket-denied', 'bucket-denied'],
    [403, 'AccessDenied', 'bucket-denied', 'bucket-denied'],
    [403, 'RequestTimeTooSkewed', 'bucket-busy, again', 'bucket-busy, again'],
    [404, 'NoSuchBucket', 'bucket-missing', 'bucket-missing'],
    [404, 'NoSuchKey', 'absent', 'refused'],
    [412, 'PreconditionFailed', 'refused', 'refused'],
    [409, 'ConditionalRequestConflict', 'bucket-busy, again', 'bucket-busy, again'],
    [409, 'Conflict', 'bucket-failed', 'bucket-busy, again'],
    [400, 'InvalidArgument', 'bucket-failed', 'condition-unsupported'],
    [402, 'PaymentRequired', 'bucket-failed', 'condition-unsupported'],
    [405, 'MethodNotAllowed', 'condition-unsupported', 'condition-unsupported'],
    [501, 'NotImplemented', 'condition-unsupported', 'condition-unsupported'],
  ])('%i %s: %s; of a conditional write: %s', (status, name, plain, conditional) => {
    expect(outcome(answered(status, name))).toBe(plain);
    expect(outcome(answered(status, name), true)).toBe(conditional);
  });

  it('without credentials or a region says what to set', () => {
    const none = Object.assign(new Error('Could not load'), { name: 'CredentialsProviderError' });
    expect(s3Error(none, 's3://stays/key', false).message).toContain('AWS_ACCESS_KEY_ID');
    expect(s3Error(new Error('Region is missing'), 's3://stays/key', false).message).toContain('--region');
  });
});
