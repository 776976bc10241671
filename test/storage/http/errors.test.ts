/** The meaning of each failure of a server: try again, give up, or the condition did not hold. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { BucketError, ConditionFailed, RequestExpired } from '../../../src/storage/bucket.ts';
import {
  errorFromFailure,
  errorFromResponse,
  invalidStoreResponseError,
  ObjectNotFound,
} from '../../../src/storage/http/errors.ts';

type Headers = Record<string, string>;
const asked = { where: 's3://stays/key', isConditional: false, region: 'us-east-1' };

/** The error for an answer with this status and code. */
const refused = (status: number, code: string, isConditional = false, headers: Headers = {}) =>
  errorFromResponse(
    {
      status,
      headers,
      body: Buffer.from(`<Error><Code>${code}</Code><Message>No &amp; no</Message></Error>`),
      time: undefined,
    },
    { ...asked, isConditional },
  );
/** The error for a missing answer. */
const failed = (code: string, message = `connect ${code}`) =>
  errorFromFailure(Object.assign(new Error(message), { code }), asked);

const outcome = (failure: Error) => {
  if (failure instanceof BucketError) return `${failure.code}${failure.isTransient ? ', again' : ''}`;
  return failure instanceof ConditionFailed
    ? 'refused'
    : failure instanceof ObjectNotFound
      ? 'absent'
      : 'other';
};

