import { parseRetryAfter, retry } from '../../storage/backoff.ts';
import { encodeUriComponent } from '../../storage/http/address.ts';
import { readError } from '../../storage/http/xml.ts';
import { createHttpClient, type HttpResponse } from '../../storage/http-client.ts';
import { createCredentialProvider } from '../../storage/s3/account.ts';
import { BODY_DIGEST_HEADER, sha256 } from '../../storage/s3/signature.ts';
import type { Signer } from './aws-signature.ts';
import { isRetryable, PURGE_ATTEMPTS, PURGE_BACKOFF, PurgeRefusal } from './purge.ts';

export type AwsServiceOptions = {
  readonly endpoint: string;
  readonly signer: Signer;
  /** Media type of request bodies. */
  readonly type: string;
  /** Upper limit of the first retry delay, in milliseconds. @default 1000 */
  readonly delay?: number | undefined;
};

export type AwsService = {
  /**
   * Tries at most {@link PURGE_ATTEMPTS} times. The returned `tag` is the ETag of the response; empty if it has none.
   * @param path percent-encoded
   * @param more `tag`: sent as If-Match
   * @throws PurgeRefusal when the service refuses
   */
  readonly send: (
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    more?: { query?: Record<string, string>; tag?: string },
  ) => Promise<{ body: Buffer; tag: string }>;
  readonly close: () => void;
};

/** Credentials are looked up at the first request. */
export function openAwsService({ endpoint, signer, type, delay }: AwsServiceOptions): AwsService {
  const { origin, host } = new URL(endpoint);
  const credentials = createCredentialProvider();
  const client = createHttpClient({ proxy: true });
  const sendOnce: AwsService['send'] = async (method, path, body = '', { query = {}, tag } = {}) => {
    const digest = sha256(body);
    const headers = {
      host,
      [BODY_DIGEST_HEADER]: digest,
      ...(tag ? { 'if-match': tag } : {}),
      ...(body ? { 'content-type': type } : {}),
    };
    // All services except S3 sign the path encoded twice.
    const signedPath = path.split('/').map(encodeUriComponent).join('/');
    const request = { method, path: signedPath, query, headers };
    const signed = signer.headers(request, await credentials(), Date.now(), digest);
    const search = Object.entries(query).map((pair) => pair.map(encodeUriComponent).join('='));
    const target = search.length > 0 ? `${path}?${search.join('&')}` : path;
    const answer = await client.send({
      method,
      url: origin + target,
      headers: signed,
      body: body || undefined,
    });
    if (answer.status < 300) return { body: answer.body, tag: String(answer.headers.etag ?? '') };
    const { code, message } = errorOf(answer);
    const wait = parseRetryAfter(answer.headers['retry-after']?.toString());
    throw new PurgeRefusal(answer.status, `${code || 'without a code'} ${message}`.trim(), code, wait);
  };
  const backoff = { ...PURGE_BACKOFF, delay: delay ?? PURGE_BACKOFF.delay };
  return {
    send: (...request) => retry(PURGE_ATTEMPTS, () => sendOnce(...request), isRetryable, backoff),
    close: client.close,
  };
}

/** CloudFront sends errors as XML, the key value store as JSON (AWS "REST-JSON", "Operation error"). */
function errorOf({ body, headers }: HttpResponse): { readonly code: string; readonly message: string } {
  const element = readError(body);
  if (element) return element;
  const value = objectIn(body);
  const named = [headers['x-amzn-errortype'], value.__type, value.code].find(
    (one) => typeof one === 'string',
  );
  const message = [value.message, value.Message].find((one) => typeof one === 'string');
  // The code may look like `com.amazonaws#ThrottlingException:http://internal/`.
  return { code: String(named ?? '').replace(/:.*$|^.*#/g, ''), message: String(message ?? '') };
}

function objectIn(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body.toString()));
  } catch {
    return {};
  }
}
