/** Answers requests with the files of `dist/public`, in any server that uses Node's request and response. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NOT_FOUND_KEY } from '../contract/document-keys.ts';
import {
  type CacheControlSettings,
  COMMON_HEADERS,
  type Header,
  mediaType,
  NO_STORE,
  PROBLEM_TYPE,
  problemCacheControl,
  RELEASE_HEADER,
} from '../contract/headers.ts';
import { DATA_FOLDER, MEDIA_FOLDER } from '../contract/object-keys.ts';
import { isPermittedDigest } from '../targets/runtime/api-key.ts';
import { parseRangeHeader } from '../targets/runtime/range.ts';
import {
  type Entity,
  entityReply,
  type FileStore,
  fileKey,
  noPreviewReply,
  type Reply,
  reply,
  unsatisfiableReply,
} from '../targets/runtime/reply.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import { serverProblem } from '../targets/shared/server-problems.ts';
import type { Platform } from '../tree/serve/responder.ts';
import { createFindServedRelease, type ServedRelease } from '../tree/serve/served-release.ts';
import { openServedFolder, type ServedFolder } from './folder.ts';
import { readReplySettings } from './release-settings.ts';

export type HandlerOptions = {
  /** Folder `dist/public` of a catalogue. */
  readonly root: string;
  /**
   * SHA-256 digests of the API keys, in lower-case hexadecimal digits. Required for a catalogue built with keys, since
   * releases do not include the digests. @default none: the list is open
   */
  readonly apiKeys?: readonly string[];
  readonly cacheControl?: CacheControlSettings;
  /** Replaces the bytes of files. @default the files are sent as they are */
  readonly read?: ReadFile;
  /** Calls `make`, and calls it again whenever the folder changed in the meantime. @default calls it once */
  readonly consistently?: <Answer>(make: () => Promise<Answer>) => Promise<Answer>;
  /** Rewrites the JSON of a response with status 200. @default unchanged */
  readonly rewrite?: (json: Uint8Array, request: IncomingMessage) => Uint8Array;
};

/** Undefined if the file does not exist. @param stored reads it from the folder */
export type ReadFile = (
  key: string,
  stored: () => Promise<Buffer | undefined>,
) => Promise<Buffer | undefined>;

/** Called only for an existing file. The common headers are already set. */
export type SendFile = (key: string, request: IncomingMessage, response: ServerResponse) => void;

/**
 * @param next called when a path outside the API has no file, before anything is written. Without `next`, the response
 * is `404.html` for browsers, and the problem `not-found` for other clients
 */
export type Handler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Creates a handler of requests to the API and to the files next to it. Reads the problem documents and the settings of
 * the live release once, at the start.
 * @param senderFor creates the function that sends files other than the API's data (photos, downloads, the explorer).
 * @default the handler sends them, with the same headers as other targets
 * @throws Error if the folder has no catalogue of a known version, or if the catalogue has API keys and `apiKeys` is
 * missing or empty
 * @example
 * createServer(createHandler({ root: 'dist/public' })).listen(8080);
 */
export function createHandler(
  { root, apiKeys, cacheControl, read, rewrite, consistently = (make) => make() }: HandlerOptions,
  senderFor?: (settings: ReplySettings) => SendFile,
): Handler {
  const settings: ReplySettings = {
    ...readReplySettings(root, apiKeys),
    ...(cacheControl && { cache: cacheControl }),
  };
  const folder = openServedFolder(root);
  const find = createFindServedRelease(settings);
  const sendFile = senderFor?.(settings);
  return (request, response, next) => {
    const bytesAt: BytesOf = (key) => {
      const stored = () => folder.read(key);
      return read ? read(key, stored) : stored();
    };
    const parts = asked(request, settings);
    const storeOf = ({ settings: its, cut, storedKey }: ServedRelease): FileStore<Body> => {
      const bytesOf: BytesOf = async (key) => {
        const stored = storedKey(key);
        return stored === undefined ? undefined : bytesAt(stored);
      };
      const platform: Platform = {
        read: async (key) => {
          const bytes = await bytesOf(key);
          return bytes && new Uint8Array(bytes);
        },
      };
      return {
        read: (key) => readEntity(bytesOf, key),
        cut: cut && ((found, asked) => cut(found, asked, platform)),
        text: async (key) => (await bytesOf(key))?.toString('utf8'),
        file: async (path) => {
          const key = fileKey(path, its.base);
          const isSent = sendFile && !its.isPreview && !key?.startsWith(`${DATA_FOLDER}/`);
          const answer =
            key !== undefined &&
            (isSent ? delegate(key, folder, request, its) : fileReply(key, bytesOf, request, its));
          return (await answer) || (next ? delegated({}) : notFoundReply(bytesOf, request, its));
        },
      };
    };
    const answer = async (): Promise<Reply<Body>> => {
      const served = await find(parts.path, bytesAt);
      if (typeof served === 'string') return noPreviewReply(served, settings);
      return reply(parts, served.settings, storeOf(served));
    };
    const answered = consistently(answer).then((result) => {
      const { status, headers, body } = result;
      if (!isDelegated(body)) {
        const isJson = status === 200 && body instanceof Uint8Array && hasJson(headers);
        const sent = isJson && rewrite ? rewrite(body, request) : body;
        return send({ ...result, body: sent }, request.method === 'HEAD', response);
      }
      if (body.key === undefined) return next?.();
      for (const [name, value] of headers) response.setHeader(name, value);
      sendFile?.(body.key, request, response);
    });
    answered.catch((error: Error) => fail(error, response));
  };
}

