/** Signed requests to an AWS service, with retries. */
import { retry } from '../../storage/backoff.ts';
import { createHttpClient } from '../../storage/http-client.ts';
import { findCredentials } from '../../storage/s3/account.ts';
import { BODY_DIGEST, encode, type Signer, sha256 } from '../../storage/s3/signature.ts';
import { readError } from '../../storage/s3/xml.ts';
import { isPassing, PurgeRefusal } from './purge.ts';

export type AwsServiceOptions = {
  readonly endpoint: string;
  readonly signer: Signer;
  /** Media type of request bodies. */
  readonly type: string;
};

export type AwsService = {
  /**
   * Sends a request until it succeeds, at most {@link ATTEMPTS} times.
   *
   * @param path percent-encoded.
   * @throws PurgeRefusal when the service refuses it.
   */
  readonly send: (
    method: 'GET' | 'POST',
    path: string,
    body?: string,
    more?: { query?: Record<string, string>; tag?: string },
  ) => Promise<{ body: Buffer; tag: string }>;
  readonly close: () => void;
};

const ATTEMPTS = 5;

/** Opens a service; credentials are looked up with the first request. */
export function openAwsService({ endpoint, signer, type }: AwsServiceOptions): AwsService {
  const { origin, host } = new URL(endpoint);
  const credentials = findCredentials();
  const client = createHttpClient({ proxy: true });
  const sendOnce: AwsService['send'] = async (method, path, body = '', { query = {}, tag } = {}) => {
    const digest = sha256(body);
    const headers = {
      host,
      [BODY_DIGEST]: digest,
      ...(tag ? { 'if-match': tag } : {}),
      ...(body ? { 'content-type': type } : {}),
    };
    // All services but S3 sign the path encoded a second time.
    const signedPath = path.split('/').map(encode).join('/');
    const request = { method, path: signedPath, query, headers };
    const signed = signer.headers(request, await credentials(), Date.now(), digest);
    const search = Object.entries(query).map((pair) => pair.map(encode).join('='));
    const target = search.length > 0 ? `${path}?${search.join('&')}` : path;
    const answer = await client.send({
      method,
      url: origin + target,
      headers: signed,
      body: body || undefined,
    });
    if (answer.status < 300) return { body: answer.body, tag: String(answer.headers.etag ?? '') };
    const { code, message } = readError(answer.body) ?? { code: 'without a code', message: '' };
    throw new PurgeRefusal(answer.status, `${code} ${message}`.trim());
  };
  return {
    send: (...request) => retry(ATTEMPTS, () => sendOnce(...request), isPassing),
    close: client.close,
  };
}
