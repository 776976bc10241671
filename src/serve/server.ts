import { createServer } from 'node:http';
import httpServer from 'http-server/lib/core/index.js';
import { MEDIA_TYPES, mediaType, storedHeaders } from '../contract/headers.ts';
import { askedRange } from '../targets/runtime/range.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import { createHostGuard, refuse } from './allowed-hosts.ts';
import { createHandler, type SendFile } from './handler.ts';
import { listen, stop } from './listen.ts';
import { createRefusal } from './refused-request.ts';

export type ServeOptions = {
  /** Folder `dist/public` of a catalogue. */
  readonly root: string;
  /** Port; 0 for any free one. @default 8080 */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Further host names; one that starts with a dot includes all subdomains. @default [] */
  readonly allowedHosts?: readonly string[] | undefined;
  /** SHA-256 digests of the API keys, for a catalogue that requires one. @default [] */
  readonly apiKeys?: readonly string[];
};

export type RunningServer = {
  /** URL without a trailing slash. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/**
 * Starts a server, which answers only for the hosts of {@link createHostGuard}.
 *
 * @throws Error when the folder has no catalogue; EnvironmentError when the address is unavailable (`EADDRINUSE`).
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { root, port = 8080, host = '127.0.0.1', allowedHosts, apiKeys = [] } = options;
  const judge = createHostGuard({ host, allowedHosts });
  const handler = createHandler({ root, apiKeys }, (settings) => createFileSender(root, settings));
  const server = createServer((request, response) => {
    const refusal = judge(request);
    if (refusal) refuse(response, refusal);
    else handler(request, response);
  });
  server.on('clientError', createRefusal(root));
  // Longer than clients keep idle connections: a request on a connection being closed is lost.
  server.keepAliveTimeout = 65_000;
  const url = await listen(server, port, host);
  return {
    url,
    close: () => stop(server),
  };
}

/**
 * Sends files with http-server, which streams them: a download may exceed the machine's memory. Unlike the answers of `createHandler`, its answers have an entity tag from inode,
 * size and time, a charset for text and JSON, and `Last-Modified`; a suffix range, or one with `If-Range`, is answered
 * with the whole file.
 */
function createFileSender(root: string, { cache, digests }: ReplySettings): SendFile {
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
