import type { StoredHeaders } from '../contract/headers.ts';

/** Never cached, since control objects decide who may write. */
export const CONTROL_OBJECT_HEADERS: StoredHeaders = {
  contentType: 'application/json',
  cacheControl: 'no-store',
};
