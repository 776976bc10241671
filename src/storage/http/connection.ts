import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
// Loading all of undici takes a tenth of the time of a publish without changes.
import Pool from 'undici/lib/dispatcher/pool.js';
import { memoizeLast } from '../../values/memoize.ts';
import { MAX_RESPONSE_BYTES } from '../body.ts';
import { BucketError, type LockLimit, MIN_REMAINING_TIME, RequestExpired } from '../bucket.ts';
import type { RetryOptions } from '../retrying-bucket.ts';
import type { BucketAddress } from './address.ts';
import { createStoreClock, type StoreClock } from './clock.ts';
import { type Credentials, type Signer, UNSIGNED_PAYLOAD } from './signing-types.ts';

export type StoreRequest = {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE' | 'POST';
  /** Including the bucket's prefix; undefined for the bucket itself. */
  readonly key?: string | undefined;
  /** Unencoded. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Headers that are sent but not signed, because a proxy in front of the store may change them. */
  readonly unsignedHeaders?: Readonly<Record<string, string>> | undefined;
  readonly body?: Buffer | undefined;
  readonly limit?: LockLimit | undefined;
};

export type StoreResponse = {
  readonly status: number;
  /** By lower-case name; the first value of a repeated header. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** `Date` (RFC 9110, 6.6.1), by the store's clock; undefined without that header. */
  readonly time: Date | undefined;
};

export type StoreConnection = {
  /**
   * Returns the response whatever its status.
   * @throws RequestExpired; BucketError `bucket-clock` if the request has a `limit` and the store sends no `Date`; the
   * reason of `limit.signal`; errors of the network and of the credentials
   */
  readonly send: (request: StoreRequest) => Promise<StoreResponse>;
  readonly clock: StoreClock;
  readonly close: () => void;
};

export type StoreOptions = {
  readonly bucket: string;
  /** Prefix of every key, without a trailing slash; empty for none. */
  readonly prefix: string;
  /** @default the endpoint that the environment names (not for `gs://`), or the provider's own */
  readonly endpoint?: string | undefined;
  /** Maximum requests in flight; further ones wait. @default 32 */
  readonly connections?: number | undefined;
  /** Milliseconds without data after which a request fails. @default 60000 */
  readonly timeout?: number | undefined;
  /** Keys per page of a listing. @default 1000, or 5000 in Azure */
  readonly listed?: number | undefined;
  readonly retry?: RetryOptions | undefined;
};

export type StoreConnectionOptions = Pick<StoreOptions, 'connections' | 'timeout'> & {
  readonly address: BucketAddress;
  readonly signer: Signer;
  readonly credentials: () => Promise<Credentials>;
};

export const MD5_HEADER = 'content-md5';

/** Lifetime in milliseconds of a request without a limit: the longest that AWS accepts for signed headers. */
const MAX_LIFETIME = 900_000;
/** If a refused request's date differs from the store's time by more milliseconds than this, the date is the cause. */
const MAX_CLOCK_DIFFERENCE = 60_000;
/** Statuses with which stores refuse a wrong signing time. Ceph sends no error code that would show the cause. */
const REFUSED_STATUSES = new Set([400, 403]);
/** Bytes of a body sent between two checks of the limit: the size of one write to the kernel. */
const PIECE = 65_536;

export async function openStoreConnection(options: StoreConnectionOptions): Promise<StoreConnection> {
  const { address, credentials, connections = 32, timeout = 60_000 } = options;
  const dispatcher = await openDispatcher(address.origin, connections, timeout);
  const clock = createStoreClock();
  const watch = createWatch();
  // Cached, because all responses of one second have the same date.
  const dateOf = memoizeLast(dateIn);

  const send = async (request: StoreRequest): Promise<StoreResponse> => {
    const { limit, method, key } = request;
    const where = `${method} ${address.pathOf(key)}`;
    // A request with a limit is signed by the store's clock, which any response reveals.
    if (limit && clock.now() === undefined) await send({ method: 'HEAD' });
    for (let attempt = 1; ; attempt++) {
      // Signed last, so that nothing waits between the check of the remaining time and the request.
      const { path, headers, time, expires } = sign(options, clock, request, where, await credentials());
      const target = { origin: address.origin, path, method, ...sendable(headers, request, where) };
      const received = await exchange(dispatcher, target, limit, where, watch);
      const answer = Object.assign(received, { time: dateOf(received.headers.date ?? '') });
      const storeTime = answer.time?.getTime() ?? Number.NaN;
      const isWrong =
        REFUSED_STATUSES.has(answer.status) && Math.abs(storeTime - time) > MAX_CLOCK_DIFFERENCE;
      clock.learn(answer.time);
      if (REFUSED_STATUSES.has(answer.status) && limit && (isWrong || storeTime >= expires)) {
        throw new RequestExpired(where);
      }
      if (!isWrong || attempt > 1) return answer;
    }
  };

  return { send, clock, close: () => void dispatcher.destroy() };
}

const PROXIES = ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'];

/** A plain pool if the environment names no proxy: the proxy agent reads the environment for each request. */
async function openDispatcher(origin: string, connections: number, timeout: number): Promise<Dispatcher> {
  const settings = {
    connections,
    // A request must not wait for the response to another.
    pipelining: 1,
    connectTimeout: Math.min(timeout, 10_000),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    maxResponseSize: MAX_RESPONSE_BYTES,
  };
  const hasProxy = PROXIES.some((name) => process.env[name]);
  if (!hasProxy) return new Pool(origin, settings);
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent(settings);
}

function dateIn(text: string): Date | undefined {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time);
}

