/** The local server of `catalogue serve`: the handler answers the API, and http-server sends the other files. */
import { createServer } from 'node:http';
import { createHostGuard, refuse } from './allowed-hosts.ts';
import { createFileSender } from './files.ts';
import { createHandler } from './handler.ts';
import { listen, stop } from './listen.ts';
import { createRefusal } from './refused-request.ts';

/** What to serve, and where. */
export type ServeOptions = {
  /** The folder `dist/public` of a catalogue. */
  readonly root: string;
  /** Port; 0 takes a free one. @default 8080 */
  readonly port?: number;
  /** Address to listen on. @default '127.0.0.1' */
  readonly host?: string;
  /** Further host names to answer for; one that starts with a dot stands for its subdomains as well. @default [] */
  readonly allowedHosts?: readonly string[] | undefined;
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
 * Starts a server. It answers for the hosts of {@link createHostGuard} alone.
 *
 * @throws Error when the folder holds no catalogue; EnvironmentError when the address cannot be had (`EADDRINUSE`).
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
  // Longer than any client keeps an idle connection: one that is closed just when it is used again is lost.
  server.keepAliveTimeout = 65_000;
  const url = await listen(server, port, host);
  return {
    url,
    close: () => stop(server),
  };
}
