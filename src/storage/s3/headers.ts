import type { ObjectHeaders } from '../bucket.ts';

export function objectHeaders({
  contentType,
  cacheControl,
  contentEncoding,
}: ObjectHeaders): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': contentType, 'cache-control': cacheControl };
  if (contentEncoding) headers['content-encoding'] = contentEncoding;
  return headers;
}
