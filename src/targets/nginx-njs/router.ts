import crypto from 'node:crypto';
import fs from 'node:fs';
import {
  API_KEY_HEADER,
  type Header,
  JSON_TYPE,
  NO_STORE,
  PROBLEM_TYPE,
  preflightHeaders,
  privateCacheControl,
  problemCacheControl,
  problemHeaders,
} from '../../contract/headers.ts';
import { NO_FILTER, PAGES_FOLDER, totalKey } from '../../contract/object-keys.ts';
import { emptyPage } from '../../contract/pagination.ts';
import { type Answer, route } from '../../contract/route.ts';
import { isPermittedDigest } from '../runtime/api-key.ts';
import { SETTINGS } from '../runtime/bundled-settings.ts';

type NginxRequest = {
  method: string;
  headersIn: Record<string, string | undefined>;
  headersOut: Record<string, string>;
  status: number;
  variables: Record<string, string | undefined>;
  rawVariables: Record<string, Uint8Array | undefined>;
  return: (status: number, body?: string) => void;
};

/** Returns `~` if no file answers the request; no file has that name. */
function file(request: NginxRequest): string {
  const answer = answerOf(request);
  return answer.kind === 'page' || answer.kind === 'property' ? answer.key : '~';
}

function permitted(request: NginxRequest): string {
  return isAuthorized(request) ? '1' : '';
}

function answer(request: NginxRequest): void {
  const found = answerOf(request);
  if (found.kind === 'page') {
    const count = total(request, found);
    if (count < 0) sendProblem(request, 'list-unavailable');
    else
      send(
        request,
        UNCONDITIONAL_STATUS,
        JSON_TYPE,
        SETTINGS.cache.api,
        [],
        emptyPage(found.number, found.size, count),
      );
  } else if (found.kind === 'problem') {
    sendProblem(request, found.name);
  } else if (found.kind === 'property') {
    sendProblem(request, 'property-not-found');
  } else if (found.kind === 'preflight') {
    send(request, 204, '', '', preflightHeaders(SETTINGS.edge), '');
  } else sendProblem(request, 'not-found');
}

/** Temporary status of an empty page. With 200, nginx might answer 304 before the headers are set. */
const UNCONDITIONAL_STATUS = 203;

function complete(request: NginxRequest): void {
  if (request.status === UNCONDITIONAL_STATUS) request.status = 200;
}

/** For a request that nginx rejected as malformed: sends the problem that its path leads to (such as 404), or 400. */
function refuse(request: NginxRequest): void {
  const found = answerOf(request);
  if (found.kind === 'problem') sendProblem(request, found.name);
  else send(request, 400, PROBLEM_TYPE, NO_STORE, [], request.variables.catalogue_refusal!);
}

function sendProblem(request: NginxRequest, name: string): void {
  const problem = SETTINGS.problems[name]!;
  const caching = problemCacheControl(problem[0], SETTINGS.cache.problem);
  send(request, problem[0], PROBLEM_TYPE, caching, problemHeaders(problem[0]), problem[1]);
}

function send(
  request: NginxRequest,
  status: number,
  type: string,
  caching: string,
  headers: readonly Header[],
  body: string,
): void {
  if (type) request.headersOut['Content-Type'] = type;
  // Shared caches must not store responses that depend on a key.
  if (caching)
    request.headersOut['Cache-Control'] =
      CATALOGUE_GUARDED && request.variables.catalogue_vary ? privateCacheControl(caching) : caching;
  for (let index = 0; index < headers.length; index++)
    request.headersOut[headers[index]![0]] = headers[index]![1];
  request.return(status, body);
}

// Outside the function, since njs creates an object each time it evaluates a literal.
const NO_ASCII = /[^\x00-\x7f]/;
const TOTAL = /^[0-9]+$/;

function answerOf(request: NginxRequest): Answer {
  const target = request.variables.request_uri || '';
  const ascii = NO_ASCII.test(target) ? escaped(request.rawVariables.request_uri!) : target;
  const mark = ascii.indexOf('?');
  const path = mark < 0 ? ascii : ascii.slice(0, mark);
  return route(request.method, path, mark < 0 ? '' : ascii.slice(mark + 1), SETTINGS, isAuthorized(request));
}

function isAuthorized(request: NginxRequest): boolean {
  if (CATALOGUE_GUARDED) {
    const key = request.headersIn[API_KEY_HEADER];
    const digest = key === undefined ? '' : crypto.createHash('sha256').update(key).digest('hex');
    return isPermittedDigest(digest, SETTINGS.digests);
  }
  return true;
}

function escaped(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    text += byte < 128 ? String.fromCharCode(byte) : `%${byte.toString(16)}`;
  }
  return text;
}

/**
 * Total of a list whose page has no file; 0 if the list does not exist. {@link UNREADABLE} if the page should have a
 * file, or if a total cannot be read.
 */
function total(request: NginxRequest, page: { folder: string; number: number; size: number }): number {
  const own = readTotal(request, page.folder);
  if (own !== ABSENT) return own > (page.number - 1) * page.size ? UNREADABLE : own;
  return readTotal(request, `${PAGES_FOLDER}/${NO_FILTER}/${NO_FILTER}`) < 0 ? UNREADABLE : 0;
}

const ABSENT = -1;
const UNREADABLE = -2;

function readTotal(request: NginxRequest, folder: string): number {
  let text: string;
  try {
    text = fs.readFileSync(`${request.variables.document_root}/${totalKey(folder)}`, 'utf8');
  } catch (error) {
    return (error as { code?: string }).code === 'ENOENT' ? ABSENT : UNREADABLE;
  }
  return TOTAL.test(text) ? Number(text) : UNREADABLE;
}

// biome-ignore lint/style/noDefaultExport: njs calls the default export
export default { file, permitted, answer, refuse, complete };
