import { API_KEY_HEADER, RELEASE_HEADER } from '../../contract/headers.ts';
import { isPermittedDigest } from './api-key.ts';
import { SETTINGS } from './bundled-settings.ts';
import { logError } from './log-error.ts';
import { type Entity, type FileStore, noPreviewReply, type Reply, reply } from './reply.ts';
import type { ReplySettings } from './reply-settings.ts';

export type StoredBody = ReadableStream<Uint8Array> | ArrayBuffer | Uint8Array<ArrayBuffer> | null;

type Read = (key: string) => Promise<Uint8Array | undefined>;

/** `find` returns the release to answer from, or a problem's name. `read` bypasses caches. */
export async function respond<Served extends { readonly settings: ReplySettings }>(
  request: Request,
  find: (path: string, read: Read, report: (error: unknown) => void) => Promise<Served | string>,
  read: Read,
  storeOf: (served: Served) => FileStore<StoredBody>,
): Promise<Response> {
  const [path, query] = splitUrl(request.url);
  const served = await find(path, read, logError);
  if (typeof served === 'string') return response(noPreviewReply(served, SETTINGS), request.method);
  const method = request.method;
  const ifNoneMatch = request.headers.get('If-None-Match') ?? undefined;
  const authorized = await isAuthorized(request);
  const release = (CATALOGUE_CUTS_PAGES && request.headers.get(RELEASE_HEADER)) || undefined;
  const result = await reply(
    { method, path, query, ifNoneMatch, authorized, release },
    served.settings,
    storeOf(served),
  );
  return response(result, method);
}

function response({ status, headers, body }: Reply<StoredBody>, method: string): Response {
  return new Response(method === 'HEAD' ? null : body, { status, headers: headers as [string, string][] });
}

/** Does not decode: the platform has already percent-encoded non-ASCII characters. */
function splitUrl(url: string): [path: string, query: string] {
  const match = /^[^:/]+:\/\/[^/?#]*([^?#]*)\??([^#]*)/.exec(url);
  // The platform replaces invalid UTF-8 with U+FFFD. `%FF` is invalid again, so the router refuses the query.
  return match ? [match[1] || '/', match[2]!.replaceAll('%EF%BF%BD', '%FF')] : ['/', ''];
}

async function isAuthorized(request: Request): Promise<boolean> {
  if (CATALOGUE_GUARDED) {
    const key = request.headers.get(API_KEY_HEADER) ?? '';
    // Header values have one byte per character.
    const bytes = Uint8Array.from(key, (character) => character.charCodeAt(0));
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    const hexadecimal = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return isPermittedDigest(hexadecimal, SETTINGS.digests);
  }
  return true;
}

export async function entityBytes(
  entity: Entity<StoredBody> | undefined,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  return entity && new Uint8Array(await new Response(entity.body).arrayBuffer());
}
