import type { ObjectHeaders } from '../bucket.ts';

/** Header with the body's MD5 (RFC 1864): a store refuses a body that does not match it. */
export const BODY_MD5 = 'content-md5';

export function headersToStore({
  contentType,
  cacheControl,
  contentEncoding,
}: ObjectHeaders): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': contentType, 'cache-control': cacheControl };
  if (contentEncoding) headers['content-encoding'] = contentEncoding;
  return headers;
}
