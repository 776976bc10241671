/**
 * Refuses requests for unknown host names, and from pages of other sites. In DNS rebinding, the name of another site
 * resolves to this machine, but the browser still sends that name in `Host`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP, isIPv4 } from 'node:net';

export type HostRules = {
  readonly host: string;
  /** A name that starts with a dot includes all subdomains. @default [] */
  readonly allowedHosts?: readonly string[] | undefined;
};

export type HostRefusal = { readonly status: 403 | 421; readonly text: string };

/**
 * Allows the server's own name, `allowedHosts` and the names of the loopback (RFC 6761, 6.3). A server that does not
 * listen on the loopback also allows every IP address, since only a name can be rebound. Other requests get status 421
 * (RFC 9110, 15.5.20), because they are meant for another origin.
 */
export function createHostGuard(rules: HostRules): (request: IncomingMessage) => HostRefusal | undefined {
  const isAllowed = createHostRule(rules);
  return ({ headers: { host } }) => {
    // Browsers always send `Host`, so a request without it does not come from a page.
    if (host === undefined || isAllowed(hostNameOf(host))) return undefined;
    const name = hostNameOf(host).slice(0, 100);
    return {
      status: 421,
      text: `This server does not answer for the host ${JSON.stringify(name)}, so that no page of another site can read it. If the host is yours, start the server with: --allowed-host ${/^[\w.:-]+$/.test(name) ? name : '<name>'}\n`,
    };
  };
}

/** Allows requests without `Origin`: browsers add it to CORS requests and writes. Allowed hosts may use any port. */
export function createOriginGuard(rules: HostRules): (request: IncomingMessage) => HostRefusal | undefined {
  const isAllowed = createHostRule(rules);
  return ({ headers: { origin } }) => {
    if (origin === undefined) return undefined;
    if (URL.canParse(origin) && isAllowed(hostNameOf(new URL(origin).host))) return undefined;
    return {
      status: 403,
      text: `This server does not answer pages of ${JSON.stringify(origin.slice(0, 100))}: what is being edited here is not published yet. If that site is yours, start the server with: --allowed-host <its name>\n`,
    };
  };
}

export function sendHostRefusal(response: ServerResponse, { status, text }: HostRefusal): void {
  response.writeHead(status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}

function createHostRule({ host, allowedHosts = [] }: HostRules): (name: string) => boolean {
  const own = hostNameOf(isIP(host) === 6 ? `[${host}]` : host);
  const isLocal = isLoopback(own);
  const names = new Set([own, ...allowedHosts.map((name) => hostNameOf(name.replace(/^\./, '')))]);
  const suffixes = allowedHosts.filter((name) => name.startsWith('.')).map((name) => hostNameOf(name));
  return (name) =>
    isLoopback(name) ||
    (!isLocal && isIP(name) !== 0) ||
    names.has(name) ||
    suffixes.some((suffix) => name.endsWith(suffix));
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' ||
    name.endsWith('.localhost') ||
    name === '::1' ||
    (isIPv4(name) && name.startsWith('127.'))
  );
}

function hostNameOf(host: string): string {
  const [, address, name = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::\d*)?$/.exec(host.trim().toLowerCase()) ?? [];
  return address ?? name.replace(/\.$/, '');
}
