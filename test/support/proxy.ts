/** A loopback proxy that injects faults. */
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listen } from '../../src/serve/listen.ts';

export type Fault =
  /** Resets the connection before the server gets the request. */
  | 'reset'
  /** Responds with this without asking the server. */
  | { status: number; code: string }
  /** Sends the request twice and returns the second response. */
  | 'repeated'
  /** Delivers the response in small pieces, with pauses. */
  | 'slow'
  /** Cuts the response off. */
  | 'truncated'
  /** Never delivers the response, although the server handled the request. */
  | 'timeout'
  /** Delays the request by three seconds. */
  | 'late'
  /** From now on, no request gets through. */
  | 'outage';

export type Exchange = { method: string; path: string; status: number | undefined };

export type FaultyProxy = {
  /** URL of the server through the proxy. */
  endpoint: string;
  /** `status`: the server's; undefined if the request did not reach it. */
  exchanges: Exchange[];
  /** Resets all faults and counts. `index`: number of the request since then, from 0. */
  onRequest: (decide: (index: number, exchange: Exchange) => Fault | undefined) => void;
  stop: () => Promise<void>;
};

export async function startProxy(target: string): Promise<FaultyProxy> {
  const { hostname, port, pathname } = new URL(target);
  const exchanges: Exchange[] = [];
  // Shorter than the server's, so that the server never closes a connection in use.
  const agent = new Agent({ keepAlive: true, timeout: 2000 });
  let decide: (index: number, exchange: Exchange) => Fault | undefined = () => undefined;
  let count = 0;
  let isOut = false;

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const exchange: Exchange = { method: incoming.method ?? '', path: incoming.url ?? '', status: undefined };
    exchanges.push(exchange);
    const fault = isOut ? 'outage' : decide(count++, exchange);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    if (fault === 'reset' || fault === 'outage') {
      isOut ||= fault === 'outage';
      incoming.socket.resetAndDestroy();
      return;
    }
    if (typeof fault === 'object') {
      outgoing.writeHead(fault.status, { 'Content-Type': 'application/xml' });
      outgoing.end(
        `<?xml version="1.0"?><Error><Code>${fault.code}</Code><Message>injected</Message></Error>`,
      );
      return;
    }
    const { method, url: path, headers } = incoming;
    const send = () => forward({ agent, hostname, port, method, path, headers }, chunks);
    if (fault === 'late') await sleep(3000);
    if (fault === 'repeated') await send();
    const reply = await send();
    exchange.status = reply.status;
    if (fault === 'timeout') return;
    if (fault === 'truncated') {
      const length = Math.max(reply.body.length, 2);
      outgoing.writeHead(reply.status, { ...reply.headers, 'content-length': length });
      outgoing.write(reply.body.subarray(0, Math.floor(reply.body.length / 2)));
      await sleep(5);
      outgoing.socket?.destroy();
      return;
    }
    outgoing.writeHead(reply.status, reply.headers);
    if (fault === 'slow') {
      const piece = Math.ceil(reply.body.length / 8) || 1;
      for (let from = 0; from < reply.body.length; from += piece) {
        outgoing.write(reply.body.subarray(from, from + piece));
        await sleep(10);
      }
      outgoing.end();
    } else outgoing.end(reply.body);
  };

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy());
  });
  // Closing idle connections would look like an injected fault.
  server.keepAliveTimeout = 0;
  const origin = await listen(server, 0, '127.0.0.1');
  return {
    endpoint: origin + pathname,
    exchanges,
    onRequest(next) {
      decide = next;
      count = 0;
      isOut = false;
      exchanges.length = 0;
    },
    async stop() {
      agent.destroy();
      await closeServer(server);
    },
  };
}

type Reply = { status: number; headers: Record<string, string | string[]>; body: Buffer };

function forward(options: RequestOptions, chunks: Buffer[]): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(options, (response) => {
      const body: Buffer[] = [];
      response.on('data', (chunk: Buffer) => body.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const headers: Reply['headers'] = {};
        for (const [name, value] of Object.entries(response.headers)) {
          if (value !== undefined && !/^(?:connection|keep-alive|transfer-encoding)$/.test(name))
            headers[name] = value;
        }
        resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(body) });
      });
    });
    call.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection at that moment, so it did not get the request.
      if (call.reusedSocket && error.code === 'ECONNRESET') forward(options, chunks).then(resolve, reject);
      else reject(error);
    });
    call.end(Buffer.concat(chunks));
  });
}
