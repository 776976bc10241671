/** Serves a session: the catalogue as it is now, pages that load again by themselves, and what is wrong. */
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Configuration } from '../contract/configuration.ts';
import { routeSettings } from '../contract/configuration.ts';
import { LIST_PATH, MEDIA_FOLDER, PAGES_FOLDER, PROPERTIES_FOLDER } from '../contract/keys.ts';
import { EDIT_API_PATH, PAGE_PATH } from '../editor/api.ts';
import { describeFailure } from '../errors.ts';
import { contentPrefix } from '../report/content.ts';
import { createHostGuard, createOriginGuard, refuse } from '../serve/allowed-hosts.ts';
import { createHandler, type Handler, type ReadFile } from '../serve/handler.ts';
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
import type { SessionView } from './view.ts';

/** What to serve, and where. */
export type DevServerOptions = {
  readonly session: Pick<SessionView, 'shown' | 'trouble' | 'diagnostics'>;
  /** The content folder, as paths in messages start with. */
  readonly content: string;
  /** The folder `dist/public`. */
  readonly root: string;
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
  const generation = createGeneration(session);
  const { listen: listenTo, ...events } = createEvents(() => stateOf(options, generation()));
  const answer = createAnswer(options, generation, listenTo);
  const judges = [createHostGuard(options), createOriginGuard(options)];
  const server = createServer((request, response) => {
    for (const judge of judges) {
      const refusal = judge(request);
      if (refusal) return refuse(response, refusal);
    }
    answer(request, response);
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

/** Names what is shown. Another process serves other generations: pages of the one before load again. */
function createGeneration(session: DevServerOptions['session']): () => string {
  const run = Date.now().toString(36);
  return () => `${run}-${session.shown()?.generation ?? 'none'}`;
}

/** What pages hear of the state. */
function stateOf({ session, content }: DevServerOptions, generation: string): object {
  const failure = session.trouble()?.failure;
  const message = failure === undefined ? undefined : describeFailure(failure).message;
  const notice = noticeOf(session.diagnostics(), message, contentPrefix(content));
  const drafts = session.shown()?.held?.drafts ?? [];
  return { generation, drafts, ...(notice && { notice }) };
}

/** Answers requests of those who may ask. */
function createAnswer(
  options: DevServerOptions,
  generation: () => string,
  listenTo: Events['listen'],
): RequestListener {
  const { edit } = options;
  const script = pageScript();
  const catalogue = createCatalogueHandler(options, generation);
  return (request, response) => {
    const [path = ''] = (request.url ?? '/').split('?');
    if (path === SCRIPT_PATH) return send(response, 200, 'text/javascript; charset=utf-8', script);
    if (path === EVENTS_PATH) return listenTo(response);
    if (path.startsWith(PAGE_PATH)) {
      setEditorHeaders(response);
      return edit && path.startsWith(EDIT_API_PATH)
        ? edit(request, response)
        : sendEditorFile(path, response);
    }
    const handle = catalogue();
    if (handle) return handle(request, response);
    send(response, 503, 'text/html; charset=utf-8', withPageScript(WAITING_PAGE, generation()));
  };
}

/** Makes the handler of what is shown; another one whenever its settings change. Undefined while nothing is shown. */
function createCatalogueHandler(
  { session, root }: DevServerOptions,
  generation: () => string,
): () => Handler | undefined {
  let last: { readonly of: Configuration; readonly isHeld: boolean; readonly handle: Handler } | undefined;
  const read = createRead(session, generation);
  return () => {
    const shown = session.shown();
    if (!shown) return undefined;
    const { configuration } = shown;
    const isHeld = shown.held !== undefined;
    if (last?.of !== configuration || last.isHeld !== isHeld) {
      const apiKeys = configuration.api_keys;
      // What is held answers with pages, whatever the layout of the output.
      const layout = isHeld ? ({ layout: 'pages' } as const) : {};
      const handle = createHandler({ root, apiKeys, cacheControl: NEVER, read, ...layout });
      last = { of: configuration, isHeld, handle };
    }
    return last.handle;
  };
}

/** Makes what reads a file: from memory where that is newer, with links and scripts for pages that are open here. */
function createRead(session: DevServerOptions['session'], generation: () => string): ReadFile {
  return async (key, stored, request) => {
    const shown = session.shown();
    // Before the file is read: one that is newer than it says is only loaded once more.
    const of = generation();
    const held = shown?.held?.read(key);
    const bytes =
      held === undefined
        ? ((await stored()) ?? (await shown?.held?.readDraftImage(key)))
        : (held ?? undefined);
    if (!bytes || !shown) return bytes;
    if (key.endsWith('.html')) return withPageScript(bytes, of);
    return isAnswer(key) ? withMediaFrom(bytes, shown.configuration, request) : bytes;
  };
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}

function isAnswer(key: string): boolean {
  return key.startsWith(`${PAGES_FOLDER}/`) || key.startsWith(`${PROPERTIES_FOLDER}/`);
}

/**
 * Links to photos as they are here: where the catalogue will be served, a new photo is not yet. The files keep the
 * links of the configuration.
 */
function withMediaFrom(bytes: Buffer, configuration: Configuration, { headers }: IncomingMessage): Buffer {
  const { host } = headers;
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return bytes;
  const there = `"${configuration.media_base_url ?? configuration.base_url}/${MEDIA_FOLDER}/`;
  const here = `"http://${host}${routeSettings(configuration).base}/${MEDIA_FOLDER}/`;
  if (there === here || !bytes.includes(there)) return bytes;
  return Buffer.from(bytes.toString('utf8').replaceAll(there, here));
}
