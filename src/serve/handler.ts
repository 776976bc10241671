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
import { isPermittedDigest } from '../targets/runtime/api-key.ts';
import { parseRangeHeader } from '../targets/runtime/range.ts';
import {
  type FileStore,
  fileKey,
  noPreviewReply,
  type Reply,
  reply,
  unsatisfiableReply,
} from '../targets/runtime/reply.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import { serverProblemJson } from '../targets/shared/server-problems.ts';
import type { PlatformServices } from '../tree/serve/responder.ts';
import { createFindServedRelease, type ServedRelease } from '../tree/serve/served-release.ts';
import { entityOf, type FilePart, fileReply, isFilePart, MAX_READ, send } from './file-reply.ts';
import { readReplySettings } from './read-reply-settings.ts';
import { openServedFolder, type ServedFolder, type StoredFile } from './served-folder.ts';

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
  /**
   * Receives the cause of each response that has status 500 or 502 or ends early, and of each failure to render the
   * explorer's page. @default nobody
   */
  readonly onError?: ((error: unknown) => void) | undefined;
};

/** Returns undefined if the file does not exist. @param stored the function that reads the file from the folder */
export type ReadFile = (
  key: string,
  stored: () => Promise<Buffer | undefined>,
) => Promise<Buffer | undefined>;

/** Called only for an existing file. The common headers and `Accept-Ranges` are already set. */
export type SendFile = (key: string, request: IncomingMessage, response: ServerResponse) => void;

/**
 * @param next called when a path outside the API has no file, before anything is written. Without `next`, the response
 * is `404.html` for browsers, and the problem `not-found` for other clients
 */
export type Handler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Creates a handler of requests to the API and to the files next to it. Reads the problem documents and the settings of
 * the live release once, at the start.
 * @param senderFor creates the function that sends images. @default the handler sends them, with the same headers as
 * other targets
 * @throws Error if the folder has no catalogue of a known version, or if the catalogue has API keys and `apiKeys` is
 * missing or empty
 * @example
 * createServer(createHandler({ root: 'dist/public' })).listen(8080);
 */
export function createHandler(
  {
    root,
    apiKeys,
    cacheControl,
    read,
    rewrite,
    onError = () => {},
    consistently = (make) => make(),
  }: HandlerOptions,
  senderFor?: (settings: ReplySettings) => SendFile,
): Handler {
  const settings: ReplySettings = {
    ...readReplySettings(root, apiKeys),
    ...(cacheControl && { cache: cacheControl }),
  };
  const folder = openServedFolder(root);
  const find = createFindServedRelease(settings);
  const sendFile = senderFor?.(settings);
  const source: FileSource = {
    bytesAt(key) {
      const stored = () => folder.read(key);
      return read ? read(key, stored) : stored();
    },
    folder: read || rewrite ? undefined : folder,
    hasSender: sendFile !== undefined,
    report: onError,
  };
  return (request, response, next) => {
    const parts = asked(request, settings);
    const answer = async (): Promise<Reply<Body>> => {
      const served = await find(parts.path, source.bytesAt, onError);
      if (typeof served === 'string') return noPreviewReply(served, settings);
      return reply(parts, served.settings, storeOf(served, source, request, next !== undefined));
    };
    const answered = consistently(answer).then((result) => {
      const { status, headers, body } = result;
      if (!isDelegated(body)) {
        const isJson = status === 200 && body instanceof Uint8Array && hasJson(headers);
        const sent = isJson && rewrite ? rewrite(body, request) : body;
        return send({ ...result, body: sent }, request.method === 'HEAD', response, onError);
      }
      if (body.key === undefined) return next?.();
      for (const [name, value] of headers) response.setHeader(name, value);
      sendFile?.(body.key, request, response);
    });
    answered.catch((error: Error) => {
      onError(error);
      fail(error, response);
    });
  };
}

function fail(error: Error, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy(error);
    return;
  }
  const body = serverProblemJson(500);
  const headers = [...COMMON_HEADERS, ['Content-Type', PROBLEM_TYPE], ['Cache-Control', NO_STORE]] as const;
  response.writeHead(500, headers.flat()).end(body);
}

function hasJson(headers: readonly Header[]): boolean {
  return headers.some(([name, value]) => name === 'Content-Type' && value.startsWith('application/json'));
}

type BytesOf = (key: string) => Promise<Buffer | undefined>;

type Body = Uint8Array | FilePart | Delegated;

/** Another function sends the response: the file sender if there is a `key`, otherwise the next handler. */
type Delegated = { readonly key?: string };

function delegated(body: Delegated, headers: Header[] = []): Reply<Body> {
  return { status: 200, headers, body };
}

function isDelegated(body: Body | string | null): body is Delegated {
  return typeof body === 'object' && body !== null && !(body instanceof Uint8Array) && !isFilePart(body);
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

/** `folder` is set only if files are sent as they are stored. */
type FileSource = Pick<PlatformServices, 'report'> & {
  readonly bytesAt: BytesOf;
  readonly folder: ServedFolder | undefined;
  readonly hasSender: boolean;
};

function storeOf(
  { settings, cut, storedKey }: ServedRelease,
  source: FileSource,
  request: IncomingMessage,
  passesOn: boolean,
): FileStore<Body> {
  const bytesOf: BytesOf = async (key) => {
    const stored = storedKey(key);
    return stored === undefined ? undefined : source.bytesAt(stored);
  };
  const platform: PlatformServices = {
    read: async (key) => {
      const bytes = await bytesOf(key);
      return bytes && new Uint8Array(bytes);
    },
    report: source.report,
  };
  return {
    read: async (key) => {
      const bytes = await bytesOf(key);
      return bytes && entityOf(key, bytes);
    },
    cut: cut && ((found, asked) => cut(found, asked, platform)),
    text: async (key) => (await bytesOf(key))?.toString('utf8'),
    file: async (path) => {
      const key = fileKey(path, settings.base);
      const stored = key && storedKey(key);
      const answer = stored !== undefined && storedReply([key!, stored], source, request, settings);
      return (await answer) || (passesOn ? delegated({}) : notFoundReply(bytesOf, request, settings));
    },
    report: source.report,
  };
}

async function storedReply(
  [key, stored]: readonly [key: string, stored: string],
  { folder, bytesAt, hasSender }: FileSource,
  request: IncomingMessage,
  settings: ReplySettings,
): Promise<Reply<Body> | undefined> {
  const file = await folder?.find(stored);
  if (file && hasSender && !settings.isPreview && mediaType(key).startsWith('image/'))
    return delegate(key, file, request, settings);
  const found = file && file.size > MAX_READ ? file : await bytesAt(stored);
  return found && fileReply(key, found, request, settings);
}

/** Leaves an existing file to the sender, but answers a range past the file's end with a problem. */
function delegate(
  key: string,
  { size: bytes }: StoredFile,
  request: IncomingMessage,
  settings: ReplySettings,
): Reply<Body> {
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
