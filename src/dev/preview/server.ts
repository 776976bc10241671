import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Configuration, routeSettings } from '../../contract/configuration.ts';
import { LIST_PATH, MEDIA_FOLDER } from '../../contract/object-keys.ts';
import { PAGE_PATH } from '../../editor/api.ts';
import { describeFailure } from '../../errors/errors.ts';
import { contentPrefix } from '../../report/path-prefix.ts';
import { createHostGuard, createOriginGuard, sendHostRefusal } from '../../serve/allowed-hosts.ts';
import { createHandler, type Handler } from '../../serve/handler.ts';
import { closeServer, listen } from '../../serve/listen.ts';
import type { Session } from '../session/session.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import {
  EVENTS_PATH,
  injectOverlayScript,
  OVERLAY_PATH,
  overlayNotice,
  readOverlayScript,
  WAITING_PAGE,
} from './overlay-script.ts';

export type ServedSession = Pick<
  Session,
  'root' | 'shown' | 'configuration' | 'drafts' | 'readConsistently' | 'diagnostics' | 'failure'
>;

type DevServerOptions = {
  readonly session: ServedSession;
  readonly content: string;
  readonly port: number;
  readonly host: string;
  /** Additional host names to accept. A leading dot includes subdomains. @default [] */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly edit?: RequestListener;
};

export type DevServer = Pick<EventStream, 'sendFiles'> & {
  readonly url: string;
  readonly urls: () => readonly [page: string, list: string];
  readonly close: () => Promise<void>;
};

const REVALIDATE = { api: 'no-cache', media: 'no-cache', problem: 'no-cache' };

/**
 * Refuses requests from other hosts and sites, since the content is unpublished.
 * @throws EnvironmentError when the address is unavailable
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { session, port, host } = options;
  const { listen: listenTo, ...events } = createEventStream(() => stateOf(options));
  const answer = createRequestHandler(options, listenTo);
  const guards = [createHostGuard(options), createOriginGuard(options)];
  const server = createServer((request, response) => {
    for (const guard of guards) {
      const refusal = guard(request);
      if (refusal) return sendHostRefusal(response, refusal);
    }
    answer(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy(error);
      else send(response, 500, 'text/plain; charset=utf-8', `${describeFailure(error).message}\n`);
    });
  });
  const url = await listen(server, port, host);
  return {
    ...events,
    url,
    urls() {
      const base = url + routeSettings(session.configuration()).base;
      return [`${base}/`, base + LIST_PATH];
    },
    close: () => closeServer(server),
  };
}

function stateOf({ session, content }: DevServerOptions): object {
  const failure = session.failure();
  const message = failure === undefined ? undefined : describeFailure(failure).message;
  const notice = overlayNotice(session.diagnostics(), message, contentPrefix(content));
  return { generation: generationOf(session), drafts: session.drafts(), ...(notice && { notice }) };
}

function generationOf(session: ServedSession): string {
  return session.shown()?.release ?? 'none';
}

function createRequestHandler(options: DevServerOptions, listenTo: EventStream['listen']) {
  const { edit, session } = options;
  const script = readOverlayScript();
  const catalogue = createCatalogueHandler(session);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '/').split('?');
    if (path === OVERLAY_PATH) return send(response, 200, 'text/javascript; charset=utf-8', script);
    if (path === EVENTS_PATH) return listenTo(response);
    if (edit && path.startsWith(PAGE_PATH)) return edit(request, response);
    const handle = await session.readConsistently(async () => catalogue());
    if (handle) return handle(request, response);
    response.setHeader('Retry-After', '1');
    if (!request.headers.accept?.includes('text/html'))
      return send(response, 503, 'text/plain; charset=utf-8', 'The first build has not ended yet.\n');
    send(response, 503, 'text/html; charset=utf-8', injectOverlayScript(WAITING_PAGE, generationOf(session)));
  };
}

function createCatalogueHandler(session: ServedSession): () => Handler | undefined {
  let last: { readonly of: ReturnType<Session['shown']>; readonly handle: Handler } | undefined;
  return () => {
    const shown = session.shown();
    if (!shown) return undefined;
    if (last?.of === shown) return last.handle;
    const { configuration } = shown;
    const handle = createHandler({
      root: session.root,
      apiKeys: configuration.api_keys,
      cacheControl: REVALIDATE,
      // A page is made from several files, all of which must be from one build.
      consistently: session.readConsistently,
      async read(key, stored) {
        // Read before the file: if a build ends in between, the page gets the older generation and reloads again.
        const generation = generationOf(session);
        const bytes = await stored();
        return bytes && key.endsWith('.html') ? injectOverlayScript(bytes, generation) : bytes;
      },
      rewrite: (json, request) => withLocalMediaUrls(json, configuration, request.headers.host),
    });
    last = { of: shown, handle };
    return handle;
  };
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}

/** Makes URLs of photos point to this server: new photos do not exist at their published URLs yet. */
function withLocalMediaUrls(json: Uint8Array, configuration: Configuration, host = ''): Uint8Array {
  if (!/^[\w.:[\]-]+$/.test(host)) return json;
  const there = `"${configuration.media_base_url ?? configuration.base_url}/${MEDIA_FOLDER}/`;
  const here = `"http://${host}${routeSettings(configuration).base}/${MEDIA_FOLDER}/`;
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  if (there === here || !bytes.includes(there)) return json;
  return Buffer.from(bytes.toString('utf8').replaceAll(there, here));
}
