import { encodeUriComponent } from '../../storage/http/address.ts';
import { readError } from '../../storage/http/xml.ts';
import type { HttpResponse } from '../../storage/http-client.ts';
import { createCredentialProvider } from '../../storage/s3/account.ts';
import { BODY_DIGEST_HEADER, sha256 } from '../../storage/s3/signature.ts';
import type { Signer } from './aws-signature.ts';
import { type PurgeClient, PurgeRefusal } from './request.ts';

type AwsService = {
  readonly endpoint: string;
  readonly signer: Signer;
  /** Media type of request bodies. */
  readonly type: string;
};

/**
 * Sends a request, and repeats it while the service is busy or gives no valid response. The returned `tag` is the ETag
 * of the response; empty if there is none.
 * @param path percent-encoded
 * @param more `tag`: sent as If-Match
 * @throws PurgeRefusal when the service refuses
 */
export type SendToAws = (
  method: 'GET' | 'POST',
  path: string,
  body?: string,
  more?: { query?: Record<string, string>; tag?: string },
) => Promise<{ body: Buffer; tag: string }>;

/** Credentials are looked up at the first request. */
export function createAwsSender(client: PurgeClient, { endpoint, signer, type }: AwsService): SendToAws {
  const { origin, host } = new URL(endpoint);
  const credentials = createCredentialProvider();
  const sendOnce: SendToAws = async (method, path, body = '', { query = {}, tag } = {}) => {
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
    const url = origin + (search.length > 0 ? `${path}?${search.join('&')}` : path);
    const answer = await client.send({ method, url, headers: signed, body: body || undefined });
    if (answer.status < 300) return { body: answer.body, tag: String(answer.headers.etag ?? '') };
    const { code, message } = errorOf(answer);
    throw new PurgeRefusal(answer, `${code || 'without a code'} ${message}`.trim(), code);
  };
  return (...request) => client.retry(() => sendOnce(...request));
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
