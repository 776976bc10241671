/**
 * Judges an expiring request as S3 does. Written from its documentation, and shares nothing with the signer of the
 * product.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request is refused, as S3 words it. */
export type Refusal = { readonly status: 403; readonly code: string; readonly message: string };

const SIGNATURE = /&?X-Amz-Signature=[0-9a-f]+/;
/** Milliseconds by which a signature may lie in the future. */
const TOLERANCE = 900_000;

/** The secret of an account of the trial: each process has an account of its own. */
export function secretOf(account: string): string {
  return `secret of ${account}`;
}

/** Who signed a request; undefined when it has no signature in its query. */
export function signerOf(query: URLSearchParams): string | undefined {
  return query.get('X-Amz-Credential')?.split('/')[0];
}

/** @param now milliseconds since 1970 on the clock of the store. */
export function refusalOf(
  { method = '', url = '', headers }: IncomingMessage,
  query: URLSearchParams,
  now: number,
  mayBeLate: boolean,
): Refusal | undefined {
  const [account = '', day = '', region = '', service = ''] = (query.get('X-Amz-Credential') ?? '').split(
    '/',
  );
  const stamp = query.get('X-Amz-Date') ?? '';
  const lifetime = Number(query.get('X-Amz-Expires') ?? 0);
  const [path = '', text = ''] = url.split('?');
  const names = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  const canonical = [
    method,
    path,
    text.replace(SIGNATURE, '').split('&').sort().join('&'),
    ...names.map((name) => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    names.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const digest = createHash('sha256').update(canonical).digest('hex');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (parent, part) => createHmac('sha256', parent).update(part).digest(),
    `AWS4${secretOf(account)}`,
  );
  const wanted = createHmac('sha256', key).update(`AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${digest}`).digest();
  const given = Buffer.from(query.get('X-Amz-Signature') ?? '', 'hex');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    return denied('SignatureDoesNotMatch', 'The signature does not match.');
  }
  const signed = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'));
  if (!(lifetime >= 1)) return denied('AuthorizationQueryParametersError', 'There is no lifetime.');
  if (signed > now + TOLERANCE) return denied('AccessDenied', 'Request is not yet valid');
  if (!mayBeLate && now >= signed + lifetime * 1000) return denied('AccessDenied', 'Request has expired');
  return undefined;
}

function denied(code: string, message: string): Refusal {
  return { status: 403, code, message };
}
