/** Sends files with http-server, which streams them: a download may exceed the machine's memory. */
import httpServer from 'http-server/lib/core/index.js';
import { MEDIA_TYPES, mediaType, storedHeaders } from '../contract/headers.ts';
import { askedRange } from '../targets/runtime/range.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import type { SendFile } from './handler.ts';

/**
 * Makes a sender of a folder's files. Unlike the answers of `createHandler`, its answers have an entity tag from inode,
 * size and time, a charset for text and JSON, and `Last-Modified`; a suffix range, or one with `If-Range`, is answered
 * with the whole file.
 */
export function createFileSender(root: string, { cache, digests }: ReplySettings): SendFile {
  const mimeTypes = Object.entries(MEDIA_TYPES).map(([extension, type]) => [bare(type), [extension]]);
  const send = httpServer({
    root,
    cache: (path) => storedHeaders(path.slice(1), cache, digests.length > 0).cacheControl,
    mimeTypes: Object.fromEntries(mimeTypes) as Record<string, string[]>,
    contentType: bare(mediaType('')),
    weakEtags: false,
    weakCompare: true,
    showDir: false,
    handleError: false,
  });
  return (key, request, response) => {
    request.url = `/${key.split('/').map(encodeURIComponent).join('/')}`;
    const { range, 'if-range': condition } = request.headers;
    const asked = range === undefined ? undefined : askedRange(range);
    // A Range header is ignored with HEAD (RFC 9110, 14.2).
    const isPlain = request.method === 'GET' && condition === undefined && asked && 'offset' in asked;
    if (!isPlain) delete request.headers.range;
    send(request, response);
  };
}

function bare(type: string): string {
  return type.replace(/;.*/, '');
}
