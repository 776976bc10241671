/** Answers every request from a folder `dist/public`, in any server that has Node's request and response. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { accessOf } from '../contract/access.ts';
import { type CacheControl, RELEASE_HEADER } from '../contract/headers.ts';
import { type Layout, MANIFEST_KEY, MEDIA_FOLDER, problemKey } from '../contract/keys.ts';
import { problemDocuments } from '../contract/problem.ts';
import type { RouteSettings } from '../contract/route.ts';
import { createPackedList, type Platform } from '../packed/serve/list.ts';
import { isPermitted } from '../targets/runtime/api-key.ts';
import { parseRange } from '../targets/runtime/range.ts';
import {
  type Entity,
  entityReply,
  fileKey,
  type Reply,
  reply,
  type Store,
  unsatisfiableReply,
} from '../targets/runtime/reply.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';

/** What {@link createHandler} needs. */
export type HandlerOptions = {
  /** The folder `dist/public` of a catalogue. */
  readonly root: string;
  /**
   * SHA-256 digests, in lower-case hexadecimal, of the keys of which the list asks one in `X-API-KEY`. Needed for a
   * catalogue that was built with keys, since digests are not published.
   *
   * @default none: the list is open
   */
  readonly apiKeys?: readonly string[];
  /** `Cache-Control` headers. @default those of the catalogue */
  readonly cacheControl?: CacheControl;
  /** Stands between the folder and the answers. @default the file as it is */
  readonly read?: ReadFile;
  /** How lists are stored, where `read` knows better than the manifest. @default as the manifest says */
  readonly layout?: Layout;
};

/**
 * Gives the bytes of a key, or undefined when there is no such file.
 *
 * @param stored gives those of the folder.
 */
export type ReadFile = (
  key: string,
  stored: () => Promise<Buffer | undefined>,
  request: IncomingMessage,
) => Promise<Buffer | undefined>;

/**
 * Answers a request.
 *
 * @param next called, with nothing written, for a path that is neither the API's nor a file's; without it the answer
 * is the problem `not-found`.
 */
export type Handler = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void;

/**
 * Makes the function that answers requests to the API, and to the files beside it, from a folder `dist/public`. It
 * reads the problem documents and the settings in the manifest once, now, and the rest when it is asked for.
 *
 * @throws Error when the folder holds no catalogue, or the catalogue asks for keys and there are none.
 *
 * @example
 * createServer(createHandler({ root: 'dist/public' })).listen(8080);
 */
export function createHandler({ root, apiKeys, cacheControl, read, layout }: HandlerOptions): Handler {
  const published = readSettings(root, apiKeys);
  const settings: ReplySettings = {
    ...published,
    ...(cacheControl && { cache: cacheControl }),
    ...(layout && { layout }),
  };
  const folder = realpathSync(root);
  const list = settings.layout === 'pages' ? undefined : createPackedList(settings);
  return (request, response, next) => {
    const bytesOf = (key: string) => {
      const stored = () => readWithin(folder, key);
      return read ? read(key, stored, request) : stored();
    };
    const platform: Platform = {
      read: async (key) => {
        const bytes = await bytesOf(key);
        return bytes && new Uint8Array(bytes);
      },
    };
    const page: Page = list && ((found, asked) => list(found, asked, platform));
    void answer(request, settings, bytesOf, page, next !== undefined).then((result) => {
      if (result === UNCLAIMED) next?.();
      else send(result, request.method === 'HEAD', response);
    });
  };
}

/** What the manifest tells of serving (`api`). */
type PublishedSettings = {
  readonly base: string;
  readonly page_sizes: RouteSettings['sizes'];
  readonly layout?: Layout;
  readonly cache_control: CacheControl;
  readonly api_keys?: boolean;
};

function readSettings(root: string, apiKeys: readonly string[] = []): ReplySettings {
  const manifest = join(root, MANIFEST_KEY);
  if (!existsSync(manifest)) {
    throw new Error(
      `There is no catalogue in ${root}: ${manifest} does not exist. Run "catalogue build", or name the folder dist/public of a catalogue.`,
    );
  }
  const { api } = JSON.parse(readFileSync(manifest, 'utf8')) as { api: PublishedSettings };
  if (api.api_keys && apiKeys.length === 0) {
    throw new Error(
      `The catalogue in ${root} asks for API keys, and no digests of keys were given. Pass "apiKeys", the list of "api_keys" in catalogue.yaml.`,
    );
  }
  const route = { base: api.base, sizes: api.page_sizes, layout: api.layout ?? 'pages' };
  const problems: Record<string, [number, string]> = {};
  for (const name of problemDocuments(route).keys()) {
    const text = readFileSync(join(root, problemKey(name)), 'utf8');
    problems[name] = [(JSON.parse(text) as { status: number }).status, text];
  }
  return { ...route, cache: api.cache_control, problems, digests: apiKeys };
}

