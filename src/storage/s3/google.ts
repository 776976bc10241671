/**
 * Google Cloud Storage through its XML interface, which resembles S3. Facts from its documentation, as of 2026-11
 * (https://docs.cloud.google.com/storage/docs/):
 *
 * - A write can have a condition on the object's generation: `x-goog-if-generation-match`, 0 for an absent object. If
 *   it does not hold, the response is 412 (`request-preconditions`). `If-Match` only works for reads.
 * - `x-goog-` headers need a signature of Google's own scheme, made with an HMAC key (`authentication/signatures`). The
 *   signature expires after `X-Goog-Expires` seconds. The response is then 400 `ExpiredToken`.
 * - An expiring signature is accepted for POST only if the request begins a resumable upload
 *   (`authentication/canonical-requests`, "HTTP verbs"). So objects are removed one at a time, and uploads have no
 *   parts. Joining parts may also take minutes, and leaves an object without an MD5 (`xml-api/post-object-complete`).
 * - Compressed objects are decompressed for clients that do not accept gzip (`transcoding`). Google's front end changes
 *   `Accept-Encoding`, so a signature must not cover it.
 */
import type { SigningScheme } from './signature.ts';

export const GOOGLE_ENDPOINT = 'https://storage.googleapis.com';

export const GOOGLE_SCHEME: SigningScheme = {
  algorithm: 'GOOG4-HMAC-SHA256',
  parameterPrefix: 'X-Goog-',
  terminator: 'goog4_request',
  bodyDigestHeader: 'x-goog-content-sha256',
};

/** Without this header, Google decompresses compressed objects. */
export const AS_STORED_HEADERS = { 'accept-encoding': 'gzip' };

/** True for the global endpoint, a regional one, and a bucket's own. */
export function isGoogleEndpoint(endpoint: string): boolean {
  return /^https?:\/\/(?:[^/]+\.)?storage(?:\.[a-z0-9-]+\.rep)?\.googleapis\.com(?:[:/]|$)/i.test(endpoint);
}

export const IF_ABSENT_HEADERS = { 'x-goog-if-generation-match': '0' };
