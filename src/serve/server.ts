import { createServer } from 'node:http';
import { createHostGuard, refuse } from './allowed-hosts.ts';
import { createFileSender } from './files.ts';
import { createHandler } from './handler.ts';
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
