/** Answers a `Request` from the files of `dist/public`, which it fetches from any HTTP server. */
import { classifyOriginStatus, ORIGIN_TIME_LIMIT } from '../../contract/origin-status.ts';
import type { PlatformServices } from '../../tree/serve/responder.ts';
import { createFindServedRelease, type ServedRelease } from '../../tree/serve/served-release.ts';
import { SETTINGS } from '../runtime/bundled-settings.ts';
import { respond, type StoredBody } from '../runtime/fetch-response.ts';
import { logError } from '../runtime/log-error.ts';
import { parseRequestedRange } from '../runtime/range.ts';
import {
  type ApiRequest,
  type Entity,
  entityReply,
  type FileStore,
  fileKey,
  type PageOrPropertyAnswer,
  unsatisfiableReply,
} from '../runtime/reply.ts';

/** `origin`: URL of `dist/public`, without a trailing slash. `context`: for work that continues after the response. */
export type Handle = (
  request: Request,
  origin: string,
  context?: { waitUntil?: (work: Promise<unknown>) => void },
) => Promise<Response>;

const find = createFindServedRelease(SETTINGS);

export const handle: Handle = (request, origin, context) => {
  const bytes = async (key: string, isDoubted = true) => {
    const found = await ask(key, origin, isDoubted ? { 'Cache-Control': 'no-cache' } : {});
    return found && new Uint8Array(await found.arrayBuffer());
  };
  return respond(request, find, bytes, ({ settings, cut, storedKey }) => {
    const platform: PlatformServices = {
      read: async (key, isDoubted) => {
        const stored = storedKey(key);
        return stored === undefined ? undefined : bytes(stored, isDoubted);
      },
      later: context?.waitUntil && ((work) => context.waitUntil?.(work)),
      report: logError,
    };
    const onPlatform =
      cut && ((found: PageOrPropertyAnswer, asked: ApiRequest) => cut(found, asked, platform));
    return { cut: onPlatform, ...storeOf(settings.base, storedKey, request, origin) };
  });
};

function storeOf(
  base: string,
  storedKey: ServedRelease['storedKey'],
  request: Request,
  origin: string,
): FileStore<StoredBody> {
  const read = async (key: string) => {
    const stored = storedKey(key);
    return stored === undefined ? undefined : readOrigin(stored, origin);
  };
  return {
    read,
    report: logError,
    text: async (key) => {
      const entity = await read(key);
      return entity && new Response(entity.body).text();
    },
    file: async (path) => {
      const key = fileKey(path, base);
      const stored = key === undefined ? undefined : storedKey(key);
      if (key === undefined || stored === undefined) return undefined;
      const found = await ask(stored, origin, rangeHeaders(request));
      if (!found) return undefined;
      const range = found.headers.get('Content-Range');
      if (found.status === 416) {
        await found.body?.cancel();
        return unsatisfiableReply(Number(/[0-9]+$/.exec(range ?? '')?.[0] ?? 0), SETTINGS);
      }
      const ifNoneMatch = request.headers.get('If-None-Match') ?? undefined;
      const whole = entityReply(await entityOf(found), key, { ifNoneMatch }, SETTINGS.cache);
      if (whole.status === 304 || found.status === 200) return whole;
      whole.headers.push(['Accept-Ranges', 'bytes'], ['Content-Range', range ?? '']);
      return { ...whole, status: found.status };
    },
  };
}

function rangeHeaders({ method, headers }: Request): Record<string, string> {
  const range = headers.get('Range') ?? '';
  // HEAD ignores the Range header (RFC 9110, 14.2).
  if (method !== 'GET' || !parseRequestedRange(range)) return {};
  const condition = headers.get('If-Range');
  if (condition === null) return { Range: range };
  // An origin would reject such a long header, and no ETag is that long.
  return condition.length > LONGEST_TAG ? {} : { Range: range, 'If-Range': condition };
}

const LONGEST_TAG = 1000;

async function readOrigin(key: string, origin: string): Promise<Entity<StoredBody> | undefined> {
  const found = await ask(key, origin, {});
  return found && entityOf(found);
}

/**
 * Returns the response with the file, or a 416 if the file ends before the range in `headers`. Undefined if the origin
 * has no such file.
 * @throws Error for any other response, such as a redirect to a login page
 */
async function ask(
  key: string,
  origin: string,
  headers: Record<string, string>,
): Promise<Response | undefined> {
  const url = `${origin}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ORIGIN_TIME_LIMIT);
  // Uncompressed, so that the ETag matches the bytes sent.
  const response = await fetch(url, {
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    redirect: 'manual',
    signal: limit.signal,
  }).finally(() => clearTimeout(timer));
  const { status } = response;
  const presence = classifyOriginStatus(status, SETTINGS.origin ?? 'server', headers.Range !== undefined);
  const isWhere =
    status !== 206 || /^bytes [0-9]+-[0-9]+\//.test(response.headers.get('Content-Range') ?? '');
  if ((presence === 'present' && isWhere) || (status === 416 && headers.Range)) return response;
  await response.body?.cancel();
  if (presence === 'absent' || isFolder(response, url)) return undefined;
  throw new Error(`The origin answered ${status} for ${url}.`);
}

/** Servers redirect a folder's path to the same path with a slash. */
function isFolder({ status, headers }: Response, url: string): boolean {
  const location = headers.get('Location');
  if (status < 300 || status >= 400 || location === null) return false;
  return new URL(location, url).pathname === `${new URL(url).pathname}/`;
}

async function entityOf(response: Response): Promise<Entity<StoredBody>> {
  const tag = response.headers.get('ETag')?.replace(/^W\//, '');
  if (tag) return { tag, body: response.body as StoredBody };
  const body = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return {
    tag: `"${Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`,
    body,
  };
}
