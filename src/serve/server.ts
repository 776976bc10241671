import { createServer } from 'node:http';
import type { Readable } from 'node:stream';
import httpServer from 'http-server/lib/core/index.js';
import { MEDIA_TYPES, storedHeaders } from '../contract/headers.ts';
import { parseRequestedRange } from '../targets/runtime/range.ts';
import type { ReplySettings } from '../targets/runtime/reply-settings.ts';
import { createHostGuard, sendHostRefusal } from './allowed-hosts.ts';
import { createHandler, type HandlerOptions, type SendFile } from './handler.ts';
import { closeServer, listen } from './listen.ts';
import { createClientErrorHandler } from './malformed-request.ts';

export type ServeOptions = {
  readonly root: string;
  /** 0: any free port. @default 8080 */
  readonly port?: number;
  /** @default '127.0.0.1' */
  readonly host?: string;
  /** A name that starts with a dot includes all subdomains. @default [] */
  readonly allowedHosts?: readonly string[] | undefined;
  /** SHA-256 digests, for a catalogue that requires keys. @default [] */
  readonly apiKeys?: readonly string[];
  readonly onError?: HandlerOptions['onError'];
};

export type RunningServer = {
  /** Without a trailing slash. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/**
 * Answers only for hosts that {@link createHostGuard} allows.
 * @throws what {@link createHandler} and {@link listen} throw
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { root, port = 8080, host = '127.0.0.1', allowedHosts, apiKeys = [], onError } = options;
  const judge = createHostGuard({ host, allowedHosts });
  const handler = createHandler({ root, apiKeys, onError }, (settings) => createFileSender(root, settings));
  const server = createServer((request, response) => {
    const refusal = judge(request);
    if (refusal) sendHostRefusal(response, refusal);
    else handler(request, response);
  });
  server.on('clientError', createClientErrorHandler(root));
  // Longer than clients keep idle connections, so that clients close them: a request on a connection that the server
  // is closing would be lost.
  server.keepAliveTimeout = 65_000;
  const url = await listen(server, port, host);
  return {
    url,
    close: () => closeServer(server),
  };
}

// Only for images: http-server reads text files into memory and throws if that fails. Unlike `createHandler`, this
// sender makes ETags from inode, size and time, and sends the whole file for a suffix range and for `If-Range`.
function createFileSender(root: string, { cache, digests }: ReplySettings): SendFile {
  const mimeTypes = Object.entries(MEDIA_TYPES).map(([extension, type]) => [bare(type), [extension]]);
  const send = httpServer({
    root,
    cache: (path) => storedHeaders(path.slice(1), cache, digests.length > 0).cacheControl,
    mimeTypes: Object.fromEntries(mimeTypes) as Record<string, string[]>,
    weakEtags: false,
    weakCompare: true,
    showDir: false,
    handleError: false,
  });
  return (key, request, response) => {
    request.url = `/${key.split('/').map(encodeURIComponent).join('/')}`;
    const { range, 'if-range': condition } = request.headers;
    const asked = range === undefined ? undefined : parseRequestedRange(range);
    // HEAD ignores the Range header (RFC 9110, 14.2).
    const isPlain = request.method === 'GET' && condition === undefined && asked && 'offset' in asked;
    if (!isPlain) delete request.headers.range;
    response.once('pipe', (file: Readable) => {
      response.once('close', () => file.destroy());
      // http-server adds its own `error` listener right after this one. That listener throws if the head has been sent,
      // so it is replaced in the next tick.
      process.nextTick(() =>
        file.removeAllListeners('error').once('error', (error) => response.destroy(error)),
      );
    });
    send(request, response);
  };
}

function bare(type: string): string {
  return type.replace(/;.*/, '');
}
