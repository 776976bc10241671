/** What each failure of a server means: try again, give up, or the condition did not hold. */
import { describe, expect, it } from 'vitest';
import { BucketError, ConditionFailed } from '../../../src/storage/bucket.ts';
import { failureOf, NotFound, refusalOf } from '../../../src/storage/s3/errors.ts';

type Headers = Record<string, string>;
const asked = { where: 's3://stays/key', isConditional: false, region: 'us-east-1' };

/** The error for an answer with this status and code. */
const refused = (status: number, code: string, isConditional = false, headers: Headers = {}) =>
  refusalOf(
    {
      status,
      headers,
      body: Buffer.from(`<Error><Code>${code}</Code><Message>No &amp; no</Message></Error>`),
      time: undefined,
    },
    { ...asked, isConditional },
  );
/** The error where no answer came. */
const failed = (code: string, message = `connect ${code}`) =>
  failureOf(Object.assign(new Error(message), { code }), asked);

const outcome = (failure: Error) => {
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
    expect(outcome(refused(status, name))).toBe('bucket-busy, again');
    expect(outcome(refused(status, name, true))).toBe('bucket-busy, again');
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'])('%s passes', (code) => {
    expect(outcome(failed(code))).toBe('bucket-unreachable, again');
  });

  it.each([
    [401, 'Unauthorized', 'bucket-denied', 'bucket-denied'],
    [403, 'AccessDenied', 'bucket-denied', 'bucket-denied'],
    [403, 'RequestTimeTooSkewed', 'bucket-clock', 'bucket-clock'],
    [400, 'ExpiredToken', 'bucket-credentials', 'bucket-credentials'],
    [403, 'InvalidAccessKeyId', 'bucket-credentials', 'bucket-credentials'],
    [403, 'SignatureDoesNotMatch', 'bucket-credentials', 'bucket-credentials'],
    [400, 'AuthorizationHeaderMalformed', 'bucket-region', 'bucket-region'],
    [400, 'AuthorizationQueryParametersError', 'bucket-region', 'bucket-region'],
    [301, 'PermanentRedirect', 'bucket-region', 'bucket-region'],
    [407, '', 'bucket-proxy', 'bucket-proxy'],
    [511, '', 'bucket-proxy', 'bucket-proxy'],
    [404, 'NoSuchBucket', 'bucket-missing', 'bucket-missing'],
    [404, 'NoSuchKey', 'absent', 'refused'],
    [412, 'PreconditionFailed', 'refused', 'refused'],
    [409, 'ConditionalRequestConflict', 'bucket-busy, again', 'bucket-busy, again'],
    [409, 'Conflict', 'bucket-failed', 'bucket-busy, again'],
    [400, 'InvalidArgument', 'bucket-failed', 'condition-unsupported'],
    [402, 'PaymentRequired', 'bucket-failed', 'condition-unsupported'],
    [405, 'MethodNotAllowed', 'condition-unsupported', 'condition-unsupported'],
    [501, 'NotImplemented', 'condition-unsupported', 'condition-unsupported'],
  ])('%i %s: %s; of a conditional write: %s (A6)', (status, name, plain, conditional) => {
    expect(outcome(refused(status, name))).toBe(plain);
    expect(outcome(refused(status, name, true))).toBe(conditional);
  });

  it('of the region names the one to give (A16)', () => {
    const elsewhere = refused(301, 'PermanentRedirect', false, { 'x-amz-bucket-region': 'eu-west-1' });
    expect(elsewhere.message).toContain('The bucket lies in eu-west-1, and the request was for us-east-1');
    // The answer to a HEAD has no body.
    const headers = { 'x-amz-bucket-region': 'eu-west-1' };
    const head = { status: 400, headers, body: Buffer.alloc(0), time: undefined };
    expect(outcome(refusalOf(head, asked))).toBe('bucket-region');
    expect(outcome(refusalOf({ ...head, headers: { 'x-amz-bucket-region': 'us-east-1' } }, asked))).toBe(
      'bucket-failed',
    );
  });

  it('without credentials says what to set', () => {
    const none = Object.assign(new Error('Could not load'), { name: 'CredentialsProviderError' });
    expect(outcome(failureOf(none, asked))).toBe('bucket-credentials');
    expect(failureOf(none, asked).message).toContain('AWS_ACCESS_KEY_ID');
  });

  it('of a certificate is not tried again, and that of a proxy is named as such (A16)', () => {
    expect(outcome(failed('DEPTH_ZERO_SELF_SIGNED_CERT'))).toBe('bucket-unreachable');
    expect(failed('CERT_HAS_EXPIRED').message).toContain('NODE_EXTRA_CA_CERTS');
    expect(outcome(failed('UND_ERR_ABORTED', 'Proxy response (407) !== 200 when HTTP Tunneling'))).toBe(
      'bucket-proxy',
    );
  });

  it('quotes the store, and no password (A16)', () => {
    expect(refused(500, 'InternalError').message).toContain('s3://stays/key: 500 InternalError (No & no).');
    expect(failed('ENOTFOUND', 'no http://ann:s3cret@proxy.example').message).not.toMatch(/s3cret|ann/);
  });
});
