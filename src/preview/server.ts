/** The local server of `catalogue serve`: the package http-server, with the router in front. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import httpServer from 'http-server';
import { createHandler } from './handler.ts';

/** What to serve, and where. */
export type ServeOptions = {
  /** The folder `dist/public` of a catalogue. */
  readonly root: string;
  /** Port; 0 takes a free one. @default 8080 */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** SHA-256 digests of API keys, for a catalogue that asks for one. @default [] */
  readonly apiKeys?: readonly string[];
};

/** A server that answers. */
export type RunningServer = {
  /** Its URL, without a trailing slash. */
  readonly url: string;
  readonly close: () => Promise<void>;
};

/**
 * Starts a server.
 *
 * @throws Error when the folder holds no catalogue, or the address cannot be had (`EADDRINUSE`).
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { root, port = 8080, host = '127.0.0.1', apiKeys = [] } = options;
  const handler = createHandler({ root, apiKeys });
  const server = httpServer.createServer({
    root,
    showDir: 'false',
    before: [(request: IncomingMessage, response: ServerResponse) => handler(request, response)],
  }) as unknown as { server: Server };
  // Longer than any client keeps an idle connection: one that is closed just when it is used again is lost.
  server.server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.server.listen(port, host, resolve);
  });
  const address = server.server.address() as AddressInfo;
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return {
    url: `http://${name}:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.server.close(() => resolve());
        server.server.closeAllConnections();
      }),
  };
}
