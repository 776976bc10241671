/** A handler of `Request` and `Response` over any HTTP server that has the files of `dist/public`. */

import { createPackedList, type Platform } from '../packed/list.ts';
import { type Entity, entityReply, fileKey, type Store } from '../reply.ts';
import { type Body, respond } from './fetch.ts';
import { SETTINGS } from './settings.ts';

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

/** Makes what answers requests. */
export function createHandle(): Handle {
  const list = CATALOGUE_PACKED ? createPackedList(SETTINGS) : undefined;
  return (request, origin, context) => {
    const platform: Platform = {
      read: async (key, isDoubted) => {
        const found = await ask(key, origin, isDoubted ? { 'Cache-Control': 'no-cache' } : {});
        return found && new Uint8Array(await found.arrayBuffer());
      },
      later: context?.waitUntil && ((work) => context.waitUntil?.(work)),
      report: (error) => console.error(error),
    };
    const page: Store<Body>['page'] = list && ((found, asked) => list(found, asked, platform));
    return answer(request, origin, page);
  };
}

function answer(request: Request, origin: string, page: Store<Body>['page']): Promise<Response> {
  const read = (key: string) => readOrigin(key, origin);
  const store: Store<Body> = {
    read,
    page,
    text: async (key) => {
      const entity = await read(key);
      return entity && new Response(entity.body).text();
    },
    file: async (path) => {
      const key = fileKey(path, SETTINGS.base);
      if (key === undefined) return undefined;
      const range = request.headers.get('Range');
      const ifRange = request.headers.get('If-Range');
      const headers = { ...(range ? { Range: range } : {}), ...(ifRange ? { 'If-Range': ifRange } : {}) };
      const found = await ask(key, origin, headers);
      if (!found) return undefined;
      const ifNoneMatch = request.headers.get('If-None-Match') ?? undefined;
      const whole = entityReply(await entityOf(found), key, { ifNoneMatch }, SETTINGS.cache);
      const place = found.headers.get('Content-Range');
      if (whole.status === 304 || place === null) return whole;
      whole.headers.push(['Accept-Ranges', 'bytes'], ['Content-Range', place]);
      return { ...whole, status: found.status };
    },
  };
  return respond(request, store);
}

async function readOrigin(key: string, origin: string): Promise<Entity<Body> | undefined> {
  const found = await ask(key, origin, {});
  return found && entityOf(found);
}

/** The origin's answer; undefined when it has no such file. */
async function ask(
  key: string,
  origin: string,
  headers: Record<string, string>,
): Promise<Response | undefined> {
  const url = `${origin}/${key.split('/').map(encodeURIComponent).join('/')}`;
  // Not compressed, so that the entity tag is that of the bytes which we send.
  const response = await fetch(url, { headers: { ...headers, 'Accept-Encoding': 'identity' } });
  if (response.ok || response.status === 416) return response;
  await response.body?.cancel();
  // A bucket that does not let its keys be listed answers 403 for those that it does not have.
  if (response.status === 404 || response.status === 403) return undefined;
  throw new Error(`The origin answered ${response.status} for ${url}.`);
}

/** A file with the origin's entity tag, or the digest of its bytes where the origin has none. */
async function entityOf(response: Response): Promise<Entity<Body>> {
  const tag = response.headers.get('ETag')?.replace(/^W\//, '');
  if (tag) return { tag, body: response.body as Body };
  const body = await response.arrayBuffer();
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', body));
  return {
    tag: `"${Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')}"`,
    body,
  };
}
