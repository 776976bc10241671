/** Plain HTTP requests, byte by byte: no redirect is followed, no content decoded. */
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { retry } from '../storage/backoff.ts';

/** A request. */
export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** An answer. */
export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** Sends requests over connections that stay open. */
export type HttpClient = {
  /** @throws Error when there is no answer after some attempts. */
  readonly send: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly close: () => void;
};

const ATTEMPTS = 4;

/** @param timeout milliseconds without a sign of the server. */
export function createHttpClient(connections: number, timeout: number): HttpClient {
  const options = { keepAlive: true, maxSockets: connections };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };

  const once = ({ method, url, headers = {} }: HttpRequest) =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const isPlain = url.startsWith('http:');
      const send = isPlain ? httpRequest : httpsRequest;
      const agent = isPlain ? agents['http:'] : agents['https:'];
      // The path as it is: the URL class would tidy it up.
      const { protocol, hostname, port } = new URL(url);
      const path = url.replace(/^https?:\/\/[^/?]*/, '') || '/';
      const host = hostname.replace(/^\[|\]$/g, '');
      const call = send({ protocol, host, port, path, method, headers, agent, timeout }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      call.on('timeout', () => call.destroy(new Error(`no answer within ${timeout / 1000} s`)));
      call.on('error', reject);
      call.end();
    });

  return {
    send: (request) => retry(ATTEMPTS, () => once(request), undefined, { delay: 400 }),
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}
