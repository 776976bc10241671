/** Handles all requests below `/_edit/`: the API of `src/editor/api.ts`, and the files of the page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { EDIT_API_PATH, FAILURE_STATUSES, type FailureResponse, PAGE_PATH } from '../../editor/api.ts';
import { digestOf } from '../../release/digest.ts';
import { ownValue } from '../../values/own-value.ts';
import { removeUnusedPhotos } from '../content/photo.ts';
import { recoverMerge } from '../git/merge-upstream.ts';
import { createPublishedCommitLookup } from '../git/published-commit.ts';
import { NETWORK_TIMEOUT } from '../git/remote.ts';
import type { Session } from '../session/session.ts';
import type { EditContext } from './edit-context.ts';
import { sendEditorFile, sendTokenExchangePage, setEditorHeaders } from './editor-page.ts';
import { createRowCache } from './property-rows.ts';
import { RefusedRequest } from './refused-request.ts';
import { createRequestQueue, REPOSITORY_LANE } from './request-queue.ts';
import { ROUTES, type RouteResult } from './routes.ts';
import { authorize, exchangeTokenForCookie } from './session-token.ts';

export type EditApi = {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
};

export function createEditApi(session: Session, token: string): EditApi {
  const context: EditContext = {
    session,
    queue: createRequestQueue(),
    rows: createRowCache(),
    undoable: new Map(),
    created: new Map(),
    uploads: new Set(),
    remote: { problem: null, timeout: NETWORK_TIMEOUT, lookup: createPublishedCommitLookup() },
    photos: new Map(),
  };
  void context.queue.run(REPOSITORY_LANE, () => recoverMerge(session.content)).catch(() => {});
  return {
    answer: (request, response) => void answer(context, token, request, response),
    async close() {
      // Waits for requests that add photos, or save properties that show them.
      await context.queue.settled();
      removeUnusedPhotos(context);
    },
  };
}

async function answer(
  context: EditContext,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  setEditorHeaders(response);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const isPage = !pathname.startsWith(EDIT_API_PATH);
  const name = pathname.slice(EDIT_API_PATH.length);
  try {
    if (name === 'enter' && request.method === 'POST' && !isPage) {
      response.setHeader('Set-Cookie', exchangeTokenForCookie(request, token));
      return respond(request, response, { json: {} });
    }
    authorize(request, token, isPage);
    if (isPage) return sendEditorFile(pathname.slice(PAGE_PATH.length), response);
    const methods = ownValue(ROUTES, name);
    if (!methods) throw new RefusedRequest('not-found', `There is no request ${name.slice(0, 100)}.`);
    const route = ownValue(methods, request.method ?? '');
    if (!route)
      throw new RefusedRequest('method-not-allowed', `Use ${Object.keys(methods).join(' or ')} for ${name}.`);
    respond(request, response, await route(context, request, searchParams));
  } catch (error) {
    if (isPage && error instanceof RefusedRequest && error.code === 'wrong-token')
      sendTokenExchangePage(response, error.message);
    else sendFailure(request, response, error);
  }
}

function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const refused =
    error instanceof RefusedRequest
      ? error
      : new RefusedRequest('failed', `Something failed that should not: ${(error as Error).message}.`);
  const { code, message, details } = refused;
  // Closes the connection: otherwise the rest of the body would be read as the next request.
  if (!request.complete) {
    response.setHeader('Connection', 'close');
    response.once('finish', () => request.destroy());
  }
  const json: FailureResponse = { code, message, ...details };
  response.statusCode = FAILURE_STATUSES[code];
  respond(request, response, { json });
}

const IMAGE_TYPES = { '.jpg': 'image/jpeg', '.webp': 'image/webp' } as const;

/** Minimum size, in bytes, of a response that is compressed. */
const MIN_COMPRESSED = 4096;

function respond(request: IncomingMessage, response: ServerResponse, reply: RouteResult): void {
  if ('redirect' in reply) return void response.writeHead(302, { Location: reply.redirect }).end();
  if ('image' in reply) {
    response.setHeader('Content-Type', IMAGE_TYPES[reply.image.extension]);
    return void response.end(reply.image.bytes);
  }
  const bytes = Buffer.from(JSON.stringify(reply.json));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (request.method === 'GET' && response.statusCode === 200) {
    const tag = `"${digestOf(bytes)}"`;
    response.setHeader('ETag', tag);
    if (request.headers['if-none-match'] === tag) return void response.writeHead(304).end();
  }
  if (bytes.length < MIN_COMPRESSED || !/\bgzip\b/.test(String(request.headers['accept-encoding'])))
    return void response.end(bytes);
  response.setHeader('Content-Encoding', 'gzip');
  // Synchronous, because the thread pool is busy while a build encodes images.
  response.end(gzipSync(bytes, { level: 1 }));
}
