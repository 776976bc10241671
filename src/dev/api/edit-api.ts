/** Handles all requests below `/_edit/`: the API of `src/editor/api.ts`, and the files of the page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { EDIT_API_PATH, FAILURE_STATUSES, type FailureResponse, PAGE_PATH } from '../../editor/api.ts';
import {
  type PostRequestName,
  REQUEST_BODIES,
  type RequestBody,
  type ResponseOf,
} from '../../editor/requests.ts';
import type { PreparedUpload } from '../../media/prepare-upload.ts';
import { digestOf } from '../../release/digest.ts';
import { ownValue } from '../../values/own-value.ts';
import { addPhoto, convertPhoto, photoPreview, removeUnusedPhotos, UPLOAD_LIMITS } from '../content/photo.ts';
import { checkFields, findPathById, propertyResponse, saveFields } from '../content/property.ts';
import {
  checkNewProperty,
  copyProperty,
  createProperty,
  removeProperty,
  renameProperty,
  restoreProperty,
} from '../content/property-files.ts';
import { setStreetMap } from '../content/street-map.ts';
import type { EditContext, KeyedQueue } from '../edit-context.ts';
import { sendEditorFile, sendTokenExchangePage, setEditorHeaders } from '../editor-page.ts';
import { changesResponse } from '../git/changed-files.ts';
import { commitFiles } from '../git/commit-files.ts';
import { mergeUpstream, recoverMerge } from '../git/merge-upstream.ts';
import { fetchUpstream, NETWORK_TIMEOUT, pushBranch, remoteResponse, switchBranch } from '../git/remote.ts';
import { revertChanges } from '../git/revert-changes.ts';
import { keepSide } from '../git/whole-file-choice.ts';
import { RefusedRequest } from '../refused-request.ts';
import type { Session } from '../session.ts';
import { catalogueResponse } from './catalogue-response.ts';
import { createRowCache, propertiesResponse, thumbnailUrl } from './property-rows.ts';
import { checkContentType, readJson, readRequestBody } from './request-body.ts';
import { authorize, exchangeToken } from './token-check.ts';

export type EditApi = {
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => Promise<void>;
};

type Route = (
  context: EditContext,
  request: IncomingMessage,
  query: URLSearchParams,
) => Promise<object | Image>;

type Image = Pick<PreparedUpload, 'bytes' | 'extension'>;

/** Requests for the same file are handled one after another. So are all requests without a file. */
function posted<Name extends PostRequestName>(
  name: Name,
  act: (context: EditContext, body: RequestBody<Name>) => Promise<ResponseOf[Name]>,
): Route {
  return async (context, request) => {
    const body = (await readJson(request, REQUEST_BODIES[name])) as RequestBody<Name>;
    const { path } = body as { readonly path?: string | null };
    return context.queue(path ?? '', () => act(context, body));
  };
}

const ROUTES: Readonly<Record<string, Readonly<Record<string, Route>>>> = {
  catalogue: { GET: catalogueResponse },
  properties: { GET: (context, _request, query) => propertiesResponse(context, query.get('since')) },
  property: {
    GET: async (context, _request, query) =>
      propertyResponse(context, query.get('path') ?? (await findPathById(context, given(query, 'id'))) ?? ''),
  },
  check: {
    POST: posted('check', (context, { path, ...rest }) =>
      path === null ? checkNewProperty(context, rest) : checkFields(context, { path, ...rest }),
    ),
  },
  save: { POST: posted('save', saveFields) },
  restore: { POST: posted('restore', restoreProperty) },
  new: { POST: posted('new', createProperty) },
  copy: { POST: posted('copy', copyProperty) },
  rename: { POST: posted('rename', renameProperty) },
  remove: { POST: posted('remove', removeProperty) },
  photo: {
    GET: (context, _request, query) => photoPreview(context, given(query, 'path'), query.get('side')),
    async POST(context, request, query) {
      const [path, name, bytes] = [given(query, 'path'), given(query, 'name'), await readImage(request)];
      return context.queue('photo', () => addPhoto(context, path, name, bytes));
    },
  },
  picture: {
    async POST(context, request, query) {
      const [name, bytes] = [given(query, 'name'), await readImage(request)];
      return context.queue('photo', () => convertPhoto(context, name, bytes));
    },
  },
  streets: { POST: posted('streets', setStreetMap) },
  changes: { GET: changesResponse },
  commit: { POST: posted('commit', commitFiles) },
  remote: { GET: remoteResponse },
  look: { POST: posted('look', fetchUpstream) },
  send: { POST: posted('send', pushBranch) },
  receive: { POST: posted('receive', mergeUpstream) },
  'open-branch': { POST: posted('open-branch', switchBranch) },
  'keep-side': { POST: posted('keep-side', keepSide) },
  'take-back': { POST: posted('take-back', revertChanges) },
};