describe('a failure', () => {
  it.each([
    [500, 'InternalError'],
    // From Ceph, for overlapping writes of one object.
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
  ])('%i %s is temporary', (status, name) => {
    expect(outcome(refused(status, name))).toBe('bucket-busy, again');
    expect(outcome(refused(status, name, true))).toBe('bucket-busy, again');
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND'])('%s is temporary', (code) => {
    expect(outcome(failed(code))).toBe('bucket-unreachable, again');
  });

  it.each([
    [401, 'Unauthorized', 'bucket-denied', 'bucket-denied'],
    [403, 'AccessDenied', 'bucket-denied', 'bucket-denied'],
    [403, 'RequestTimeTooSkewed', 'bucket-clock, again', 'bucket-clock, again'],
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

  it('of the region names the right one (A16)', () => {
    const elsewhere = refused(301, 'PermanentRedirect', false, { 'x-amz-bucket-region': 'eu-west-1' });
    expect(elsewhere.message).toContain('The bucket lies in eu-west-1, and the request was for us-east-1');
    // The answer to a HEAD has no body.
    const headers = { 'x-amz-bucket-region': 'eu-west-1' };
    const head = { status: 400, headers, body: Buffer.alloc(0), time: undefined };
    expect(outcome(errorFromResponse(head, asked))).toBe('bucket-region');
    expect(
      outcome(errorFromResponse({ ...head, headers: { 'x-amz-bucket-region': 'us-east-1' } }, asked)),
    ).toBe('bucket-failed');
  });

  it('names the request, the answer of the store, and advice', () => {
    const advice = 'Check the credentials, and that they may read, write, list and delete.';
    expect(refused(403, 'Forbidden').message).toBe(`s3://stays/key: 403 Forbidden (No & no). ${advice}`);
    const bare = { status: 403, headers: {}, body: Buffer.alloc(0), time: undefined };
    expect(errorFromResponse(bare, asked)).toMatchObject({
      ...{ name: 'BucketError', isTransient: false, message: `s3://stays/key: 403. ${advice}` },
    });
    expect(refused(404, 'NoSuchKey')).toMatchObject({
      ...{ name: 'ObjectNotFound', message: 's3://stays/key is not there' },
    });
    expect(refused(412, '').message).toContain('s3://stays/key');
  });

  it('of the region contains what is known about it', () => {
    const advice = 'The bucket lies in another region. Name its region with --region or AWS_REGION.';
    const there =
      'The bucket lies in eu-west-1, and the request was for us-east-1. Use --region eu-west-1, or set AWS_REGION.';
    expect(refused(301, 'PermanentRedirect').message).toMatch(advice);
    const same = { 'x-amz-bucket-region': 'us-east-1' };
    expect(refused(301, 'PermanentRedirect', false, same).message).toMatch(advice);
    const body = Buffer.from('<Error><Code>Moved</Code><Region>eu-west-1</Region></Error>');
    const answer = { status: 400, headers: {}, body, time: undefined };
    expect(errorFromResponse(answer, asked).message).toBe(`s3://stays/key: 400 Moved. ${there}`);
    expect(errorFromResponse({ ...answer, headers: same }, asked).message).not.toContain('lies in');
  });

  it('of a server that is no store quotes the answer', () => {
    const answer = {
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: Buffer.alloc(0),
      time: undefined,
    };
    const rest =
      'is not one of S3. A proxy or a login page may stand between; check the network and --endpoint. This request does not count as done.';
    expect(invalidStoreResponseError(answer, 's3://stays')).toMatchObject({
      ...{ code: 'bucket-not-s3', isTransient: false },
      message: `s3://stays: the answer (200, text/html) ${rest}`,
    });
    expect(invalidStoreResponseError({ ...answer, headers: {} }, 'a').message).toBe(
      `a: the answer (200, no type) ${rest}`,
    );
  });

  it('without an answer is described as far as possible', () => {
    const known = new BucketError('bucket-region', 'said', false);
    expect(errorFromFailure(known, asked)).toBe(known);
    const late = errorFromFailure(new RequestExpired('PUT /stays/live/key'), asked);
    expect(late).toBeInstanceOf(RequestExpired);
    expect(late.message).toBe(
      's3://stays/key: the request came too late, and took no effect. Run the command again: it goes on from what arrived.',
    );
    const said = (error: object) => errorFromFailure(Object.assign(new Error(''), error), asked).message;
    expect(said({ message: 'one', errors: [new Error('two')], code: 'C' })).toMatch(
      /^s3:\/\/stays\/key: one\. /,
    );
    expect(said({ errors: [new Error('two')], code: 'C' })).toMatch(/^s3:\/\/stays\/key: two\. /);
    expect(said({ errors: [], code: 'C' })).toMatch(/^s3:\/\/stays\/key: C\. /);
    expect(said({ name: 'AggregateError' })).toMatch(/^s3:\/\/stays\/key: AggregateError\. /);
    const error = new Error('x');
    expect(errorFromFailure(error, asked)).toMatchObject({ cause: error, isTransient: true });
  });

  it.each(['CredentialsProviderError', 'TokenProviderError'])('called %s explains how to log in', (name) => {
    const error = Object.assign(new Error('no https://ann:s3cret@login.example'), { name });
    expect(errorFromFailure(error, asked)).toMatchObject({
      ...{ code: 'bucket-credentials', isTransient: false, cause: error },
      message:
        'There are no credentials for s3://stays/key (no https://***@login.example). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or log in with "aws sso login".',
    });
  });

  it('of a proxy contains its answer', () => {
    const failure = failed('UND_ERR_ABORTED', 'Proxy response (407) !== 200');
    expect(failure).toMatchObject({
      ...{ code: 'bucket-proxy', isTransient: false, cause: { code: 'UND_ERR_ABORTED' } },
      message:
        's3://stays/key: Proxy response (407) !== 200. A proxy wants a login. Put it into HTTPS_PROXY, or name the store in NO_PROXY.',
    });
    expect(outcome(failed('', 'Proxy response ()'))).toBe('bucket-unreachable, again');
    expect(outcome(failed('', 'Proxy response (late)'))).toBe('bucket-unreachable, again');
  });

  it.each([
    ...['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'],
    ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    'HOSTNAME_MISMATCH',
  ])('called %s is a failure of the certificate', (code) => {
    expect(failed(code)).toMatchObject({
      ...{ code: 'bucket-unreachable', isTransient: false, cause: { code } },
      message: `s3://stays/key: connect ${code}. The certificate is not trusted, or the address speaks no TLS. Check --endpoint; name a private authority in NODE_EXTRA_CA_CERTS.`,
    });
    expect(failed(`X_${code}`)).toMatchObject({ isTransient: true });
  });

  it('of the network names the proxy in use, in the order of precedence', () => {
    const message = (network: string) =>
      `s3://stays/key: connect ECONNRESET. Check ${network} and --endpoint; then run the command again: it goes on from what arrived.`;
    const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'];
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const name of names) vi.stubEnv(name, undefined);
    expect(failed('ECONNRESET').message).toBe(message('the network'));
    for (const name of names.reverse()) {
      vi.stubEnv(name, `http://ann:s3cret@${name}:8080`);
      expect(failed('ECONNRESET').message).toBe(message(`the network, the proxy http://***@${name}:8080`));
    }
  });
});

describe('a refusal says', () => {
  const answer = (status: number, code = '', message = '') => ({
    ...{ status, headers: {}, time: undefined },
    body: Buffer.from(code && `<Error><Code>${code}</Code><Message>${message}</Message></Error>`),
  });

  it('which permission is missing', () => {
    const denied = errorFromResponse(answer(403, 'AccessDenied'), {
      ...asked,
      permission: 's3:DeleteObject',
    });
    expect(denied).toMatchObject({ code: 'bucket-denied' });
    expect(denied.message).toContain('they need the permission s3:DeleteObject.');
    expect(errorFromResponse(answer(403), asked).message).toContain('may read, write, list and delete');
  });

  it('that the credentials may have expired, where a HEAD request names no cause', () => {
    const head = { ...asked, isHead: true };
    expect(errorFromResponse(answer(400), head)).toMatchObject({ code: 'bucket-credentials' });
    expect(errorFromResponse(answer(400), head).message).toContain('have expired');
    expect(errorFromResponse(answer(400), asked)).toMatchObject({ code: 'bucket-failed' });
    expect(errorFromResponse(answer(404), head)).toBeInstanceOf(ObjectNotFound);
    const ofBucket = { ...asked, isBucket: true };
    expect(errorFromResponse(answer(404, 'Odd'), ofBucket)).toMatchObject({ code: 'bucket-missing' });
    expect(errorFromResponse(answer(404), { ...ofBucket, isConditional: true })).toBeInstanceOf(
      ConditionFailed,
    );
    expect(errorFromResponse(answer(403), head)).toMatchObject({ code: 'bucket-denied' });
  });

  it('the first line of a message of Azure, and "container"', () => {
    const text = 'The specified container does not exist.\nRequestId:1\nTime:2';
    expect(errorFromResponse(answer(404, 'ContainerNotFound', text), asked).message).toBe(
      's3://stays/key: 404 ContainerNotFound (The specified container does not exist). Create the container, or correct its name.',
    );
  });
});
