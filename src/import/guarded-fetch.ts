/** A `fetch` for untrusted servers: limits time, size, redirects and hosts. */
import { type LookupAddress, lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Agent, type RequestInit as AgentInit, fetch, type Response as Received } from 'undici';
import { parseUrl } from '../contract/link.ts';

export type FetchBounds = {
  /**
   * `public`: only https and public addresses, also after redirects. `same-origin`: any host, even a private one, but
   * no redirect to another origin, which would receive the API key.
   */
  readonly hosts: 'public' | 'same-origin';
  readonly maxBytes: number;
  readonly timeoutMs: number;
  /** Hosts, spelled as in the URL, that may have a private address. @default none */
  readonly allowPrivate?: readonly string[];
  /** Allows http with `public`, also after redirects. @default false */
  readonly allowHttp?: boolean;
  readonly ca?: string;
};

/** The message is a clause that callers write after a colon, such as "it is not an https URL". */
export class FetchRefusal extends Error {
  constructor(
    reason: string,
    readonly code: 'foreign-redirect' | 'answer-too-large' | 'refused' = 'refused',
    /** Set if the host has a private address: the name to add to `allowPrivate` to permit this host. */
    readonly privateHost?: string,
  ) {
    super(reason);
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 3;

/**
 * Returns a `fetch` that reads the whole body into memory before it returns the response.
 * @throws FetchRefusal; TypeError for a network failure (as with `fetch`) and for a timeout (then named `TimeoutError`)
 */
export function createGuardedFetch(bounds: FetchBounds): typeof globalThis.fetch {
  const { hosts, maxBytes, timeoutMs, ca, allowPrivate = [], allowHttp = false } = bounds;
  const lookup = publicLookup(allowPrivate);
  const dispatcher = new Agent({ connect: { ...(ca && { ca }), ...(hosts === 'public' && { lookup }) } });
  const check =
    hosts === 'same-origin' ? checkOrigin : (url: URL) => checkPublic(url, allowPrivate, allowHttp);
  return async (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
    const request = { ...init, signal, redirect: 'manual', dispatcher } as AgentInit;
    let url = parse(input instanceof Request ? input.url : String(input));
    check(url, url);
    try {
      for (let hops = 0; ; hops++) {
        const response = await fetch(url, request);
        if (!REDIRECTS.has(response.status)) return await bounded(response, maxBytes);
        await response.body?.cancel();
        if (hops === MAX_REDIRECTS)
          throw new FetchRefusal(`it redirects more than ${MAX_REDIRECTS} times`, 'foreign-redirect');
        url = redirected(url, response.headers.get('location') ?? '', check);
      }
    } catch (error) {
      const { cause } = error as Error;
      if (timeout.aborted) {
        const late = new TypeError(`it took longer than ${timeoutMs / 1000} seconds`);
        throw Object.assign(late, { name: 'TimeoutError' });
      }
      throw cause instanceof FetchRefusal ? cause : error;
    }
  };
}

function parse(text: string, base?: URL): URL {
  const url = parseUrl(text, base);
  if (!url) throw new FetchRefusal('it is not a valid URL');
  return url;
}

function redirected(url: URL, location: string, check: (next: URL, url: URL) => void): URL {
  try {
    const next = parse(location, url);
    check(next, url);
    return next;
  } catch (error) {
    const { code, message, privateHost } = error as FetchRefusal;
    throw code === 'refused'
      ? new FetchRefusal(`it redirects, and then ${message}`, code, privateHost)
      : error;
  }
}

function checkOrigin(url: URL, { origin }: URL): void {
  if (url.origin === origin) return;
  const help = 'Give the address of that one, if it is to be trusted';
  throw new FetchRefusal(`it redirects to another host, ${url.origin}. ${help}`, 'foreign-redirect');
}

function checkPublic(url: URL, allowPrivate: readonly string[], allowHttp: boolean): void {
  const { protocol, username, password, hostname } = url;
  if (protocol !== 'https:' && !(allowHttp && protocol === 'http:'))
    throw new FetchRefusal('it is not an https URL');
  if (username || password) throw new FetchRefusal('it holds a user name or a password');
  const host = withoutBrackets(hostname);
  // An IP address needs no DNS lookup, so `publicLookup` would never see it.
  if (isIP(host) && !allowPrivate.map(withoutBrackets).includes(host)) checkAddress(host, host);
}

/** `[fd00::1]` becomes `fd00::1`. */
const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, '');

/** The IANA special-purpose address registries (RFC 6890), multicast, site-local, and IPv4 embedded in IPv6. */
const RESERVED = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16',
  '3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8',
];
const reserved = new BlockList();
for (const [address = '', bits] of RESERVED.join(' ')
  .split(' ')
  .map((block) => block.split('/')))
  reserved.addSubnet(address, Number(bits), address.includes(':') ? 'ipv6' : 'ipv4');

export function isPrivateAddress(address: string): boolean {
  const [plain = ''] = address.split('%');
  const version = isIP(plain);
  return version === 0 || reserved.check(plain, version === 6 ? 'ipv6' : 'ipv4');
}

function checkAddress(address: string, host: string): void {
  if (!isPrivateAddress(address)) return;
  throw new FetchRefusal(`its host has a private address (${address})`, 'refused', host);
}

/** Returns a DNS lookup for the connection itself, so the address that it checks is the one used (no DNS rebinding). */
export function publicLookup(allowPrivate: readonly string[] = []): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (failure, addresses: LookupAddress[]) => {
      try {
        if (failure) throw failure;
        if (!allowPrivate.includes(hostname))
          for (const { address } of addresses) checkAddress(address, hostname);
        const { address, family } = addresses[0]!;
        if (options.all) callback(null, addresses);
        else callback(null, address, family);
      } catch (error) {
        callback(error as Error, '', 0);
      }
    });
  };
}

async function bounded(response: Received, maxBytes: number): Promise<Response> {
  const { status, headers, body } = response;
  const large = () => new FetchRefusal(`it is larger than ${maxBytes} bytes`, 'answer-too-large');
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  if (Number(headers.get('content-length')) > maxBytes) throw large();
  for await (const piece of (body ?? []) as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    length += piece.length;
    if (length > maxBytes) throw large();
    pieces.push(piece);
  }
  // The Fetch Standard forbids a body with these statuses.
  const whole = [204, 205, 304].includes(status) ? null : new Blob(pieces);
  const kept = [...headers].filter(([name]) => !/^content-(?:encoding|length)$/i.test(name));
  return new Response(whole, { status, headers: kept });
}
