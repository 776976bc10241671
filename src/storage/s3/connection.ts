/** Sends requests to one bucket over kept connections, signed so that they expire. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
// Without the rest of the library, whose loading takes a tenth of a publish with nothing to do.
import Pool from 'undici/lib/dispatcher/pool.js';
import { BucketError, type Limit, MIN_REMAINING, RequestExpired } from '../bucket.ts';
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
  /** The store's time of the answer (`Date`, RFC 9110, 6.6.1); undefined when it says none. */
  readonly time: Date | undefined;
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
export async function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { address, credentials, connections, timeout } = options;
  const dispatcher = await openDispatcher(address.origin, connections, timeout);
  const clock = createStoreClock();
  const watch = createWatch();
  const dateOf = createDates();

  const send = async (request: Request): Promise<Answer> => {
    const { limit, method, key, body = null } = request;
    // A limit is worth nothing on the clock of this machine: the answer to this says the time, whatever its status.
    if (limit && clock.now() === undefined) await send({ method: 'HEAD' });
    for (let attempt = 1; ; attempt++) {
      // Last, so that nothing waits between the question how much time is left and the request.
      const { path, headers, time, expires } = sign(options, clock, request, await credentials());
      const target = { origin: address.origin, path, method, ...sendable(headers, body, limit) };
      const received = await exchange(dispatcher, target, limit, watch);
      const answer: Answer = { ...received, time: dateOf(received.headers.date) };
      const storeTime = answer.time?.getTime() ?? Number.NaN;
      const isWrong = REFUSED.has(answer.status) && Math.abs(storeTime - time) > WRONG;
      clock.learn(answer.time);
      if (REFUSED.has(answer.status) && limit && (isWrong || storeTime >= expires)) {
        throw new RequestExpired(`${method} ${address.pathOf(key)}`);
      }
      if (!isWrong || attempt > 1) return answer;
    }
  };

  return { send, clock, close: () => void dispatcher.destroy() };
}

/** Names of the variables that name a proxy. */
const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/**
 * The proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are used. Without one, requests go to a pool of connections: the
 * agent would look into the environment again for each.
 */
async function openDispatcher(origin: string, connections: number, timeout: number): Promise<Dispatcher> {
  const settings = {
    connections,
    // The answer to one request must not wait for another one's.
    pipelining: 1,
    connectTimeout: Math.min(timeout, 10_000),
    headersTimeout: timeout,
    bodyTimeout: timeout,
  };
  const hasProxy = PROXIES.some((name) => process.env[name]);
  if (!hasProxy) return new Pool(origin, settings);
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent(settings);
}

/** Reads dates: those of one second are the same text. */
function createDates(): (text: string | undefined) => Date | undefined {
  let last: { text: string; date: Date | undefined } | undefined;
  return (text) => {
    if (text === undefined) return undefined;
    if (last?.text !== text) {
      const time = Date.parse(text);
      last = { text, date: Number.isNaN(time) ? undefined : new Date(time) };
    }
    return last.date;
  };
}

/** Signs a request, in the last step before it is sent, so that it expires with its limit. */
function sign(
  { address, signer }: ConnectionOptions,
  clock: StoreClock,
  { method, key, query = {}, headers: own, limit }: Request,
  credentials: Credentials,
) {
  const headers = {
    ...own,
    host: address.host,
    [BODY_DIGEST]: UNSIGNED,
  };
  const path = address.pathOf(key);
  limit?.signal.throwIfAborted();
  const remaining = Math.min(limit?.remaining() ?? UNLIMITED, UNLIMITED);
  if (remaining < MIN_REMAINING) throw new RequestExpired(`${method} ${path}`);
  const time = clock.now() ?? (limit ? undefined : Date.now());
  if (time === undefined) throw untimed(address);
  const expires = Math.floor((time + remaining) / 1000) * 1000;
  const lifetime = expires / 1000 - Math.floor(time / 1000);
  const signed = signer.expiring({ method, path, query, headers }, credentials, time, lifetime);
  return { path: `${path}?${signed}`, headers, time, expires };
}

