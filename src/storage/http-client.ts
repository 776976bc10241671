/** Sends HTTP requests exactly as given: follows no redirect, decodes no body, normalises no path. */
import type { IncomingHttpHeaders } from 'node:http';
import { Agent, EnvHttpProxyAgent } from 'undici';
import { MAX_RESPONSE_BYTES } from './body.ts';

export type HttpRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

export type HttpResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type HttpClient = {
  readonly send: (request: HttpRequest) => Promise<HttpResponse>;
  readonly close: () => void;
};

export type HttpClientOptions = {
  /** Maximum per host. @default unlimited */
  readonly connections?: number;
  /** Milliseconds without data after which a request fails. @default 30000 */
  readonly timeout?: number;
  /** Honours `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`. @default false */
  readonly proxy?: boolean;
};

export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { connections = null, timeout = 30_000, proxy = false } = options;
  const maxResponseSize = MAX_RESPONSE_BYTES;
  const settings = {
    maxResponseSize,
    connections,
    connectTimeout: timeout,
    headersTimeout: timeout,
    bodyTimeout: timeout,
  };
  const dispatcher = proxy ? new EnvHttpProxyAgent(settings) : new Agent(settings);
  return {
    async send({ method, url, headers = {}, body = null }) {
      // The URL class would normalise the path.
      const [origin = ''] = /^https?:\/\/[^/?]*/.exec(url) ?? [];
      const path = url.slice(origin.length).replace(/^(?!\/)/, '/');
      try {
        const answer = await dispatcher.request({ origin, path, method, headers, body });
        const received = Buffer.from(await answer.body.arrayBuffer());
        return { status: answer.statusCode, headers: answer.headers, body: received };
      } catch (error) {
        if (!/^UND_ERR_\w+_TIMEOUT$/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
        throw new Error(`no answer within ${timeout / 1000} s`, { cause: error });
      }
    },
    close: () => void dispatcher.destroy(),
  };
}
