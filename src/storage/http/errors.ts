import { maskPasswords } from '../../text/mask-passwords.ts';
import { ownValue } from '../../values/own-value.ts';
import { BucketError, type BucketErrorCode, ConditionFailed, RequestExpired } from '../bucket.ts';
import type { StoreResponse } from './connection.ts';
import { readError } from './xml.ts';

export type RequestContext = {
  /** As `s3://bucket/key`, for messages. */
  readonly where: string;
  readonly isConditional: boolean;
  readonly region: string;
  /** Name of the permission that the request needs; undefined if the store does not name permissions. */
  readonly permission?: string | undefined;
  /** True for a HEAD request, whose response has no body that names a cause. @default false */
  readonly isHead?: boolean | undefined;
  /** True for a request about the bucket, not about one object. @default false */
  readonly isBucket?: boolean | undefined;
};

/** Statuses of a busy server (RFC 9110, 15.5.9 and 15.6; RFC 6585, 4). 509 is not standard. */
const BUSY = new Set([408, 429, 500, 502, 503, 504, 509]);

type Cause = { readonly code: BucketErrorCode; readonly advice: string; readonly isTransient?: boolean };

const BUSY_NOW: Cause = {
  code: 'bucket-busy',
  advice: 'Run the command again: it goes on from what arrived.',
  isTransient: true,
};
const EXPIRED_TOKEN: Cause = {
  code: 'bucket-credentials',
  advice:
    'The credentials are temporary, and have expired or are damaged. Get new ones (with AWS: "aws sso login", or a new session), and run the command again.',
};
const WRONG_KEY: Cause = {
  code: 'bucket-credentials',
  advice:
    'The store does not know this access key, or its secret is another one. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE and --endpoint.',
};
const WRONG_ACCOUNT_KEY: Cause = {
  code: 'bucket-credentials',
  advice:
    'Azure refuses the account key. Check AZURE_STORAGE_ACCOUNT, AZURE_STORAGE_KEY or AZURE_STORAGE_CONNECTION_STRING, and that the account allows access by key.',
};
const WRONG_REGION: Cause = {
  code: 'bucket-region',
  advice: 'The bucket lies in another region. Name its region with --region or AWS_REGION.',
};
const WRONG_CLOCK: Cause = {
  code: 'bucket-clock',
  advice:
    "The store refuses the time of the request. Set this machine's clock, or that of the store, by a time server.",
  // The response has the store's time; the next attempt is signed with it.
  isTransient: true,
};

const MISSING: Cause = { code: 'bucket-missing', advice: 'Create the bucket, or correct its name.' };
const MISSING_CONTAINER: Cause = {
  code: 'bucket-missing',
  advice: 'Create the container, or correct its name.',
};
const NOTHING_THERE: Cause = {
  code: 'bucket-missing',
  advice: 'Nothing is there. Check the name of the bucket and --endpoint.',
};
const DENIED: Cause = {
  code: 'bucket-denied',
  advice: 'Check the credentials, and that they may read, write, list and delete.',
};
const NAMELESS: Cause = {
  code: 'bucket-credentials',
  advice:
    'The answer to a HEAD request names no cause: most often the credentials are temporary and have expired. Get new ones (with AWS: "aws sso login", or a new session), check the region, and run the command again.',
};
const UNSUPPORTED: Cause = { code: 'condition-unsupported', advice: 'The store does not know this request.' };
const OTHER: Cause = { code: 'bucket-failed', advice: 'The store refused the request.' };

/** Causes by the store's error code, which is more specific than the status. */
const CAUSES: Readonly<Record<string, Cause>> = {
  // A busy store or CloudFront, or a body damaged in transit.
  ...causes(
    BUSY_NOW,
    `
    InternalError ServiceUnavailable RequestTimeout RequestTimeoutException OperationAborted
    ConditionalRequestConflict SlowDown Throttling ThrottlingException ThrottledException TooManyRequests
    TooManyRequestsException RequestLimitExceeded RequestThrottled RequestThrottledException
    BandwidthLimitExceeded LimitExceededException ProvisionedThroughputExceededException
    PriorRequestNotComplete ServerBusy TooManyInvalidationsInProgress
    TooManyInvalidationsInProgressException BadDigest XAmzContentSHA256Mismatch XAmzContentChecksumMismatch
    IncompleteBody Md5Mismatch
  `,
  ),
  ...causes(EXPIRED_TOKEN, 'ExpiredToken TokenRefreshRequired InvalidToken ExpiredTokenException'),
  ...causes(WRONG_KEY, 'InvalidAccessKeyId SignatureDoesNotMatch UnrecognizedClientException'),
  ...causes(
    WRONG_REGION,
    `
    AuthorizationHeaderMalformed AuthorizationQueryParametersError PermanentRedirect TemporaryRedirect
    IllegalLocationConstraintException IncorrectEndpoint
  `,
  ),
  ...causes(WRONG_CLOCK, 'RequestTimeTooSkewed RequestExpired'),
  NoSuchBucket: MISSING,
  ContainerNotFound: MISSING_CONTAINER,
  ContainerBeingDeleted: MISSING_CONTAINER,
  ...causes(WRONG_ACCOUNT_KEY, 'AuthenticationFailed KeyBasedAuthenticationNotPermitted'),
  AllAccessDisabled: {
    code: 'bucket-denied',
    advice: 'The store has disabled the bucket. Ask its provider.',
  },
};

export function isBusyCode(code: string): boolean {
  return ownValue(CAUSES, code) === BUSY_NOW;
}