function fail(error: Error, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy(error);
    return;
  }
  const body = serverProblem(500);
  const headers = [...COMMON_HEADERS, ['Content-Type', PROBLEM_TYPE], ['Cache-Control', NO_STORE]] as const;
  response.writeHead(500, headers.flat()).end(body);
}

function hasJson(headers: readonly Header[]): boolean {
  return headers.some(([name, value]) => name === 'Content-Type' && value.startsWith('application/json'));
}

type BytesOf = (key: string) => Promise<Buffer | undefined>;

type Body = Uint8Array | Delegated;

/** Another function sends the response: the file sender if there is a `key`, otherwise the next handler. */
type Delegated = { readonly key?: string };

function delegated(body: Delegated, headers: Header[] = []): Reply<Body> {
  return { status: 200, headers, body };
}

function isDelegated(body: Body | string | null): body is Delegated {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array);
}

function asked(request: IncomingMessage, { digests }: ReplySettings) {
  const [path, query] = splitTarget(request.url ?? '/');
  const key = request.headers['x-api-key'];
  const authorized =
    digests.length === 0 ||
    (typeof key === 'string' &&
      isPermittedDigest(createHash('sha256').update(key, 'latin1').digest('hex'), digests));
  const named = request.headers[RELEASE_HEADER.toLowerCase()];
  const release = (Array.isArray(named) ? named.join() : named) || undefined;
  const ifNoneMatch = request.headers['if-none-match'];
  return { method: request.method ?? 'GET', path, query, ifNoneMatch, authorized, release };
}

/** Splits a request target (RFC 9112, 3.2), with bytes above 127 percent-encoded. */
function splitTarget(target: string): [path: string, query: string] {
  const ascii = target
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  const mark = ascii.indexOf('?');
  return mark < 0 ? [ascii, ''] : [ascii.slice(0, mark), ascii.slice(mark + 1)];
}

/** Leaves an existing file to the sender, but answers a range past the file's end with a problem. */
async function delegate(
  key: string,
  { size }: ServedFolder,
  request: IncomingMessage,
  settings: ReplySettings,
): Promise<Reply<Body> | undefined> {
  const bytes = await size(key);
  if (bytes === undefined) return undefined;
  const { range, 'if-range': condition } = request.headers;
  const isAsked = request.method === 'GET' && range !== undefined && condition === undefined;
  const isBehind = isAsked && parseRangeHeader(range, bytes) === 'unsatisfiable';
  if (isBehind) return unsatisfiableReply(bytes, settings);
  return delegated({ key }, [...COMMON_HEADERS, ['Accept-Ranges', 'bytes']]);
}

async function notFoundReply(
  bytesOf: BytesOf,
  { headers: { accept } }: IncomingMessage,
  { cache }: ReplySettings,
): Promise<Reply<Uint8Array> | undefined> {
  const body = accept?.includes('text/html') ? await bytesOf(NOT_FOUND_KEY) : undefined;
  const headers: Header[] = [
    ...COMMON_HEADERS,
    ['Content-Type', mediaType(NOT_FOUND_KEY)],
    ['Cache-Control', problemCacheControl(404, cache.problem)],
    ['Vary', 'Accept'],
  ];
  return body && { status: 404, headers, body };
}

async function fileReply(
  key: string,
  bytesOf: BytesOf,
  request: IncomingMessage,
  settings: ReplySettings,
): Promise<Reply<Uint8Array> | undefined> {
  const entity = await readEntity(bytesOf, key);
  if (!entity) return undefined;
  const whole = entityReply(entity, key, { ifNoneMatch: request.headers['if-none-match'] }, settings.cache);
  whole.headers.push(['Accept-Ranges', 'bytes']);
  return whole.status === 200 ? ranged(whole, entity, request, settings) : whole;
}

function ranged(
  whole: Reply<Uint8Array>,
  { tag, body }: Entity<Buffer>,
  request: IncomingMessage,
  settings: ReplySettings,
): Reply<Uint8Array> {
  // HEAD ignores the Range header (RFC 9110, 14.2).
  if (request.method !== 'GET') return whole;
  const condition = request.headers['if-range'];
  const header = condition === undefined || condition === tag ? request.headers.range : undefined;
  const range = header === undefined ? undefined : parseRangeHeader(header, body.length);
  if (!range) return whole;
  if (range === 'unsatisfiable') return unsatisfiableReply(body.length, settings);
  const end = range.offset + range.length;
  return {
    status: 206,
    headers: [...whole.headers, ['Content-Range', `bytes ${range.offset}-${end - 1}/${body.length}`]],
    body: body.subarray(range.offset, end),
  };
}

/** Media are named by their content, so the name is the ETag. For other files it is a hash of the bytes. */
async function readEntity(bytesOf: BytesOf, key: string): Promise<Entity<Buffer> | undefined> {
  const body = await bytesOf(key);
  if (!body) return undefined;
  const name = key.startsWith(`${MEDIA_FOLDER}/`)
    ? key.slice(MEDIA_FOLDER.length + 1)
    : createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { tag: `"${name.replace(/[^!#-~]/g, '')}"`, body };
}

function send({ status, headers, body }: Reply<Uint8Array>, isHead: boolean, response: ServerResponse): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  if (body !== null) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(status);
  response.end(isHead ? undefined : (body ?? undefined));
}
