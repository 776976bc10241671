/** Caches nothing: a deployment replaces all files at once, and a cached file could be from another release. */
import { answerFromBucket, type ExecutionContext, type R2Bucket } from '../cloudflare-worker/worker.ts';
import { resolveRange } from '../runtime/range.ts';

type Assets = { fetch: (url: string) => Promise<Response> };

type Fetch = (
  request: Request,
  environment: { ASSETS: Assets },
  context: ExecutionContext,
) => Promise<Response>;

const handle: Fetch = (request, { ASSETS }, context) =>
  answerFromBucket(request, assetsBucket(ASSETS), context);

// biome-ignore lint/style/noDefaultExport: the platform calls the default export
export default { fetch: handle };

/** Cuts ranges itself, since the assets binding does not support them. */
function assetsBucket(assets: Assets): R2Bucket {
  const get: R2Bucket['get'] = async (key, options) => {
    const found = await ask(assets, key);
    if (!found) return null;
    const httpEtag = (found.headers.get('ETag') ?? '').replace(/^W\//, '');
    if (!options) {
      return { httpEtag, size: Number(found.headers.get('Content-Length')), body: bodyOf(found) };
    }
    const bytes = new Uint8Array(await found.arrayBuffer());
    const part = resolveRange(options.range, bytes.length);
    const { offset, length } = part === 'unsatisfiable' ? { offset: 0, length: 0 } : part;
    const body = bodyOf(new Response(bytes.subarray(offset, offset + length)));
    return { httpEtag, size: bytes.length, body };
  };
  return { get, head: get };
}

/** Undefined for a missing file. @throws Error for a response that is neither a file, 404, nor a folder's redirect */
async function ask(assets: Assets, key: string): Promise<Response | undefined> {
  // The platform serves `x.html` at `x`, and redirects from the full name.
  const isPage = key.endsWith('.html');
  const path = `/${key
    .replace(/(^|\/)index\.html$|\.html$/, '$1')
    .split('/')
    .map(encodeURIComponent)
    .join('/')}`;
  const response = await assets.fetch(`https://assets${path}`);
  const { status, headers } = response;
  const hasPage = status === 200 && (headers.get('Content-Type') ?? '').startsWith('text/html');
  if (status === 200 && hasPage === isPage) return response;
  await response.body?.cancel();
  const isFolder = status >= 300 && status < 400 && headers.get('Location') === `${path}/`;
  // Cloudflare Pages answers a request for a missing file with the root page.
  if (status === 404 || isFolder || hasPage) return undefined;
  throw new Error(`The assets answered ${status} for ${key}.`);
}

function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  return body as ReadableStream<Uint8Array>;
}
