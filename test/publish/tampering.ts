/** Live catalogues with wrong answers. */
import { request } from 'node:http';
import type { VerifyResult } from '../../src/verify/verify.ts';
import { serveLoopback } from '../support/loopback.ts';

/** An answer on its way, to be changed. */
export type Reply = { status: number; headers: Record<string, unknown>; body: Buffer };

/** A server in front of another that changes some answers to requests with these methods. Returns its URL. */
export async function tamper(
  url: string,
  change: (path: string, reply: Reply) => void,
  methods = ['GET'],
): Promise<string> {
  return serveLoopback((incoming, outgoing) => {
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
          if (methods.includes(method ?? '')) change(target, reply);
        } catch (error) {
          outgoing.destroy();
          throw error;
        }
        outgoing.writeHead(reply.status, reply.headers as Record<string, string>);
        outgoing.end(method === 'HEAD' ? undefined : reply.body);
      });
    });
    call.end();
  });
}

/** The differences: requests and parts. */
export const shown = ({ differences }: VerifyResult) =>
  differences.map(({ request: what, what: part }) => `${what}: ${part}`);