/** The error for a store whose time is unknown: by it, requests could not expire. */
function untimed({ origin }: BucketAddress): BucketError {
  const message = `${origin} answers without a Date (RFC 9110, 6.6.1), so a request to it cannot be made to expire. Let the store, or the proxy before it, send that header.`;
  return new BucketError('bucket-clock', message, false);
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

/**
 * Sends a request, and ends it when its sender may have no more effect. Handlers of the dispatcher take a third less time
 * than its promise of a stream, with a signal, for a small answer.
 */
function exchange(
  dispatcher: Dispatcher,
  target: Dispatcher.DispatchOptions,
  limit: Limit | undefined,
  watch: Watch,
): Promise<Omit<Answer, 'time'>> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(target, new Exchange(target.path, limit, watch, resolve, reject));
  });
}

/** One request in flight. A class: closures in the place of its methods take half as long again as all of them. */
class Exchange implements Dispatcher.DispatchHandler, Watched {
  readonly #chunks: Buffer[] = [];
  #head: Omit<Answer, 'time' | 'body'> = { status: 0, headers: {} };
  #controller: Dispatcher.DispatchController | undefined;
  #reason: Error | undefined;
  readonly #release: () => void;

  constructor(
    readonly path: string,
    readonly limit: Limit | undefined,
    watch: Watch,
    readonly resolve: (answer: Omit<Answer, 'time'>) => void,
    readonly reject: (error: Error) => void,
  ) {
    this.#release = watch(limit, this);
  }

  end(reason: Error) {
    this.#reason = reason;
    if (this.#controller) this.#controller.abort(reason);
    else this.reject(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    // A request that waited for a connection may have no time left.
    if (this.limit && this.limit.remaining() < MIN_REMAINING) this.#reason ??= new RequestExpired(this.path);
    this.#controller = controller;
    if (this.#reason) controller.abort(this.#reason);
  }

  onResponseStart(_controller: unknown, status: number, headers: IncomingHttpHeaders) {
    this.#head = { status, headers: firstValues(headers) };
  }

  onResponseData(_controller: unknown, chunk: Buffer) {
    this.#chunks.push(chunk);
  }

  onResponseEnd() {
    this.#release();
    const { status, headers } = this.#head;
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.resolve({ status, headers, body });
  }

  onResponseError(_controller: unknown, error: Error) {
    this.#release();
    this.reject(error);
  }
}

function firstValues(headers: IncomingHttpHeaders): Answer['headers'] {
  const first: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    first[name] = Array.isArray(value) ? value[0] : value;
  }
  return first;
}

/** A request in flight. */
type Watched = {
  /** Ends it: its sender may have no more effect. */
  readonly end: (reason: Error) => void;
};

/** Ends a request when its sender may have no more effect. Returns what forgets the request. */
type Watch = (limit: Limit | undefined, request: Watched) => () => void;

/** Watches requests that are in flight: one timer, and one listener, for all that have the same limit. */
function createWatch(): Watch {
  const watched = new WeakMap<Limit, { add: (request: Watched) => () => void }>();
  return (limit, request) => {
    if (!limit) return () => {};
    const group = watched.get(limit) ?? watchLimit(limit);
    watched.set(limit, group);
    return group.add(request);
  };
}

function watchLimit(limit: Limit) {
  const requests = new Set<Watched>();
  let timer: NodeJS.Timeout | undefined;
  const endAll = (reason: Error) => {
    for (const request of [...requests]) request.end(reason);
  };
  const wait = () => {
    timer = setTimeout(() => {
      timer = undefined;
      // The lease may have been renewed: a large body takes longer than one request may wait.
      if (requests.size === 0) return;
      if (limit.remaining() > 0) wait();
      else endAll(new Error('no answer came before the limit of the request'));
    }, limit.remaining());
    // What is in flight keeps the process alive.
    timer.unref();
  };
  const onAbort = () => endAll(limit.signal.reason);
  return {
    add(request: Watched) {
      if (requests.size === 0) limit.signal.addEventListener('abort', onAbort);
      requests.add(request);
      if (!timer) wait();
      return () => {
        requests.delete(request);
        if (requests.size === 0) limit.signal.removeEventListener('abort', onAbort);
      };
    },
  };
}
