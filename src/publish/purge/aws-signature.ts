/** Signatures of AWS in the headers of a request: version 4 for one region, 4A for all regions. */
import type { Credentials, RequestToSign } from '../../storage/http/signing-types.ts';
import {
  AWS,
  canonicalQuery,
  canonicalRequest,
  hmac,
  signingKey,
  sortedNames,
  stampAt,
  textToSign,
} from '../../storage/s3/signature.ts';
import { signV4a, V4A_ALGORITHM } from './signature-v4a.ts';

export type Signer = {
  /**
   * Returns the headers to send instead of `request.headers`. The service accepts them within 15 minutes of `time`
   * (milliseconds since 1970).
   */
  readonly headers: (
    request: RequestToSign,
    credentials: Credentials,
    time: number,
    bodyDigest: string,
  ) => Record<string, string>;
};

export const EVERY_REGION = '*';

export function createSigner(service: string, region: string): Signer {
  const isGlobal = region === EVERY_REGION;
  const algorithm = isGlobal ? V4A_ALGORITHM : AWS.algorithm;
  return {
    headers(request, credentials, time, bodyDigest) {
      const { accessKeyId, secretAccessKey, sessionToken } = credentials;
      const stamp = stampAt(time);
      const day = stamp.slice(0, 8);
      const headers: Record<string, string> = {
        ...request.headers,
        'x-amz-date': stamp,
        ...(isGlobal ? { 'x-amz-region-set': EVERY_REGION } : {}),
        ...(sessionToken ? { 'x-amz-security-token': sessionToken } : {}),
      };
      const names = sortedNames(Object.keys(headers));
      const query = canonicalQuery(request.query);
      const canonical = canonicalRequest({ ...request, headers }, names, query, bodyDigest);
      const scope = `${day}/${isGlobal ? '' : `${region}/`}${service}/${AWS.terminator}`;
      const text = textToSign(algorithm, stamp, scope, canonical);
      const signature = isGlobal
        ? signV4a(text, credentials)
        : hmac(signingKey(day, secretAccessKey, service, region), text).toString('hex');
      headers.authorization = `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names.text}, Signature=${signature}`;
      return headers;
    },
  };
}