function sign(
  { address, signer }: StoreConnectionOptions,
  clock: StoreClock,
  { method, key, query = {}, headers: own, unsignedHeaders, limit }: StoreRequest,
  where: string,
  credentials: Credentials,
) {
  // Not `{ ...own }`: spreading headers that were set one by one takes as long as computing the signature.
  const headers: Record<string, string> = Object.assign({ host: address.host }, own);
  if (signer.bodyDigestHeader) headers[signer.bodyDigestHeader] = UNSIGNED_PAYLOAD;
  const path = address.pathOf(key);
  limit?.signal.throwIfAborted();
  const time = clock.now() ?? (limit ? undefined : Date.now());
  if (time === undefined) throw untimed(address);
  const remaining = Math.min(limit?.remaining(time) ?? MAX_LIFETIME, MAX_LIFETIME);
  if (remaining < MIN_REMAINING_TIME) throw new RequestExpired(where);
  const expires = Math.floor((time + remaining) / 1000) * 1000;
  const lifetime = expires / 1000 - Math.floor(time / 1000);
  const signed = signer.expiring({ method, path, query, headers }, credentials, time, lifetime);
  return { path: `${path}?${signed}`, headers: Object.assign(headers, unsignedHeaders), time, expires };
}

function untimed({ origin }: BucketAddress): BucketError {
  const message = `${origin} answers without a Date (RFC 9110, 6.6.1), so a request to it cannot be made to expire. Let the store, or the proxy before it, send that header.`;
  return new BucketError('bucket-clock', message, false);
}

/** Checks the limit before each piece of a large body: if the machine was suspended, at most one piece is sent late. */
function sendable(headers: Readonly<Record<string, string>>, request: StoreRequest, where: string) {
  const { body = null, limit } = request;
  if (!body || !limit || body.length <= PIECE) return { headers, body };
  const pieces = function* () {
    for (let start = 0; start < body.length; start += PIECE) {
      if (start > 0 && limit.remaining() < MIN_REMAINING_TIME) throw new RequestExpired(where);
      yield body.subarray(start, start + PIECE);
    }
  };
  // Without a length, the body would be sent chunked, which S3 refuses. The body is a generator, since undici would
  // read a stream ahead of sending. undici accepts generators, although its types do not say so.
  const whole = { ...headers, 'content-length': String(body.length) };
  return { headers: whole, body: pieces() as unknown as Readable };
}

/** For small responses, a dispatcher's handler takes a third less time than its stream API with a signal. */
function exchange(
  dispatcher: Dispatcher,
  target: Dispatcher.DispatchOptions,
  limit: LockLimit | undefined,
  where: string,
  watch: Watch,
): Promise<Omit<StoreResponse, 'time'>> {
  return new Promise((resolve, reject) => {
    dispatcher.dispatch(target, new Exchange(where, limit, watch, resolve, reject));
  });
}

/** A class, since closures would take 50 % more time than its methods. */
class Exchange implements Dispatcher.DispatchHandler, Watched {
  readonly #chunks: Buffer[] = [];
  #head: Omit<StoreResponse, 'time' | 'body'> = { status: 0, headers: {} };
  #controller: Dispatcher.DispatchController | undefined;
  #reason: Error | undefined;
  readonly #release: () => void;

  constructor(
    readonly where: string,
    readonly limit: LockLimit | undefined,
    watch: Watch,
    readonly resolve: (answer: Omit<StoreResponse, 'time'>) => void,
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
    // The limit may have passed while the request waited for a connection.
    if (this.limit && this.limit.remaining() < MIN_REMAINING_TIME)
      this.#reason ??= new RequestExpired(this.where);
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

function firstValues(headers: IncomingHttpHeaders): StoreResponse['headers'] {
  const first: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    first[name] = Array.isArray(value) ? value[0] : value;
  }
  return first;
}

type Watched = {
  readonly end: (reason: Error) => void;
};

type Watch = (limit: LockLimit | undefined, request: Watched) => () => void;

/** One timer and one listener for all requests that share a limit. */
function createWatch(): Watch {
  const watched = new WeakMap<LockLimit, { add: (request: Watched) => () => void }>();
  return (limit, request) => {
    if (!limit) return () => {};
    const group = watched.get(limit) ?? watchLimit(limit);
    watched.set(limit, group);
    return group.add(request);
  };
}

function watchLimit(limit: LockLimit) {
  // Requests in flight; undefined for one that has ended. Not a set: its frequent removals and the garbage collection
  // of its tables took 5 % of the processor time of a publish, and 40 MB.
  const requests: (Watched | undefined)[] = [];
  const free: number[] = [];
  let timer: NodeJS.Timeout | undefined;
  const endAll = (reason: Error) => {
    for (const request of [...requests]) request?.end(reason);
  };
  const isIdle = () => free.length === requests.length;
  const wait = () => {
    timer = setTimeout(() => {
      timer = undefined;
      // The limit may be later now, because the holder renews its lock while a large body is sent.
      if (isIdle()) return;
      if (limit.remaining() > 0) wait();
      else endAll(new Error('no answer came before the limit of the request'));
    }, limit.remaining());
    // The timer need not keep the process alive: requests in flight do.
    timer.unref();
  };
  const onAbort = () => endAll(limit.signal.reason);
  return {
    add(request: Watched) {
      if (isIdle()) limit.signal.addEventListener('abort', onAbort);
      const place = free.pop() ?? requests.length;
      requests[place] = request;
      if (!timer) wait();
      return () => {
        if (requests[place] !== request) return;
        requests[place] = undefined;
        free.push(place);
        if (isIdle()) limit.signal.removeEventListener('abort', onAbort);
      };
    },
  };
}
