/** Serves a session: the catalogue as it is now, pages that load themselves anew, and what is wrong. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Configuration } from '../contract/configuration.ts';
import { routeSettings } from '../contract/configuration.ts';
import { LIST_PATH, MEDIA_FOLDER, PAGES_FOLDER, PROPERTIES_FOLDER } from '../contract/keys.ts';
import { PAGE_PATH } from '../editor/api.ts';
import { describeFailure } from '../errors.ts';
import { contentPrefix } from '../report/content.ts';
import { createHostGuard, createOriginGuard, refuse } from '../serve/allowed-hosts.ts';
import { createHandler, type Handler, type ReadFile } from '../serve/handler.ts';
import { listen as startListening } from '../serve/listen.ts';
import { sendEditorFile } from './editor-page.ts';
import {
  EVENTS_PATH,
  noticeOf,
  pageScript,
  SCRIPT_PATH,
  WAITING_PAGE,
  withPageScript,
} from './page-script.ts';
import type { Session } from './session.ts';

/** What to serve, and where. */
export type DevServerOptions = {
  readonly session: Session;
  /** The content folder, as paths in messages start with. */
  readonly content: string;
  /** The folder `dist/public`. */
  readonly root: string;
  readonly port: number;
  readonly host: string;
  /** Further host names to answer for; one that starts with a dot stands for its subdomains as well. @default [] */
  readonly allowedHosts?: readonly string[] | undefined;
};

/** A server that answers. */
export type DevServer = {
  /** Its URL, without a trailing slash. */
  readonly url: string;
  /** URLs of the page and of the list. */
  readonly urls: () => readonly [page: string, list: string];
  /** Tells all pages what there is now. */
  readonly announce: () => void;
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
  const { session, root, port, host } = options;
  const judges = [createHostGuard(options), createOriginGuard(options)];
  const script = pageScript();
  // Another process serves other generations: pages of the one before load anew.
  const run = Date.now().toString(36);
  const listeners = new Set<ServerResponse>();
  let handler: { readonly of: Configuration; readonly isHeld: boolean; readonly handle: Handler } | undefined;

  const generation = () => `${run}-${session.shown()?.generation ?? 'none'}`;
  const state = () => {
    const failure = session.trouble()?.failure;
    const message = failure === undefined ? undefined : describeFailure(failure).message;
    const notice = noticeOf(session.diagnostics(), message, contentPrefix(options.content));
    return `event: state\ndata: ${JSON.stringify({
      generation: generation(),
      ...(notice && { notice }),
    })}\n\n`;
  };

  const read: ReadFile = async (key, stored, request) => {
    const shown = session.shown();
    // Before the file is read: one that is newer than it says is only loaded once more.
    const of = generation();
    const held = shown?.held?.read(key);
    const bytes = held === undefined ? await stored() : (held ?? undefined);
    if (!bytes || !shown) return bytes;
    if (key.endsWith('.html')) return withPageScript(bytes, of);
    return isAnswer(key) ? withMediaFrom(bytes, shown.configuration, request) : bytes;
  };

  const server = createServer((request, response) => {
    for (const judge of judges) {
      const refusal = judge(request);
      if (refusal) return refuse(response, refusal);
    }
    const path = (request.url ?? '/').split('?')[0];
    if (path === SCRIPT_PATH) return send(response, 200, 'text/javascript; charset=utf-8', script);
    if (path === EVENTS_PATH) return listen(response);
    if (path?.startsWith(PAGE_PATH)) return sendEditorFile(path, response);
    const shown = session.shown();
    if (!shown) {
      return send(response, 503, 'text/html; charset=utf-8', withPageScript(WAITING_PAGE, generation()));
    }
    const { configuration } = shown;
    const isHeld = shown.held !== undefined;
    if (handler?.of !== configuration || handler.isHeld !== isHeld) {
      const apiKeys = configuration.api_keys;
      // What is held answers with pages, whatever the layout of the output.
      const layout = isHeld ? ({ layout: 'pages' } as const) : {};
      const handle = createHandler({ root, apiKeys, cacheControl: NEVER, read, ...layout });
      handler = { of: configuration, isHeld, handle };
    }
    handler.handle(request, response);
  });

  function listen(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(`retry: 500\n${state()}`);
    listeners.add(response);
    response.on('close', () => listeners.delete(response));
  }

  const url = await startListening(server, port, host);
  return {
    url,
    urls() {
      const shown = session.shown();
      const base = url + (shown ? routeSettings(shown.configuration).base : '');
      return [`${base}/`, base + LIST_PATH];
    },
    announce() {
      const text = state();
      for (const response of listeners) response.write(text);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
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
