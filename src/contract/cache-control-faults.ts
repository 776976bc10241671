import { ownValue } from '../values/own-value.ts';
import { parseDirective, splitDirectives } from './parse-cache-control.ts';

type Argument = 'seconds' | 'fields' | 'none';

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

export type ParsedCacheControl = {
  /**
   * Arguments, without quotes, by lower-case directive name. A directive without an argument has an empty text. Invalid
   * directives are left out.
   */
  readonly directives: ReadonlyMap<string, string>;
  /** Messages that say what is wrong and what to write instead. Empty for a valid value. */
  readonly faults: readonly string[];
};

export function parseCacheControl(text: string): ParsedCacheControl {
  const directives = new Map<string, string>();
  const faults: string[] = [];
  for (const part of text.trim().startsWith(',') ? ['', ...splitDirectives(text)] : splitDirectives(text)) {
    const { name = '', value } = parseDirective(part) ?? {};
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
  const takes = ownValue(DIRECTIVES, name);
  if (takes === 'seconds' && !/^[0-9]+$/.test(value ?? ''))
    return `${name} takes whole seconds, such as "${name}=60"`;
  if (takes === 'none' && value !== undefined) return `${name} takes no value; write "${name}"`;
  return undefined;
}

export function hasQuotedSeconds(cacheControl: string): boolean {
  return splitDirectives(cacheControl).some((part) => /^[A-Za-z-]+="[0-9]+"$/.test(part));
}
