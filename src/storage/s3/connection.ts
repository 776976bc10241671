/** Sends requests to one bucket over kept connections, signed so that they expire. */
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { BucketAddress } from './address.ts';
import { createStoreClock, type StoreClock } from './clock.ts';
import { BODY_DIGEST, type Credentials, type Signer, sha256 } from './signature.ts';

/** One request. */
export type Request = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE' | 'POST';
  /** The whole key, with the prefix of the bucket; undefined for the bucket itself. */
  readonly key?: string | undefined;
  /** Names and values, not encoded. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** By lower-case name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Buffer | undefined;
} & Lifetime;

/** How long a request may have an effect. */
export type Lifetime = {
  /** Milliseconds from now on, after which the store refuses the request. @default 900000 */
  readonly lifetime?: number | undefined;
  /** Ends the request. */
  readonly signal?: AbortSignal | undefined;
};

/** An answer with its whole body. */
export type Answer = {
  readonly status: number;
  /** By lower-case name; the first value of a header that comes more than once. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};

/** The store refused a request, or it was not sent, since its lifetime was over. It had no effect. */
export class RequestExpired extends Error {
  constructor(method: string, key: string) {
    super(`${method} ${key} was too late, and had no effect`);
    this.name = 'RequestExpired';
  }
}

/** Connections to one bucket. */
export type Connection = {
  /**
   * Sends a request. An answer of any status is returned.
   *
   * @throws RequestExpired; what the network or the credentials throw.
   */
  readonly send: (request: Request) => Promise<Answer>;
  readonly clock: StoreClock;
  readonly close: () => void;
};

/** How to connect. */
export type ConnectionOptions = {
  readonly address: BucketAddress;
  readonly signer: Signer;
  readonly credentials: () => Promise<Credentials>;
  /** Requests in flight at most; a further one waits. */
  readonly connections: number;
  /** Milliseconds without an answer after which a request has failed. */
  readonly timeout: number;
};

/** Of a request that nothing bounds: as long as AWS takes requests that are signed in their headers. */
const LONGEST = 900_000;
/** Codes of refusals whose cause may be the time of the signature (with `AccessDenied`, as Ceph says it too). */
const REFUSED = new Set([400, 403]);
const EMPTY_DIGEST = sha256('');

/** Opens connections. Nothing is sent yet. The proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are used. */
export function openConnection(options: ConnectionOptions): Connection {
  const { address, signer, credentials, connections, timeout } = options;
  const dispatcher = new EnvHttpProxyAgent({
    connections,
    // The answer to one request must not wait for another one's.
    pipelining: 1,
    connectTimeout: Math.min(timeout, 10_000),
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
  const clock = createStoreClock();

  const sendOnce = async (request: Request, end: number): Promise<Answer & { expires: number }> => {
    const { method, key, query = {}, body, signal } = request;
    const keys = await credentials();
    // Last, so that nothing waits between the signature and the request.
    const time = clock.now() ?? Date.now();
    const expires = Math.floor((time + end - performance.now()) / 1000);
    const seconds = expires - Math.floor(time / 1000);
    signal?.throwIfAborted();
    if (seconds < 1) throw new RequestExpired(method, key ?? '');
    const headers = {
      ...request.headers,
      host: address.host,
      [BODY_DIGEST]: body ? sha256(body) : EMPTY_DIGEST,
    };
    const path = address.pathOf(key);
    const signed = signer.expiring({ method, path, query, headers }, keys, time, seconds);
    const call: Dispatcher.RequestOptions = {
      origin: address.origin,
      path: `${path}?${signed}`,
      method,
      headers,
      ...(body ? { body } : {}),
      ...(signal ? { signal } : {}),
    };
    const answer = await dispatcher.request(call);
    const received = Buffer.from(await answer.body.arrayBuffer());
    const found: Record<string, string | undefined> = {};
    for (const [name, value] of Object.entries(answer.headers)) found[name] = [value].flat()[0];
    return { status: answer.statusCode, headers: found, body: received, expires };
  };

  const send = async (request: Request): Promise<Answer> => {
    const end = performance.now() + (request.lifetime ?? LONGEST);
    // A lifetime is worth nothing on a clock that may be wrong.
    if (request.lifetime !== undefined && clock.now() === undefined) {
      await send({ method: 'HEAD', signal: request.signal });
    }
    for (let attempt = 1; ; attempt++) {
      const isGuess = clock.now() === undefined;
      const before = clock.now() ?? Date.now();
      const answer = await sendOnce(request, end);
      const { date } = answer.headers;
      if (!REFUSED.has(answer.status)) {
        clock.learn(date);
        return answer;
      }
      const time = date === undefined ? Number.NaN : Date.parse(date);
      if (!isGuess && time / 1000 >= answer.expires)
        throw new RequestExpired(request.method, request.key ?? '');
      // The time of the signature may be the cause: it came from the clock of this machine, or the store's was set back.
      const isWrong = Math.abs(time - before) > 60_000;
      if (isWrong) clock.forget();
      clock.learn(date);
      if (!isWrong || attempt > 1) return answer;
    }
  };

  return {
    send,
    clock,
    close: () => void dispatcher.destroy(),
  };
}