type BytesOf = (key: string) => Promise<Buffer | undefined>;

/** Stands for the answer that somebody else gives. */
const UNCLAIMED: Reply<Uint8Array> = { status: 0, headers: [], body: null };

/** What answers with pages that are cut out of chunks. */
type Page = Store<Uint8Array>['page'];

function answer(
  request: IncomingMessage,
  settings: ReplySettings,
  bytesOf: BytesOf,
  page: Page,
  hasNext: boolean,
): Promise<Reply<Uint8Array>> {
  const [path, query] = splitTarget(request.url ?? '/');
  const ifNoneMatch = request.headers['if-none-match'];
  const store: Store<Uint8Array> = {
    read: (key) => readEntity(bytesOf, key),
    page,
    text: async (key) => (await bytesOf(key))?.toString('utf8'),
    file: async (path) => {
      const key = fileKey(path, settings.base);
      const entity = key === undefined ? undefined : await readEntity(bytesOf, key);
      if (!key || !entity) return hasNext ? UNCLAIMED : undefined;
      const whole = entityReply(entity, key, { ifNoneMatch }, settings.cache);
      whole.headers.push(['Accept-Ranges', 'bytes']);
      return whole.status === 200 ? ranged(whole, entity, request, settings) : whole;
    },
  };
  const key = request.headers['x-api-key'];
  const authorized =
    settings.digests.length === 0 ||
    (typeof key === 'string' &&
      isPermitted(createHash('sha256').update(key, 'latin1').digest('hex'), settings.digests));
  const method = request.method ?? 'GET';
  const named = request.headers[RELEASE_HEADER.toLowerCase()];
  const release = (Array.isArray(named) ? named.join() : named) || undefined;
  return reply({ method, path, query, ifNoneMatch, authorized, release }, settings, store);
}

/** Path and query of a request target (RFC 9112, 3.2), bytes above 127 percent-encoded. */
function splitTarget(target: string): [path: string, query: string] {
  const ascii = target
    .replace(/^https?:\/\/[^/?]*/i, '')
    .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
  const mark = ascii.indexOf('?');
  return mark < 0 ? [ascii, ''] : [ascii.slice(0, mark), ascii.slice(mark + 1)];
}

/** The part of a file that was asked for (RFC 9110, 14). */
function ranged(
  whole: Reply<Uint8Array>,
  { tag, body }: Entity<Buffer>,
  request: IncomingMessage,
  settings: ReplySettings,
): Reply<Uint8Array> {
  // A range of a HEAD request means nothing (RFC 9110, 14.2).
  if (request.method !== 'GET') return whole;
  const condition = request.headers['if-range'];
  const header = condition === undefined || condition === tag ? request.headers.range : undefined;
  const range = header === undefined ? undefined : parseRange(header, body.length);
  if (!range) return whole;
  if (range === 'unsatisfiable') return unsatisfiableReply(body.length, settings);
  const end = range.offset + range.length;
  return {
    status: 206,
    headers: [...whole.headers, ['Content-Range', `bytes ${range.offset}-${end - 1}/${body.length}`]],
    body: body.subarray(range.offset, end),
  };
}

/** Media are named by their content; other files get the hash of their bytes as entity tag. */
async function readEntity(bytesOf: BytesOf, key: string): Promise<Entity<Buffer> | undefined> {
  const body = await bytesOf(key);
  if (!body) return undefined;
  const name = key.startsWith(`${MEDIA_FOLDER}/`)
    ? key.slice(MEDIA_FOLDER.length + 1)
    : createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { tag: `"${name.replace(/[^!#-~]/g, '')}"`, body };
}

/** What the system says of a path that names no file. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL', 'ERR_INVALID_ARG_VALUE']);

/**
 * The bytes of a regular file below the folder; undefined when there is none. What a link leads to must be as open as the
 * link: a file system may also know names that no rule does, such as short ones.
 */
async function readWithin(folder: string, key: string): Promise<Buffer | undefined> {
  try {
    const path = await realpath(join(folder, key));
    if (!path.startsWith(folder + sep)) return undefined;
    const real = path.slice(folder.length + 1).replaceAll(sep, '/');
    if (real !== key && accessOf(real) !== accessOf(key)) return undefined;
    return (await stat(path)).isFile() ? await readFile(path) : undefined;
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function send({ status, headers, body }: Reply<Uint8Array>, isHead: boolean, response: ServerResponse): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  if (body !== null) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.writeHead(status);
  response.end(isHead ? undefined : (body ?? undefined));
}
