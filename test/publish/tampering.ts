/** Catalogues that are live, and answer something else than they should. */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { VerifyResult } from '../../src/publish/verify.ts';

/** An answer on its way, to be changed. */
export type Reply = { status: number; headers: Record<string, unknown>; body: Buffer };

/** A server in front of another that changes some answers. Returns its URL. */
export async function tamper(url: string, change: (path: string, reply: Reply) => void): Promise<string> {
  const server: Server = createServer((incoming, outgoing) => {
    const { method, url: target = '/', headers } = incoming;
    const call = request(url + target, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const {
          'content-length': _length,
          connection: _connection,
          'transfer-encoding': _encoding,
          ...rest
        } = response.headers;
        const reply: Reply = {
          status: response.statusCode!,
          headers: rest,
          body: Buffer.concat(chunks),
        };
        try {
          if (method === 'GET') change(target, reply);
        } catch (error) {
          outgoing.destroy();
          throw error;
        }
        outgoing.writeHead(reply.status, reply.headers as Record<string, string>);
        outgoing.end(method === 'HEAD' ? undefined : reply.body);
      });
    });
    call.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What differs: requests and parts. */
export const shown = ({ differences }: VerifyResult) =>
  differences.map(({ request: what, what: part }) => `${what}: ${part}`);