const BY_STATUS: Readonly<Record<number, Cause>> = {
  301: WRONG_REGION,
  307: WRONG_REGION,
  401: DENIED,
  403: DENIED,
  407: {
    code: 'bucket-proxy',
    advice: 'A proxy wants a login. Put it into HTTPS_PROXY, or name the store in NO_PROXY.',
  },
  411: { code: 'bucket-proxy', advice: 'Something between this machine and the store changes requests.' },
  511: {
    code: 'bucket-proxy',
    advice: 'The network wants a login (RFC 6585, 6). Open a web page, and log in.',
  },
  405: UNSUPPORTED,
  501: UNSUPPORTED,
};

/** Statuses that may mean that a store does not know the header of a condition. */
const CONDITION_REFUSED = new Set([400, 402]);

export class ObjectNotFound extends Error {
  constructor(key: string) {
    super(`${key} is not there`);
    this.name = 'ObjectNotFound';
  }
}

/** Only for a missing object: rethrows anything else, such as a missing bucket. */
export function undefinedIfNotFound(failure: unknown): undefined {
  if (failure instanceof ObjectNotFound) return undefined;
  throw failure;
}

export function errorFromResponse(answer: StoreResponse, asked: RequestContext): Error {
  const { status, headers } = answer;
  const { code = '', message = '', region = '' } = readError(answer.body) ?? {};
  const { where, isConditional } = asked;
  const actual = headers['x-amz-bucket-region'] ?? region;
  // The response to a HEAD request has no body, so no code: only its region header may show the cause.
  const cause = ownValue(CAUSES, code) ?? (actual && actual !== asked.region ? WRONG_REGION : undefined);
  // A known code takes precedence: for example, both a missing bucket and a missing object have status 404.
  if (!cause) {
    if (status === 412 || (status === 404 && isConditional)) return new ConditionFailed(where);
    if (status === 404 && !asked.isBucket) return new ObjectNotFound(where);
  }
  const found =
    cause ??
    (BUSY.has(status) || (status === 409 && isConditional) ? BUSY_NOW : BY_STATUS[status]) ??
    (isConditional && CONDITION_REFUSED.has(status) ? UNSUPPORTED : undefined) ??
    (status === 404 ? NOTHING_THERE : asked.isHead && status === 400 ? NAMELESS : OTHER);
  // Azure adds lines with the id and the time of the request.
  const [line = ''] = message.trim().split(/[\r\n]/);
  const said = `${where}: ${status}${code && ` ${code}`}${line && ` (${line.replace(/\.$/, '')})`}.`;
  const advice = adviceOf(found, actual, asked);
  return new BucketError(found.code, `${maskPasswords(said)} ${advice}`, found.isTransient ?? false);
}

function adviceOf(found: Cause, actual: string, asked: RequestContext): string {
  if (found === WRONG_REGION) return regionAdvice(actual, asked);
  const isNamed = found === DENIED && asked.permission;
  return isNamed ? `Check the credentials: they need the permission ${asked.permission}.` : found.advice;
}

function regionAdvice(region: string, asked: RequestContext): string {
  if (!region || region === asked.region) return WRONG_REGION.advice;
  return `The bucket lies in ${region}, and the request was for ${asked.region}. Use --region ${region}, or set AWS_REGION.`;
}

/** For a response that no store would send: without an ETag, without the expected XML, or of a wrong length. */
export function invalidStoreResponseError({ status, headers }: StoreResponse, where: string): BucketError {
  const type = headers['content-type'] ?? 'no type';
  return new BucketError(
    'bucket-not-s3',
    `${where}: the answer (${status}, ${type}) is not one of S3. A proxy or a login page may stand between; check the network and --endpoint. This request does not count as done.`,
    false,
  );
}

/** Untrusted certificates (Node.js, "X509 certificate error codes"), and hosts without TLS. */
const TLS = /^(?:CERT_|ERR_TLS|ERR_SSL|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

export function errorFromFailure(error: unknown, { where }: RequestContext): Error {
  // The connection's error names only the method and the path of the request.
  if (error instanceof RequestExpired) return new RequestExpired(where);
  if (error instanceof BucketError) return error;
  const { name, message, code = '', errors } = error as Error & { code?: string; errors?: Error[] };
  const said = maskPasswords(`${where}: ${message || errors?.[0]?.message || code || name}.`);
  if (/CredentialsProviderError|TokenProviderError/.test(name)) {
    return new BucketError(
      'bucket-credentials',
      `There are no credentials for ${where} (${maskPasswords(message)}). Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or log in with "aws sso login".`,
      false,
      error,
    );
  }
  if (/Proxy response \((\d+)\)/.test(message)) {
    return new BucketError('bucket-proxy', `${said} ${BY_STATUS[407]!.advice}`, false, error);
  }
  if (TLS.test(code)) {
    const advice =
      'The certificate is not trusted, or the address speaks no TLS. Check --endpoint; name a private authority in NODE_EXTRA_CA_CERTS.';
    return new BucketError('bucket-unreachable', `${said} ${advice}`, false, error);
  }
  const proxy =
    process.env.https_proxy ?? process.env.HTTPS_PROXY ?? process.env.http_proxy ?? process.env.HTTP_PROXY;
  const network = proxy ? `the network, the proxy ${maskPasswords(proxy)}` : 'the network';
  return new BucketError(
    'bucket-unreachable',
    `${said} Check ${network} and --endpoint; then run the command again: it goes on from what arrived.`,
    true,
    error,
  );
}

function causes(cause: Cause, codes: string): Record<string, Cause> {
  return Object.fromEntries(
    codes
      .trim()
      .split(/\s+/)
      .map((code) => [code, cause]),
  );
}
