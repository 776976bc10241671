/** Reads the directives of `Cache-Control` (RFC 9111, 5.2; RFC 5861; RFC 8246). */

/** Larger numbers of seconds are reduced to this one (RFC 9111, 1.2.2). */
const MAX_SECONDS = 2 ** 31;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const DIRECTIVE = /* @__PURE__ */ new RegExp(`^(${TOKEN})(?:=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?$`);

/** A comma in quotes does not separate: `private="a, b", max-age=60` has two directives. */
export function splitDirectives(text: string): string[] {
  const found = text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+|,(?=\s*(?:,|$))/g) || [''];
  return found.map((part) => (part === ',' ? '' : part.trim()));
}

export function parseDirective(
  part: string,
): { readonly name: string; readonly value: string | undefined } | undefined {
  const [, written, token, quoted] = DIRECTIVE.exec(part) ?? [];
  if (written === undefined) return undefined;
  return { name: written.toLowerCase(), value: token ?? quoted?.replace(/\\(.)/g, '$1') };
}

function directivesOf(text: string): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  for (const part of splitDirectives(text)) {
    const { name = '', value = '' } = parseDirective(part) ?? {};
    if (name !== '' && !directives.has(name)) directives.set(name, value);
  }
  return directives;
}

function secondsOf(directives: ReadonlyMap<string, string>, name: string): number | undefined {
  const value = directives.get(name);
  return value && /^[0-9]+$/.test(value) ? Math.min(Number(value), MAX_SECONDS) : undefined;
}

export type CacheLifetime = {
  readonly private: number | undefined;
  /** Seconds for which shared caches may reuse a response; undefined if the header lets them choose the time. */
  readonly shared: number | undefined;
  /** Seconds of `stale-while-revalidate`: how long caches may still answer with an expired response (RFC 5861). */
  readonly staleWhileRevalidate: number;
  /** Seconds of `stale-if-error`: how long an expired response may be used if revalidation fails. */
  readonly staleIfError: number;
};

/** @example cacheLifetimeOf('public, max-age=5, s-maxage=9').shared // 9 */
export function cacheLifetimeOf(cacheControl: string): CacheLifetime {
  const directives = directivesOf(cacheControl);
  // A `no-cache` with field names applies only to those fields, so the response may still be cached.
  if (directives.has('no-store') || directives.get('no-cache') === '')
    return { private: 0, shared: 0, staleWhileRevalidate: 0, staleIfError: 0 };
  const age = secondsOf(directives, 'max-age');
  const isPrivate = directives.get('private') === '';
  return {
    private: age ?? (isPrivate ? undefined : secondsOf(directives, 's-maxage')),
    shared: isPrivate ? 0 : (secondsOf(directives, 's-maxage') ?? age),
    staleWhileRevalidate: secondsOf(directives, 'stale-while-revalidate') ?? 0,
    staleIfError: secondsOf(directives, 'stale-if-error') ?? 0,
  };
}
