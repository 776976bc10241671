/** The Worker of a build, in Cloudflare's runtime, over the local store. */
import { Miniflare } from 'miniflare';
import { LISTENING, modulesOf } from '../../../test/conformance/servers/workerd.ts';
import type { StoreServer } from '../../bench/store-server.ts';

// The binding of a bucket, over the store.
const BUCKET = (endpoint: string) => `import worker from './worker.js';
async function ask(key, method) {
  const path = key.split('/').map(encodeURIComponent).join('/');
  const response = await fetch('${endpoint}/stays/' + path, { method });
  if (response.status === 404) {
    await response.body?.cancel();
    return null;
  }
  if (response.status !== 200) throw new Error('get: We encountered an internal error. Please try again. (10001)');
  const { headers, body } = response;
  return { httpEtag: headers.get('ETag'), size: Number(headers.get('Content-Length')), body };
}
const CATALOGUE = { get: (key) => ask(key, 'GET'), head: (key) => ask(key, 'HEAD') };
export default { fetch: (request, environment, context) => worker.fetch(request, { CATALOGUE }, context) };`;

/** The Worker over the bucket. */
export function startWorker(edge: string, { endpoint }: StoreServer): Miniflare {
  return new Miniflare({ ...LISTENING, ...modulesOf(edge, BUCKET(endpoint), 'worker.js') });
}
