/** Sends files with http-server, which streams them: a download may be larger than the memory of this machine. */
import httpServer from 'http-server/lib/core/index.js';
import { MEDIA_TYPES, mediaType, storedHeaders } from '../contract/headers.ts';
import { askedRange } from '../targets/runtime/range.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import type { SendFile } from './handler.ts';

/**
 * Makes what sends files of a folder. They differ from those of `createHandler` in what http-server does otherwise: the
 * entity tag is made of inode, size and time; text and JSON name their charset; `Last-Modified` is there; a range of
 * another form than `bytes=<first>-<last>`, or with `If-Range`, is answered with the whole file.
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
    // A range of a HEAD request means nothing (RFC 9110, 14.2).
    const isPlain = request.method === 'GET' && condition === undefined && asked && 'offset' in asked;
    if (!isPlain) delete request.headers.range;
    send(request, response);
  };
}

/** A media type without its parameters. */
function bare(type: string): string {
  return type.replace(/;.*/, '');
}
