import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { MEDIA_FOLDER } from '../contract/object-keys.ts';
import { parseRangeHeader } from '../targets/runtime/range.ts';
import { type Entity, entityReply, type Reply, unsatisfiableReply } from '../targets/runtime/reply.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import type { StoredFile } from './served-folder.ts';

/** Bytes up to which a file is read and hashed for each request. A larger one is streamed. */
export const MAX_READ = 8_000_000;

/** Bytes of a file that are sent without reading them into memory. */
export type FilePart = { readonly path: string; readonly offset: number; readonly length: number };

export function isFilePart(body: object): body is FilePart {
  return 'path' in body;
}

export function fileReply(
  key: string,
  found: StoredFile | Buffer | undefined,
  request: IncomingMessage,
  settings: ReplySettings,
): Reply<Uint8Array | FilePart> | undefined {
  const entity = found && entityOf(key, found);
  if (!entity) return undefined;
  const whole = entityReply(entity, key, { ifNoneMatch: request.headers['if-none-match'] }, settings.cache);
  whole.headers.push(['Accept-Ranges', 'bytes']);
  return whole.status === 200 ? ranged(whole, entity, request, settings) : whole;
}

function ranged(
  whole: Reply<Uint8Array | FilePart>,
  { tag, body }: Entity<Uint8Array | FilePart>,
  request: IncomingMessage,
  settings: ReplySettings,
): Reply<Uint8Array | FilePart> {
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
    body: isFilePart(body) ? { ...body, ...range } : body.subarray(range.offset, end),
  };
}

/**
 * The ETag of an image is its name, since published images never change. The ETag of another file is a hash of its
 * bytes or, above {@link MAX_READ}, its size and time.
 */
export function entityOf<Found extends StoredFile | Buffer>(
  key: string,
  found: Found,
): Entity<Found extends Buffer ? Buffer : Uint8Array | FilePart> {
  const name = key.startsWith(`${MEDIA_FOLDER}/`)
    ? key.slice(MEDIA_FOLDER.length + 1)
    : Buffer.isBuffer(found)
      ? createHash('sha256').update(found).digest('base64url').slice(0, 27)
      : `${found.size}-${found.mtimeMs}`;
  const body = Buffer.isBuffer(found) ? found : { path: found.path, offset: 0, length: found.size };
  return { tag: `"${name.replace(/[^!#-~]/g, '')}"`, body: body as never };
}

/** @param onError called if reading the file fails; the response then ends early */
export function send(
  { status, headers, body }: Reply<Uint8Array | FilePart>,
  isHead: boolean,
  response: ServerResponse,
  onError: (error: unknown) => void,
): void {
  for (const [name, value] of headers) response.setHeader(name, value);
  const isPart = typeof body === 'object' && body !== null && isFilePart(body);
  if (body !== null) response.setHeader('Content-Length', isPart ? body.length : Buffer.byteLength(body));
  response.writeHead(status);
  if (!isPart || isHead) {
    response.end(isHead || isPart ? undefined : (body ?? undefined));
    return;
  }
  const { path, offset: start, length } = body;
  pipeline(createReadStream(path, { start, end: start + length - 1 }), response, (error) => {
    if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') onError(error);
  });
}
