/** Parses `Cache-Control` (RFC 9111, 5.2; RFC 5861; RFC 8246): the only place that reads its directives. */

/** What a directive takes: whole seconds, field names in quotes if any, or nothing. */
type Argument = 'seconds' | 'fields' | 'none';

/** The directives of answers. */
const DIRECTIVES: Readonly<Record<string, Argument>> = {
  'max-age': 'seconds',
  's-maxage': 'seconds',
  'stale-while-revalidate': 'seconds',
  'stale-if-error': 'seconds',
  'no-cache': 'fields',
  private: 'fields',
  public: 'none',
  'no-store': 'none',
  'no-transform': 'none',
  'must-revalidate': 'none',
  'must-understand': 'none',
  'proxy-revalidate': 'none',
  immutable: 'none',
};

export const KNOWN_DIRECTIVES: readonly string[] = /* @__PURE__ */ Object.keys(DIRECTIVES);

/** Seconds that stand for every larger number (RFC 9111, 1.2.2). */
const MAX_SECONDS = 2 ** 31;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const DIRECTIVE = /* @__PURE__ */ new RegExp(`^(${TOKEN})(?:=(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)"))?$`);

export type CacheDirectives = {
  /** Arguments by name in lower case, without quotes; empty without one. Faulty directives are left out. */
  readonly directives: ReadonlyMap<string, string>;
  /** What is wrong, and what to write instead; empty for a valid value. */
  readonly faults: readonly string[];
};

/**
 * Splits a value at its commas, but not at those within quotes.
 *
 * @example splitDirectives('private="a, b", max-age=60') // ['private="a, b"', 'max-age=60']
 */
export function splitDirectives(text: string): string[] {
  const found = text.match(/(?:[^,"]|"(?:[^"\\]|\\.)*"?)+|,(?=\s*(?:,|$))/g) || [''];
  return found.map((part) => (part === ',' ? '' : part.trim()));
}

export function parseCacheControl(text: string): CacheDirectives {
  const directives = new Map<string, string>();
  const faults: string[] = [];
  for (const part of text.trim().startsWith(',') ? ['', ...splitDirectives(text)] : splitDirectives(text)) {
    const [, written = '', token, quoted] = DIRECTIVE.exec(part) ?? [];
    const name = written.toLowerCase();
    const value = token ?? quoted?.replace(/\\(.)/g, '$1');
    const fault =
      formFault(part, name) ??
      (directives.has(name) ? `${name} is there twice; keep one` : argumentFault(name, value));
    if (fault === undefined) directives.set(name, value ?? '');
    else if (!faults.includes(fault)) faults.push(fault);
  }
  return { directives, faults };
}

function formFault(part: string, name: string): string | undefined {
  if (part === '')
    return 'a directive is missing; write such as "public, max-age=60", without a comma at an end';
  if (/^[0-9.]+$/.test(part)) return `${part} is no directive; for a time in seconds write "max-age=${part}"`;
  if (name !== '') return undefined;
  if (part.includes(';'))
    return 'directives are separated by commas, not by ";", such as "public, max-age=60"';
  if (/\s=|=\s/.test(part)) return `there is a space beside "=" in "${part}"; leave it out`;
  if (/^[^"]*\s/.test(part)) return `a comma is missing in "${part}"; write such as "public, max-age=60"`;
  return `"${part}" is no directive; write such as "max-age=60"`;
}

function argumentFault(name: string, value: string | undefined): string | undefined {
  const takes = Object.hasOwn(DIRECTIVES, name) ? DIRECTIVES[name] : undefined;
  if (takes === 'seconds' && !/^[0-9]+$/.test(value ?? ''))
    return `${name} takes whole seconds, such as "${name}=60"`;
  if (takes === 'none' && value !== undefined) return `${name} takes no value; write "${name}"`;
  return undefined;
}

/** Seconds that a directive names; undefined where it is absent. */
function secondsOf({ directives }: CacheDirectives, name: string): number | undefined {
  const value = directives.get(name);
  return value === undefined ? undefined : Math.min(Number(value), MAX_SECONDS);
}

/** How long caches use an answer, in seconds. */
export type Lifetime = {
  /** In a cache of one reader; undefined where it may choose. */
  readonly private: number | undefined;
  /** In a cache that readers share; undefined where it may choose. */
  readonly shared: number | undefined;
  /** After that, while it is revalidated. */
  readonly stale: number;
  /** After that, when revalidation fails. */
  readonly failed: number;
};

/** @example lifetimeOf('public, max-age=5, s-maxage=9') // { private: 5, shared: 9, stale: 0, failed: 0 } */
export function lifetimeOf(cacheControl: string): Lifetime {
  const parsed = parseCacheControl(cacheControl);
  const { directives } = parsed;
  // With field names, both are about these alone.
  if (directives.has('no-store') || directives.get('no-cache') === '')
    return { private: 0, shared: 0, stale: 0, failed: 0 };
  const age = secondsOf(parsed, 'max-age');
  const isPrivate = directives.get('private') === '';
  return {
    private: age ?? (isPrivate ? undefined : secondsOf(parsed, 's-maxage')),
    shared: isPrivate ? 0 : (secondsOf(parsed, 's-maxage') ?? age),
    stale: secondsOf(parsed, 'stale-while-revalidate') ?? 0,
    failed: secondsOf(parsed, 'stale-if-error') ?? 0,
  };
}

/** Tells whether seconds are in quotes, as senders must not write them (RFC 9111, 5.2.2.1). */
export function hasQuotedSeconds(cacheControl: string): boolean {
  return splitDirectives(cacheControl).some((part) => /^[A-Za-z-]+="[0-9]+"$/.test(part));
}
