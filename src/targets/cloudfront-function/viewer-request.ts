/** A CloudFront Function for viewer requests: rewrites each request to an object's key, or responds itself. */
import crypto from 'node:crypto';
import cf from 'cloudfront';
import { accessOf } from '../../contract/access.ts';
import {
  API_KEY_HEADER,
  COMMON_HEADERS,
  type Header,
  JSON_TYPE,
  NO_STORE,
  PROBLEM_TYPE,
  preflightHeaders,
  privateCacheControl,
  problemCacheControl,
  problemHeaders,
  RELEASE_HEADER,
} from '../../contract/headers.ts';
import { LIST_PATH, NO_FILTER, PAGES_FOLDER } from '../../contract/object-keys.ts';
import { emptyPage } from '../../contract/pagination.ts';
import { route } from '../../contract/route.ts';
import { isPermittedDigest } from '../runtime/api-key.ts';
import { SETTINGS } from '../runtime/bundled-settings.ts';
import { STORED_RELEASE_KEY } from './key-value-entries.ts';

type Value = { value: string; multiValue?: { value: string }[] };

type ViewerRequest = {
  method: string;
  uri: string;
  querystring: Record<string, Value>;
  headers: Record<string, Value>;
  rawQueryString?: () => string | undefined;
};

type ViewerResponse = {
  statusCode: number;
  headers: Record<string, Value>;
  body?: string;
};

/** Never rejects: if anything fails, responds with the problem `list-unavailable`. */
export async function handler(event: { request: ViewerRequest }): Promise<ViewerRequest | ViewerResponse> {
  try {
    return await answerTo(event.request);
  } catch (error) {
    // The key value store cannot be read, or does not hold a catalogue.
    console.log(String(error));
    const problem = SETTINGS.problems[BROKEN_LIST]!;
    return respond(event.request, problem[0], PROBLEM_TYPE, NO_STORE, [], problem[1]);
  }
}

const BROKEN_LIST = 'list-unavailable';

async function answerTo(request: ViewerRequest): Promise<ViewerRequest | ViewerResponse> {
  const method = request.method;
  const answer = route(method, request.uri, queryOf(request), SETTINGS, isAuthorized(request));
  if (answer.kind === 'page') {
    const total = await totalOf(answer.folder);
    if ((answer.number - 1) * answer.size < total) return objectRequest(request, answer.key);
    const release = await releaseOf();
    const body = emptyPage(answer.number, answer.size, total);
    return respond(request, 200, JSON_TYPE, SETTINGS.cache.api, release, body);
  }
  if (answer.kind === 'property') return objectRequest(request, answer.key);
  if (answer.kind === 'problem') return respondProblem(request, answer.name);
  if (answer.kind === 'preflight') return respond(request, 204, '', '', preflightHeaders(SETTINGS.edge), '');
  const base = `${SETTINGS.base}/`;
  if (request.uri.slice(0, base.length) !== base) return respondProblem(request, 'not-found');
  const key = request.uri.slice(base.length);
  return objectRequest(request, key === '' || key[key.length - 1] === '/' ? `${key}index.html` : key);
}

/** Tests in the CloudFront console provide only a parsed query, with encoded names and values. */
function queryOf(request: ViewerRequest): string {
  const raw = request.rawQueryString ? request.rawQueryString() : '';
  if (raw) return raw;
  const pairs: string[] = [];
  for (const name in request.querystring) {
    const values = request.querystring[name]!.multiValue || [request.querystring[name]!];
    for (let index = 0; index < values.length; index++) pairs.push(`${name}=${values[index]!.value}`);
  }
  return pairs.join('&');
}

function isAuthorized(request: ViewerRequest): boolean {
  if (CATALOGUE_GUARDED) {
    const key = request.headers['x-api-key'];
    // A request with two key headers has no valid key.
    const digest =
      key && !(key.multiValue && key.multiValue.length > 1)
        ? crypto.createHash('sha256').update(key.value).digest('hex')
        : '';
    return isPermittedDigest(digest, SETTINGS.digests);
  }
  return true;
}

/** The store always has the total of all properties. It has the total of another scope only if that is above 0. */
async function totalOf(folder: string): Promise<number> {
  const key = folder.slice(PAGES_FOLDER.length + 1);
  const store = cf.kvs();
  const isThere = await store.exists(key);
  if (!isThere) {
    const hasTotals = await store.exists(`${NO_FILTER}/${NO_FILTER}`);
    if (!hasTotals) throw new Error('The store has no totals.');
    return 0;
  }
  const text = await store.get(key);
  return Number(text);
}

async function releaseOf(): Promise<Header[]> {
  const store = cf.kvs();
  const isNamed = await store.exists(STORED_RELEASE_KEY);
  if (!isNamed) return [];
  const release = await store.get(STORED_RELEASE_KEY);
  return [[RELEASE_HEADER, release]];
}

function objectRequest(request: ViewerRequest, key: string): ViewerRequest {
  request.uri = `/${key}`;
  request.querystring = {};
  return request;
}

async function respondProblem(request: ViewerRequest, name: string): Promise<ViewerResponse> {
  const text = await cf.kvs().get(name);
  const status = Number(text.slice(0, 3));
  return respond(
    request,
    status,
    PROBLEM_TYPE,
    problemCacheControl(status, SETTINGS.cache.problem),
    problemHeaders(status),
    text.slice(4),
  );
}

function respond(
  request: ViewerRequest,
  status: number,
  type: string,
  caching: string,
  others: readonly Header[],
  body: string,
): ViewerResponse {
  const headers: Record<string, Value> = {};
  const all = COMMON_HEADERS.concat(others);
  let kept = caching;
  if (CATALOGUE_GUARDED) {
    const path = request.uri;
    if (path === SETTINGS.base + LIST_PATH || accessOf(path, SETTINGS.base) === 'guarded') {
      kept = privateCacheControl(caching);
      all.push(['Vary', API_KEY_HEADER]);
    }
  }
  if (type) all.push(['content-type', type], ['cache-control', kept]);
  for (let index = 0; index < all.length; index++)
    headers[all[index]![0].toLowerCase()] = { value: all[index]![1] };
  const response: ViewerResponse = { statusCode: status, headers };
  if (body && request.method !== 'HEAD') response.body = body;
  return response;
}
