/** A handler of `Request` and `Response` over any HTTP server that has the files of `dist/public`. */

import { ORIGIN_TIME_LIMIT, presenceOf } from '../../contract/origin.ts';
import { createPackedList, type Platform } from '../../packed/serve/list.ts';
import { respond, type StoredBody } from '../runtime/fetch.ts';
import { type Entity, entityReply, type FileStore, fileKey, unsatisfiableReply } from '../runtime/reply.ts';
import { SETTINGS } from '../runtime/settings.ts';

/**
 * Answers a request.
 *
 * @param origin URL of the files of `dist/public`, such as `https://bucket.example.com`; without a trailing slash.
 * @param context what the platform offers for work that outlives an answer; without it, nothing does.
 */
export type Handle = (
  request: Request,
  origin: string,
  context?: { waitUntil?: (work: Promise<unknown>) => void },
) => Promise<Response>;

/** What cuts pages out of chunks, where that is how lists are stored. */
const list = CATALOGUE_PACKED ? createPackedList(SETTINGS) : undefined;

/** Answers a request; see {@link Handle}. */
export const handle: Handle = (request, origin, context) => {
  const platform: Platform = {
    read: async (key, isDoubted) => {
      const found = await ask(key, origin, isDoubted ? { 'Cache-Control': 'no-cache' } : {});
      return found && new Uint8Array(await found.arrayBuffer());
    },
    later: context?.waitUntil && ((work) => context.waitUntil?.(work)),
    report: (error) => console.error(String(error)),
  };
  return answer(request, origin, list && ((found, asked) => list(found, asked, platform)));
};

function answer(request: Request, origin: string, page: FileStore<StoredBody>['page']): Promise<Response> {
  const read = (key: string) => readOrigin(key, origin);
  const store: FileStore<StoredBody> = {
    read,
    page,
    report: (error) => console.error(String(error)),
    text: async (key) => {
      const entity = await read(key);
      return entity && new Response(entity.body).text();
    },
    file: async (path) => {
      const key = fileKey(path, SETTINGS.base);
      if (key === undefined) return undefined;
      // A range of a HEAD request means nothing (RFC 9110, 14.2).
      const range = request.method === 'GET' ? request.headers.get('Range') : null;
      const ifRange = request.headers.get('If-Range');
      const headers = { ...(range ? { Range: range } : {}), ...(ifRange ? { 'If-Range': ifRange } : {}) };
      const found = await ask(key, origin, headers);
      if (!found) return undefined;
      const place = found.headers.get('Content-Range');
      if (found.status === 416) {
        await found.body?.cancel();
        return unsatisfiableReply(Number(/[0-9]+$/.exec(place ?? '')?.[0] ?? 0), SETTINGS);
      }
      const ifNoneMatch = request.headers.get('If-None-Match') ?? undefined;
      const whole = entityReply(await entityOf(found), key, { ifNoneMatch }, SETTINGS.cache);
      if (whole.status === 304 || place === null) return whole;
      whole.headers.push(['Accept-Ranges', 'bytes'], ['Content-Range', place]);
      return { ...whole, status: found.status };
    },
  };
  return respond(request, store);
}

async function readOrigin(key: string, origin: string): Promise<Entity<StoredBody> | undefined> {
  const found = await ask(key, origin, {});
  return found && entityOf(found);
}

/**
 * The origin's answer; undefined when it has no such file. Nothing of the client's request goes to the origin but
 * `headers`.
 *
 * @throws Error when the origin says anything else, or nothing in time: a redirect is not followed, since a login or a
 * page of another site is no file of ours.
 */
async function ask(
  key: string,
  origin: string,
  headers: Record<string, string>,
): Promise<Response | undefined> {
  const url = `${origin}/${key.split('/').map(encodeURIComponent).join('/')}`;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), ORIGIN_TIME_LIMIT);
  // Not compressed, so that the entity tag is that of the bytes which we send.
  const response = await fetch(url, {
    headers: { ...headers, 'Accept-Encoding': 'identity' },
    redirect: 'manual',
    signal: limit.signal,
  }).finally(() => clearTimeout(timer));
  const presence = presenceOf(response.status, SETTINGS.origin ?? 'server');
  if (presence === 'present' || (response.status === 416 && headers.Range)) return response;
  await response.body?.cancel();
  if (presence === 'absent') return undefined;
  throw new Error(`The origin answered ${response.status} for ${url}.`);
}

/** A file with the origin's entity tag, or the digest of its bytes where the origin has none. */
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
