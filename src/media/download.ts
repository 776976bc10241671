/** Downloads a file over https, with limits on size, time and redirects, from public hosts only. */
import type { LookupAddress } from 'node:dns';
import { lookup as resolveName } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPrivateAddress } from './address.ts';

/** Limits of a download. */
export type DownloadBounds = {
  /**
   * Largest number of bytes, counted on arrival.
   *
   * @default 25,000,000
   */
  readonly maxBytes?: number;
  /**
   * Timeout in milliseconds for everything: lookups, connections, redirects and the body.
   *
   * @default 20,000
   */
  readonly timeoutMs?: number;
  /**
   * Hosts, as written in the URL, that may have a loopback, private or link-local address.
   *
   * @default none
   */
  readonly allowPrivate?: readonly string[];
  /** Certificate authorities, as PEM, that replace the default ones. */
  readonly ca?: string;
};

/** Thrown when a download fails; the message continues "cannot be fetched:". */
export class DownloadRefusal extends Error {}

const refuse = (reason: string) => new DownloadRefusal(reason);

/**
 * DNS lookup that refuses a host with any non-public address. As the connection's own lookup, it checks the very
 * address that is connected to.
 */
export function publicLookup(
  hostname: string,
  options: object,
  callback: Parameters<LookupFunction>[2],
): void {
  const wantsAll = 'all' in options && options.all === true;
  resolveName(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    const [first] = addresses ?? [];
    const hidden = addresses?.find(({ address }) => isPrivateAddress(address));
    if (error || !first) callback(error ?? refuse('its host has no address'), '', 0);
    else if (hidden) callback(refuse(`its host has a private address (${hidden.address})`), '', 0);
    else if (wantsAll) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
}

/** Checks a URL before any lookup. */
function checkUrl(text: string, base: URL | undefined, allowPrivate: readonly string[]): URL {
  if (!URL.canParse(text, base?.href)) throw refuse('it is not a valid URL');
  const url = new URL(text, base);
  if (url.protocol !== 'https:') throw refuse('it is not an https URL');
  if (url.username || url.password) throw refuse('it holds a user name or a password');
  const host = url.hostname.replace(/^\[|\]$/g, '');
  // A host that is an IP address is connected to without a lookup.
  if (isIP(host) && isPrivateAddress(host) && !allowPrivate.includes(host)) {
    throw refuse(`its host has a private address (${host})`);
  }
  return url;
}

function open(url: URL, options: DownloadBounds, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'property-catalogue' };
  const guard = options.allowPrivate?.includes(url.hostname)
    ? {}
    : { lookup: publicLookup as LookupFunction };
  const trust = options.ca === undefined ? {} : { ca: options.ca };
  return new Promise((resolve, reject) => {
    // Without an agent: a kept-alive connection would skip the lookup.
    request(url, { agent: false, headers, signal, ...guard, ...trust })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** Largest number of redirects; each target is checked like the first URL. */
const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

async function follow(text: string, options: DownloadBounds, signal: AbortSignal): Promise<IncomingMessage> {
  const { allowPrivate = [] } = options;
  let url = checkUrl(text, undefined, allowPrivate);
  for (let hops = 0; ; hops++) {
    const response = await open(url, options, signal);
    if (!REDIRECTS.has(response.statusCode ?? 0)) return response;
    response.destroy();
    if (hops === MAX_REDIRECTS) throw refuse(`it redirects more than ${MAX_REDIRECTS} times`);
    try {
      url = checkUrl(response.headers.location ?? '', url, allowPrivate);
    } catch (error) {
      throw error instanceof DownloadRefusal ? refuse(`it redirects, and then ${error.message}`) : error;
    }
  }
}

/**
 * Downloads a file in chunks.
 *
 * @param receive called with each chunk
 * @throws DownloadRefusal when the download fails or exceeds a limit; errors of `receive` unchanged
 */
export async function downloadFile(
  url: string,
  options: DownloadBounds,
  receive: (piece: Buffer) => void,
): Promise<void> {
  const { maxBytes = 25_000_000, timeoutMs = 20_000 } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  let response: IncomingMessage | undefined;
  let failure: { readonly error: unknown } | undefined;
  const hand = (piece: Buffer) => {
    try {
      receive(piece);
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
  try {
    response = await follow(url, options, signal);
    if (response.statusCode !== 200) throw refuse(`the server answered ${response.statusCode}`);
    if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
      throw refuse('the server compressed it');
    }
    let length = 0;
    const tooLong = () => refuse(`it is larger than ${maxBytes} bytes`);
    if (Number(response.headers['content-length']) > maxBytes) throw tooLong();
    for await (const piece of response as AsyncIterable<Buffer>) {
      length += piece.length;
      if (length > maxBytes) throw tooLong();
      hand(piece);
    }
    if (length === 0) throw refuse('the server sent nothing');
  } catch (error) {
    if (failure) throw (failure as { readonly error: unknown }).error;
    if (signal.aborted) throw refuse(`it took longer than ${timeoutMs / 1000} seconds`);
    throw networkRefusal(error);
  } finally {
    response?.destroy();
  }
}

/**
 * Converts errors of DNS, sockets, TLS and HTTP into refusals. Errors without a code are bugs, and returned unchanged.
 */
function networkRefusal(error: unknown): unknown {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (error instanceof DownloadRefusal || typeof code !== 'string') return error;
  return refuse(code === 'ECONNRESET' ? 'the connection broke off' : `the connection failed (${code})`);
}
