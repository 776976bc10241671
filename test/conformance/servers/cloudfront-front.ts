/**
 * CloudFront as its documentation describes it, around the code under test: the content of an event, a bucket, the
 * response headers policies and the custom error response of the target's README.
 */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mediaType } from '../../../src/contract/headers.ts';
import { parseRangeHeader } from '../../../src/targets/runtime/range.ts';
import { CACHE_CONTROL, cachingOf, type Fixture, GUARDED_KEY } from '../fixture.ts';
import { listening, type RunningServer } from '../server.ts';

/** A request as the code receives it. */
export type Viewed = { method: string; uri: string; query: string; headers: Record<string, string[]> };

/** The decision of the code: the URI of an object, or an answer. */
export type Decision =
  | { uri: string }
  | { status: number; headers: [name: string, value: string][]; body: string | Buffer | undefined };

/** Starts it around the code. */
export function startCloudfront(
  fixture: Fixture,
  decide: (request: Viewed) => Promise<Decision>,
): Promise<RunningServer> {
  return listening(
    createServer((request, response) => {
      answer(request, response, decide, fixture).catch((error: unknown) => {
        response.writeHead(500);
        response.end(String(error));
      });
    }),
  );
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  decide: (request: Viewed) => Promise<Decision>,
  fixture: Fixture,
): Promise<void> {
  const target = (request.url ?? '').replace(/^https?:\/\/[^/]*/, '');
  const mark = target.includes('?') ? target.indexOf('?') : target.length;
  const [uri, query] = [target.slice(0, mark), target.slice(mark + 1)];
  const method = request.method ?? '';
  if (/[^!-~]/.test(target) || !uri.startsWith('/')) {
    response.writeHead(400);
    response.end();
    return;
  }
  const isPacked = fixture.layout === 'packed';
  const headers = request.headersDistinct as Record<string, string[]>;
  const decision = await decide({ method, uri, query, headers });
  // The response headers policies: for everything, and for what shows the list of a catalogue that asks for keys.
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', 'ETag, Content-Range, Catalogue-Release');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  const path = uri.slice(fixture.base.length);
  if (
    fixture.keys.length > 0 &&
    /^\/(?:api\/v1\/public\/properties$|_catalogue\/|properties\.|changes\/)/.test(path)
  ) {
    response.setHeader('Vary', isPacked ? 'X-API-KEY, Catalogue-Release' : 'X-API-KEY');
  }
  if ('uri' in decision) {
    sendObject(decision.uri, request, response, fixture);
    return;
  }
  for (const [name, value] of decision.headers) response.setHeader(name, value);
  response.writeHead(decision.status);
  response.end(decision.body);
}

/** The content of the bucket, revalidation as CloudFront does it, and the custom error response. */
function sendObject(
  uri: string,
  { method, headers: { range, 'if-none-match': ifNoneMatch } }: IncomingMessage,
  response: ServerResponse,
  { files, keys }: Fixture,
): void {
  let key = '';
  try {
    key = decodeURIComponent(uri.slice(1));
  } catch {}
  const body = files.get(key);
  if (!body) {
    response.writeHead(404, {
      'Content-Type': 'application/problem+json',
      'Cache-Control': CACHE_CONTROL.problem,
    });
    response.end(method === 'HEAD' ? undefined : files.get('_catalogue/problems/property-not-found.json'));
    return;
  }
  const tag = `"${createHash('md5').update(body).digest('hex')}"`;
  response.setHeader('ETag', tag);
  const caching = CACHE_CONTROL[cachingOf(key)];
  const isPrivate = keys.length > 0 && GUARDED_KEY.test(key);
  response.setHeader('Cache-Control', isPrivate ? caching.replace('public', 'private') : caching);
  const tags = ifNoneMatch?.split(',').map((value) => value.trim().replace('W/', ''));
  if (tags?.includes(tag) || tags?.includes('*')) {
    response.writeHead(304);
    response.end();
    return;
  }
  response.setHeader('Content-Type', mediaType(key));
  // S3 ignores several ranges, and what is malformed.
  const asked = method === 'GET' && range ? parseRangeHeader(range, body.length) : undefined;
  if (asked && asked !== 'unsatisfiable') {
    const end = asked.offset + asked.length;
    response.writeHead(206, { 'Content-Range': `bytes ${asked.offset}-${end - 1}/${body.length}` });
    response.end(body.subarray(asked.offset, end));
    return;
  }
  response.writeHead(200, { 'Content-Length': body.length });
  response.end(method === 'HEAD' ? undefined : body);
}
