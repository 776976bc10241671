/** Headers of requests that write. */
import type { ObjectHeaders } from '../bucket.ts';

/** The header with the MD5 of the body (RFC 1864): a store refuses a body that does not fit. */
export const BODY_MD5 = 'content-md5';

/** The headers that a store keeps with an object. */
export function headersToStore({
  contentType,
  cacheControl,
  contentEncoding,
}: ObjectHeaders): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': contentType, 'cache-control': cacheControl };
  if (contentEncoding) headers['content-encoding'] = contentEncoding;
  return headers;
}
