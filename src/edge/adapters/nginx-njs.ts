/** The router in nginx's njs: tells nginx which file answers, and answers itself where none does. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import {
  API_KEY_HEADER,
  type Header,
  JSON_TYPE,
  PREFLIGHT_HEADERS,
  PROBLEM_TYPE,
  problemHeaders,
} from '../../contract/headers.ts';
import { totalKey } from '../../contract/layout.ts';
import { emptyPage } from '../../contract/pagination.ts';
import { type Answer, route } from '../../contract/route.ts';
import { isPermitted } from '../key.ts';
import { SETTINGS } from './settings.ts';

/** The part of njs's request object that is used. */
type NginxRequest = {
  method: string;
  headersIn: Record<string, string | undefined>;
  headersOut: Record<string, string>;
  variables: Record<string, string | undefined>;
  rawVariables: Record<string, Uint8Array | undefined>;
  return: (status: number, body?: string) => void;
};

/** The key of the file that answers; one that no file has, when none does. */
export function file(request: NginxRequest): string {
  const answer = answerOf(request);
  return answer.kind === 'page' || answer.kind === 'property' ? answer.key : '~';
}

/** Answers a request that no file answers. */
export function answer(request: NginxRequest): void {
  const found = answerOf(request);
  if (found.kind === 'page') {
    const body = emptyPage(found.number, found.size, total(request, totalKey(found.folder)));
    send(request, 200, JSON_TYPE, SETTINGS.cache.api, [], body);
  } else if (found.kind === 'problem') {
    sendProblem(request, found.name);
  } else if (found.kind === 'property') {
    sendProblem(request, 'property-not-found');
  } else if (found.kind === 'preflight' || request.method === 'OPTIONS') {
    send(request, 204, '', '', PREFLIGHT_HEADERS, '');
  } else {
    sendProblem(
      request,
      request.method === 'GET' || request.method === 'HEAD' ? 'not-found' : 'method-not-allowed',
    );
  }
}

/** Answers a request that nginx refuses as malformed: with a problem when the path alone is one, else with 400. */
export function refuse(request: NginxRequest): void {
  const found = answerOf(request);
  if (found.kind === 'problem') sendProblem(request, found.name);
  else request.return(400);
}

function sendProblem(request: NginxRequest, name: string): void {
  const problem = SETTINGS.problems[name]!;
  send(request, problem[0], PROBLEM_TYPE, SETTINGS.cache.problem, problemHeaders(problem[0]), problem[1]);
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
  if (caching) request.headersOut['Cache-Control'] = caching;
  for (let index = 0; index < headers.length; index++)
    request.headersOut[headers[index]![0]] = headers[index]![1];
  request.return(status, body);
}

// Not in the function: njs makes an object of every literal that it comes past.
const NO_ASCII = /[^\x00-\x7f]/;

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
    return isPermitted(digest, SETTINGS.digests);
  }
  return true;
}

/** Bytes above 127 percent-encoded. */
function escaped(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    text += byte < 128 ? String.fromCharCode(byte) : `%${byte.toString(16)}`;
  }
  return text;
}

function total(request: NginxRequest, key: string): number {
  try {
    return Number(fs.readFileSync(`${request.variables.document_root}/${key}`, 'utf8'));
  } catch {
    return 0;
  }
}
