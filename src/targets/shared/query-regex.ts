/** The router's rules for platforms that run no code: PCRE on bytes, without flags or quotes; `$` only at the end. */
import { emptyPage } from '../../contract/pagination.ts';
import type { ParameterKey } from '../../contract/parameters.ts';
import {
  LONG_VALUE_PATTERN,
  PARAMETER_FAMILIES,
  PARAMETERS,
  parameterOf,
  percentEncodingPattern,
  QUERY_RULES,
  type QueryRule,
  repeatedParameterPattern,
  unknownNamePattern,
  valueRule,
} from '../../contract/parameters.ts';
import type { ProblemName } from '../../contract/problem.ts';
import type { RouteSettings } from '../../contract/route.ts';

export type QueryFaultPattern = { readonly pattern: string; readonly problem: ProblemName };

/** In the order of checks: the first match decides the response. */
export function queryFaultPatterns(settings: RouteSettings): QueryFaultPattern[] {
  return QUERY_RULES.map((check) => ({ pattern: faultPattern(check, settings), problem: check.problem }));
}

function faultPattern(check: QueryRule, settings: RouteSettings): string {
  if (check.fault === 'unknown-name') return unknownNamePattern(check.family);
  if (check.fault === 'repetition') return repeatedParameterPattern(parameterOf(check.key).name);
  if (check.fault === 'bad-encoding') return malformedPattern(check.key);
  return `${start(check.key)}(?!(?:${encodedValue(check.key, settings)})(?:&|$))[^&]`;
}

/** Group 1 is the raw value. */
export function parameterValuePattern(key: ParameterKey): string {
  return `${start(key)}([^&]+)`;
}

const PAIR_START = '(?:^|&)';

export function longCityPattern(): string {
  return `${start('city')}${LONG_VALUE_PATTERN.slice(1)}`;
}

/**
 * Matches one pair of a typical query: an API parameter that did not occur before, with a valid value; or an unknown
 * parameter. In the name of an API parameter, only brackets may be percent-encoded. A city has up to 30 characters, and
 * its bytes above 127 are percent-encoded. The name of an unknown parameter starts neither with `%` nor with the first
 * letter of an API parameter. The values are groups 1, 2 and so on, in the order of `PARAMETERS`.
 */
export function plainParameterPattern(
  settings: RouteSettings,
  begin: string,
  group: (key: ParameterKey, pattern: string) => string,
): string {
  const pairs = PARAMETERS.map(({ key, name }, index) => {
    const plain = name.replace(/[[\]]/g, (bracket) =>
      bracket === '[' ? '(?:\\[|%5[Bb])' : '(?:\\]|%5[Dd])',
    );
    const value = valueRule(key, settings.sizes)?.pattern ?? `(?>${encodedCharacterPattern()}){1,30}`;
    return `(?(${index + 1})(?!))${plain}=${group(key, value)}(?=&|$)`;
  });
  return `(?:${begin}(?:${pairs.join('|')}|(?![${PARAMETER_FAMILIES.map((family) => family[0]).join('')}%])[^&]*+))`;
}

/** One character of valid UTF-8 (RFC 3629, section 4) or `+`; each byte is raw or percent-encoded. */
const CHARACTER = character();

function character(): string {
  const tail = bytePattern(0x80, 0xbf);
  return [
    `[^%&\\x80-\\xff]|${percentRange(0x00, 0x7f)}`,
    `${bytePattern(0xc2, 0xdf)}${tail}`,
    `(?:${bytePattern(0xe0)}${bytePattern(0xa0, 0xbf)}|${bytePattern(0xe1, 0xec)}${tail}|${bytePattern(0xed)}${bytePattern(0x80, 0x9f)}|${bytePattern(0xee, 0xef)}${tail})${tail}`,
    `(?:${bytePattern(0xf0)}${bytePattern(0x90, 0xbf)}|${bytePattern(0xf1, 0xf3)}${tail}|${bytePattern(0xf4)}${bytePattern(0x80, 0x8f)})${tail}${tail}`,
  ].join('|');
}

function malformedPattern(key: ParameterKey): string {
  return `${start(key)}(?!${LONG_VALUE_PATTERN.slice(1)})(?!(?:${CHARACTER})*+(?:&|$))[^&]`;
}

function start(key: ParameterKey): string {
  return `${PAIR_START}${percentEncodingPattern(parameterOf(key).name)}=`;
}

function encodedValue(key: ParameterKey, { sizes }: RouteSettings): string {
  return valueRule(key, sizes)!.pattern.replace(
    /\[(.)-(.)\]|(\{[^}]*\})|([0-9A-Z])/g,
    (_, first?: string, last?: string, count?: string, single?: string) =>
      count ?? bytePattern((first ?? single)!.charCodeAt(0), (last ?? single)!.charCodeAt(0)),
  );
}

/** Matches a byte that is raw or percent-encoded. */
export function bytePattern(first: number, last = first): string {
  const escaped = (byte: number) =>
    /[0-9A-Za-z]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`;
  const plain = first === last ? escaped(first) : `[${escaped(first)}-${escaped(last)}]`;
  return `(?:${plain}|${percentRange(first, last)})`;
}

function percentRange(first: number, last: number): string {
  const parts: string[] = [];
  let high = first >> 4;
  while (high <= last >> 4) {
    const from = high === first >> 4 ? first & 15 : 0;
    // Consecutive high digits share one expression if any low digit may follow them.
    let end = high;
    while (from === 0 && end < last >> 4 && (end + 1 < last >> 4 || (last & 15) === 15)) end++;
    const to = end === last >> 4 ? last & 15 : 15;
    parts.push(`${digitRange(high, end)}${digitRange(from, to)}`);
    high = end + 1;
  }
  return parts.length === 1 ? `%${parts[0]}` : `%(?:${parts.join('|')})`;
}

function digitRange(first: number, last: number): string {
  const span = (digits: string, from: number, to: number) =>
    from > to ? '' : from === to ? digits[from]! : `${digits[from]}-${digits[to]}`;
  const decimal = span('0123456789', first, Math.min(last, 9));
  const letters = ['ABCDEF', 'abcdef']
    .map((digits) => span(digits, Math.max(first, 10) - 10, last - 10))
    .join('');
  return decimal.length === 1 && letters === '' ? decimal : `[${decimal}${letters}]`;
}

export function literalPattern(text: string): string {
  return text.replace(/[^A-Za-z0-9/_-]/g, '\\$&');
}

/** The arguments are numbers, or text that the platform replaces by numbers, such as variables. */
export function emptyPageTemplate(number: string, size: string, total: string): string {
  return emptyPage(1, 2, 3)
    .replace('"current_page":1', () => `"current_page":${number}`)
    .replace('"per_page":2', () => `"per_page":${size}`)
    .replace('"total_entries":3', () => `"total_entries":${total}`);
}

/** One character of valid UTF-8 in which all bytes above 127 are percent-encoded. */
export function encodedCharacterPattern(): string {
  return CHARACTER.replaceAll(/\(\?:(?:\\x..|\[\\x..-\\x..\])\|(%(?:[^()|]|\(\?:[^()]*\))*)\)/g, '$1');
}
