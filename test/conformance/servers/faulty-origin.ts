/** An origin that fails on demand: the server of files, or the bucket, behind a target. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Fixture } from '../fixture.ts';
import { listening, type RunningServer } from '../server.ts';
import { sendPlainFile } from './plain-file.ts';

/** The fault of the origin, for every request or for those of some keys. */
export type Fault = {
  readonly name: string;
  readonly keys?: RegExp;
} & (
  | { readonly status: number }
  /**
   * `reset`: the connection ends without an answer; `cut`: before the last byte of the answer; `slow`: the right answer
   * comes when the fault ends.
   */
  | { readonly connection: 'reset' | 'cut' | 'slow' }
);

/** A running origin. */
export type FaultyOrigin = RunningServer & {
  /** Sets the fault from now on; undefined: the origin works again. */
  readonly fail: (fault: Fault | undefined) => void;
};

/** How an origin behaves when it works. */
export type FaultyOriginOptions = {
  /** The answer for a missing file. @default 404 */
  readonly absent?: number;
};

/** Where a redirect leads: to a page that is no file of ours. */
const ELSEWHERE = '/elsewhere';

/** The maximum length of request headers, as small servers have it. */
const LONGEST_HEADERS = 2000;

/** Starts it with the files of a fixture. */
export async function startFaultyOrigin(
  fixture: Fixture,
  { absent = 404 }: FaultyOriginOptions = {},
): Promise<FaultyOrigin> {
  let fault: Fault | undefined;
  const late = new Set<() => void>();
  const work = (key: string, request: IncomingMessage, response: ServerResponse) => {
    if (!sendPlainFile(fixture, key, request, response)) page(response, absent);
  };
  const cut = (key: string, request: IncomingMessage, response: ServerResponse) => {
    const body = fixture.files.get(key);
    if (!body) return work(key, request, response);
    response.writeHead(200, { 'Content-Length': body.length });
    response.write(body.subarray(0, -1), () => request.socket.destroy());
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0]!;
    if (path === ELSEWHERE) return page(response, 200);
    const key = decodeURIComponent(path.slice(1));
    const refusal = refusalOf(request);
    if (refusal !== undefined) return page(response, refusal);
    if (!fault || (fault.keys && !fault.keys.test(key))) return work(key, request, response);
    if ('status' in fault) return page(response, fault.status);
    if (fault.connection === 'reset') return void request.socket.destroy();
    if (fault.connection === 'cut') return cut(key, request, response);
    late.add(() => work(key, request, response));
  });
  // Clients keep connections, and would fail on one that is closed at the moment of a write.
  server.keepAliveTimeout = 0;
  const { port, stop } = await listening(server);
  return {
    port,
    stop,
    fail: (next) => {
      fault = next;
      // The delay ends on demand, not by a clock: the target has given up and answered by now.
      for (const answer of late) answer();
      late.clear();
    },
  };
}

/** Requests that a strict server refuses: unneeded headers that are large, malformed, or of another login. */
function refusalOf({ rawHeaders, headers }: IncomingMessage): number | undefined {
  if (rawHeaders.join('').length > LONGEST_HEADERS) return 431;
  if (!/^[a-z0-9.-]+(?::\d+)?$/.test(headers.host ?? '')) return 400;
  return headers.authorization === undefined && headers.cookie === undefined ? undefined : 401;
}

function page(response: ServerResponse, status: number): void {
  const redirect = status >= 300 && status < 400 ? { Location: ELSEWHERE } : {};
  const body = `<html><title>${status}</title>"data":[]</html>`;
  const hasBody = status !== 204 && status !== 304;
  // A part that was not asked for.
  const range = status === 206 ? { 'Content-Range': `bytes 0-${body.length - 1}/9000` } : {};
  response.writeHead(status, {
    ...redirect,
    ...range,
    'Content-Type': 'text/html',
    'Cache-Control': 'public, max-age=3600',
    ...(hasBody ? { 'Content-Length': Buffer.byteLength(body) } : {}),
  });
  response.end(hasBody ? body : undefined);
}
