/** Sends requests to one bucket over kept connections, signed so that they expire. */
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { EnvHttpProxyAgent } from 'undici';
import { type Limit, MIN_REMAINING, RequestExpired } from '../bucket.ts';
import type { BucketAddress } from './address.ts';
import { createStoreClock, type StoreClock } from './clock.ts';
import { BODY_DIGEST, type Credentials, type Signer, UNSIGNED } from './signature.ts';

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
  /** Bounds the effect of the request. */
  readonly limit?: Limit | undefined;
};

/** An answer with its whole body. */
export type Answer = {
  readonly status: number;
  /** By lower-case name; the first value of a header that comes more than once. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
};

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

/** Milliseconds for which AWS takes a request that is signed in its headers: enough for one that nothing bounds. */
const UNLIMITED = 900_000;
/** A difference of clocks, in milliseconds, that can be the cause of a refusal; the delay of an answer is less. */
const WRONG = 60_000;
/** Statuses of refusals whose cause may be the time of the signature (Ceph names no code of its own for it). */
const REFUSED = new Set([400, 403]);
/** Bytes of a body that are sent without asking again whether there is time: what one write hands to the kernel. */
const PIECE = 65_536;

/** Opens connections. Nothing is sent yet. */
export function openConnection(options: ConnectionOptions): Connection {
  const { address, credentials, connections, timeout } = options;
  const dispatcher = openDispatcher(connections, timeout);
  const clock = createStoreClock();

  const sendOnce = async (request: Request) => {
    // Last, so that nothing waits between the question how much time is left and the request.
    const { path, headers, remaining, time, expires } = sign(options, clock, request, await credentials());
    const { method, body = null, limit } = request;
    const { signal, release } = bound(limit, remaining);
    try {
      const target = { origin: address.origin, path, method, ...sendable(headers, body, limit) };
      const answer = await dispatcher.request(signal ? { ...target, signal } : target);
      const received = Buffer.from(await answer.body.arrayBuffer());
      const found = Object.entries(answer.headers).map(([name, value]) => [name, [value].flat()[0]]);
      const whole: Answer = {
        status: answer.statusCode,
        headers: Object.fromEntries(found),
        body: received,
      };
      return { answer: whole, time, expires };
    } finally {
      release();
    }
  };

  const send = async (request: Request): Promise<Answer> => {
    const { limit, method, key } = request;
    // A limit is worth nothing on a clock that may be wrong: the answer to this says the time, whatever its status.
    if (limit && clock.now() === undefined) await send({ method: 'HEAD' });
    for (let attempt = 1; ; attempt++) {
      const { answer, time, expires } = await sendOnce(request);
      const { date = '' } = answer.headers;
      const storeTime = Date.parse(date);
      const isWrong = REFUSED.has(answer.status) && Math.abs(storeTime - time) > WRONG;
      // The store's clock was set back, or the time came from this machine.
      if (isWrong) clock.forget();
      clock.learn(date);
      if (REFUSED.has(answer.status) && limit && (isWrong || storeTime >= expires)) {
        throw new RequestExpired(`${method} ${address.pathOf(key)}`);
      }
      if (!isWrong || attempt > 1) return answer;
    }
  };

  return { send, clock, close: () => void dispatcher.destroy() };
}

/** The proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are used. */
function openDispatcher(connections: number, timeout: number): EnvHttpProxyAgent {
  return new EnvHttpProxyAgent({
    connections,
    // The answer to one request must not wait for another one's.
    pipelining: 1,
    connectTimeout: Math.min(timeout, 10_000),
    headersTimeout: timeout,
    bodyTimeout: timeout,
  });
}

/** Signs a request, in the last step before it is sent, so that it expires with its limit. */
function sign(
  { address, signer }: ConnectionOptions,
  clock: StoreClock,
  { method, key, query = {}, headers: own, body, limit }: Request,
  credentials: Credentials,
) {
  const headers = {
    ...own,
    host: address.host,
    [BODY_DIGEST]: UNSIGNED,
    // A store refuses a body that does not fit (RFC 1864).
    ...(body ? { 'content-md5': createHash('md5').update(body).digest('base64') } : {}),
  };
  const path = address.pathOf(key);
  limit?.signal.throwIfAborted();
  const remaining = Math.min(limit?.remaining() ?? UNLIMITED, UNLIMITED);
  if (remaining < MIN_REMAINING) throw new RequestExpired(`${method} ${path}`);
  const time = clock.now() ?? Date.now();
  const expires = Math.floor((time + remaining) / 1000) * 1000;
  const lifetime = expires / 1000 - Math.floor(time / 1000);
  const signed = signer.expiring({ method, path, query, headers }, credentials, time, lifetime);
  return { path: `${path}?${signed}`, headers, remaining, time, expires };
}

/**
 * A body that fits goes in one piece with its head. A larger one asks before each further piece, so that little of it is
 * left to the kernel of a machine that stops.
 */
function sendable(headers: Readonly<Record<string, string>>, body: Buffer | null, limit: Limit | undefined) {
  if (!body || !limit || body.length <= PIECE) return { headers, body };
  const pieces = function* () {
    for (let start = 0; start < body.length; start += PIECE) {
      if (start > 0 && limit.remaining() < MIN_REMAINING) throw new RequestExpired('a body');
      yield body.subarray(start, start + PIECE);
    }
  };
  // Without the length, the body would be chunked, which S3 does not take. A stream would be read ahead of what is sent;
  // undici takes an iterable as well, although its types do not say so.
  const whole = { ...headers, 'content-length': String(body.length) };
  return { headers: whole, body: pieces() as unknown as Readable };
}

/** A signal that ends a request when its sender may have no more effect; `release` forgets the request. */
function bound(
  limit: Limit | undefined,
  remaining: number,
): { signal: AbortSignal | undefined; release: () => void } {
  if (!limit) return { signal: undefined, release: () => {} };
  const controller = new AbortController();
  const onAbort = () => controller.abort(limit.signal.reason);
  limit.signal.addEventListener('abort', onAbort);
  let timer: NodeJS.Timeout;
  const watch = (rest: number) => {
    timer = setTimeout(() => {
      // The lease may have been renewed: a large body takes longer than one request may wait.
      const more = limit.remaining();
      if (more > 0) watch(more);
      else controller.abort(new Error('no answer came before the limit of the request'));
    }, rest);
  };
  watch(remaining);
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      limit.signal.removeEventListener('abort', onAbort);
    },
  };
}