function readImage(request: IncomingMessage): Promise<Buffer> {
  checkContentType(request, /^(?:image\/[\w.+-]+|application\/octet-stream)$/i, 'an image');
  return readRequestBody(request, UPLOAD_LIMITS);
}

export function createEditApi(session: Session, token: string): EditApi {
  const context: EditContext = {
    session,
    queue: createQueue(),
    list: createRowCache(),
    removed: new Map(),
    created: new Map(),
    uploads: new Set(),
    remote: { problem: null, patience: NETWORK_TIMEOUT },
    photos: new Map(),
  };
  void context.queue('', () => recoverMerge(session.content)).catch(() => {});
  return {
    answer: (request, response) => void answer(context, token, request, response),
    close: async () => removeUnusedPhotos(context),
  };
}

function createQueue(): KeyedQueue {
  const last = new Map<string, Promise<unknown>>();
  return (key, act) => {
    const next = (last.get(key) ?? Promise.resolve()).then(act, act);
    last.set(key, next);
    const forget = () => {
      if (last.get(key) === next) last.delete(key);
    };
    next.then(forget, forget);
    return next;
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
    if (name === 'enter' && !isPage) {
      response.setHeader('Set-Cookie', exchangeToken(request, token));
      return respond(request, response, 200, {});
    }
    authorize(request, token, isPage);
    if (isPage) return sendEditorFile(pathname.slice(PAGE_PATH.length), response);
    if (name === 'thumbnail') {
      const location = await thumbnailUrl(context, given(searchParams, 'path'));
      return void response.writeHead(302, { Location: location }).end();
    }
    const methods = ownValue(ROUTES, name);
    if (!methods) throw new RefusedRequest('not-found', `There is no request ${name.slice(0, 100)}.`);
    const route = ownValue(methods, request.method ?? '');
    if (!route) {
      throw new RefusedRequest('method-not-allowed', `Use ${Object.keys(methods).join(' or ')} for ${name}.`);
    }
    respond(request, response, 200, await route(context, request, searchParams));
  } catch (error) {
    if (isPage && error instanceof RefusedRequest && error.code === 'wrong-token')
      sendTokenExchangePage(response, error.message);
    else sendFailure(request, response, error);
  }
}

function given(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === '') throw new RefusedRequest('bad-request', `The address lacks "${name}".`);
  return value;
}

function sendFailure(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  const refused =
    error instanceof RefusedRequest
      ? error
      : new RefusedRequest('not-written', `Something failed that should not: ${(error as Error).message}.`);
  const { code, message, details } = refused;
  // Closes the connection: otherwise the rest of the body would be read as the next request.
  if (!request.complete) {
    response.setHeader('Connection', 'close');
    response.once('finish', () => request.destroy());
  }
  respond(request, response, FAILURE_STATUSES[code], { code, message, ...details } satisfies FailureResponse);
}

const IMAGE_TYPES = { '.jpg': 'image/jpeg', '.webp': 'image/webp' } as const;

/** Minimum size, in bytes, of a response that is compressed. */
const MIN_COMPRESSED = 4096;

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: object | Image,
): void {
  response.statusCode = status;
  if ('bytes' in body && Buffer.isBuffer(body.bytes)) {
    response.setHeader('Content-Type', IMAGE_TYPES[(body as Image).extension]);
    return void response.end(body.bytes);
  }
  const bytes = Buffer.from(JSON.stringify(body));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  if (request.method === 'GET' && status === 200) {
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
