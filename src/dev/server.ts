/** Serves a session: the catalogue of the last build, pages that load again by themselves, and what is wrong. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { type Configuration, routeSettings } from '../contract/configuration.ts';
import { LIST_PATH, MEDIA_FOLDER } from '../contract/keys.ts';
import { EDIT_API_PATH, PAGE_PATH } from '../editor/api.ts';
import { describeFailure } from '../errors.ts';
import { contentPrefix } from '../report/content.ts';
import { createHostGuard, createOriginGuard, refuse } from '../serve/allowed-hosts.ts';
import { createHandler, type Handler } from '../serve/handler.ts';
import { listen, stop } from '../serve/listen.ts';
import { sendEditorFile, setEditorHeaders } from './editor-page.ts';
import { createEvents, type Events } from './events.ts';
import {
  EVENTS_PATH,
  noticeOf,
  pageScript,
  SCRIPT_PATH,
  WAITING_PAGE,
  withPageScript,
} from './page-script.ts';
import type { Session } from './session.ts';

/** The part of a session that a server needs. */
export type ServedSession = Pick<Session, 'root' | 'shown' | 'drafts' | 'read' | 'diagnostics' | 'failure'>;

/** What to serve, and where. */
export type DevServerOptions = {
  readonly session: ServedSession;
  /** The content folder, as paths in messages start with. */
  readonly content: string;
  readonly port: number;
  readonly host: string;
  /** Further host names to answer for; one that starts with a dot stands for its subdomains as well. @default [] */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Answers the API of the page that edits properties. @default no such page */
  readonly edit?: RequestListener;
};

/** A server that answers. */
export type DevServer = Pick<Events, 'announce' | 'sendFiles'> & {
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** URLs of the page and of the list. */
  readonly urls: () => readonly [page: string, list: string];
  readonly close: () => Promise<void>;
};

/** A browser must ask each time: what it got a second ago may be old. */
const NEVER = { api: 'no-cache', media: 'no-cache', problem: 'no-cache' };

/**
 * Starts a server. It answers for the hosts of {@link createHostGuard}, and to pages of those hosts, alone: what is
 * being edited is not published yet.
 *
 * @throws EnvironmentError when the address cannot be had (`EADDRINUSE`).
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { session, port, host } = options;
  const { listen: listenTo, ...events } = createEvents(() => stateOf(options));
  const answer = createAnswer(options, listenTo);
  const guards = [createHostGuard(options), createOriginGuard(options)];
  const server = createServer((request, response) => {
    for (const guard of guards) {
      const refusal = guard(request);
      if (refusal) return refuse(response, refusal);
    }
    void answer(request, response);
  });
  const url = await listen(server, port, host);
  return {
    ...events,
    url,
    urls() {
      const shown = session.shown();
      const base = url + (shown ? routeSettings(shown.configuration).base : '');
      return [`${base}/`, base + LIST_PATH];
    },
    close: () => stop(server),
  };
}

/** What pages hear of the state. `generation`: the release that is served. */
function stateOf({ session, content }: DevServerOptions): object {
  const failure = session.failure();
  const message = failure === undefined ? undefined : describeFailure(failure).message;
  const notice = noticeOf(session.diagnostics(), message, contentPrefix(content));
  return { generation: generationOf(session), drafts: session.drafts(), ...(notice && { notice }) };
}

function generationOf(session: ServedSession): string {
  return session.shown()?.release ?? 'none';
}

/** Answers requests of those who may ask. */
function createAnswer(options: DevServerOptions, listenTo: Events['listen']) {
  const { edit, session } = options;
  const script = pageScript();
  const catalogue = createCatalogueHandler(session);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ''] = (request.url ?? '/').split('?');
    if (path === SCRIPT_PATH) return send(response, 200, 'text/javascript; charset=utf-8', script);
    if (path === EVENTS_PATH) return listenTo(response);
    if (path.startsWith(PAGE_PATH)) {
      setEditorHeaders(response);
      return edit && path.startsWith(EDIT_API_PATH)
        ? edit(request, response)
        : sendEditorFile(path, response);
    }
    const handle = await session.read(async () => catalogue()).catch(() => undefined);
    if (handle) return handle(request, response);
    send(response, 503, 'text/html; charset=utf-8', withPageScript(WAITING_PAGE, generationOf(session)));
  };
}

/** Makes the handler of what is shown; another one after each build. Undefined while nothing is shown. */
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
      cacheControl: NEVER,
      async read(key, stored) {
        // Before the file is read: a page that is newer than it says is only loaded once more.
        const generation = generationOf(session);
        const bytes = await session.read(stored);
        return bytes && key.endsWith('.html') ? withPageScript(bytes, generation) : bytes;
      },
      rewrite: (json, request) => withMediaFrom(json, configuration, request),
    });
    last = { of: shown, handle };
    return handle;
  };
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}

/**
 * Links to photos as they are here: where the catalogue will be served, a new photo is not yet. The files keep the
 * links of the configuration.
 */
function withMediaFrom(
  json: Uint8Array,
  configuration: Configuration,
  { headers }: IncomingMessage,
): Uint8Array {
  const { host } = headers;
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return json;
  const there = `"${configuration.media_base_url ?? configuration.base_url}/${MEDIA_FOLDER}/`;
  const here = `"http://${host}${routeSettings(configuration).base}/${MEDIA_FOLDER}/`;
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  if (there === here || !bytes.includes(there)) return json;
  return Buffer.from(bytes.toString('utf8').replaceAll(there, here));
}
