/**
 * The meaning of a request, computed independently: the query is split byte by byte. Shares no code
 * with the router.
 */
import type { Expectation } from './case.ts';
import type { Fixture } from './fixture.ts';

type Key = 'country' | 'city' | 'number' | 'size';

const NAMES = new Map<string, Key>([
  ['filter[country]', 'country'],
  ['filter[city]', 'city'],
  ['page[number]', 'number'],
  ['page[size]', 'size'],
]);

const KEYS: Key[] = ['country', 'city', 'number', 'size'];

/**
 * The answer to GET of the list.
 *
 * @param query one character a byte.
 */
export function listExpectation(query: string, { sizes }: Pick<Fixture, 'sizes'>): Expectation {
  const values = new Map<Key, string[]>();
  const unknown = new Set<string>();
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    const name = lenient(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    const key = NAMES.get(name);
    if (key) {
      if (value !== '') values.set(key, [...(values.get(key) ?? []), value]);
    } else if (name.startsWith('filter[')) unknown.add('filter');
    else if (name.startsWith('page[')) unknown.add('page');
  }
  for (const family of ['filter', 'page'])
    if (unknown.has(family)) return problem(`unknown-parameter.${family}`);
  for (const key of KEYS) if ((values.get(key) ?? []).length > 1) return problem(`repeated-parameter.${key}`);
  const decoded = new Map<Key, string | 'too long'>();
  for (const key of KEYS) {
    const raw = values.get(key)?.[0];
    if (raw === undefined) continue;
    const value = strict(raw);
    if (value === undefined) return problem(`malformed-encoding.${key}`);
    decoded.set(key, value);
  }
  const country = decoded.get('country');
  if (
    country !== undefined &&
    (country.length !== 2 || [...country].some((letter) => letter < 'A' || letter > 'Z'))
  ) {
    return problem('invalid-country');
  }
  const number = integer(decoded.get('number') ?? '1', 999_999_999);
  if (number === undefined) return problem('invalid-page-number');
  const size = integer(decoded.get('size') ?? '25', 100);
  if (size === undefined || (sizes !== 'all' && !sizes.includes(size))) return problem('invalid-page-size');
  const city = decoded.get('city');
  return {
    kind: 'page',
    ...(country === undefined ? {} : { country }),
    ...(city === undefined ? {} : { city }),
    number,
    size,
  };
}

function problem(name: string): Expectation {
  return { kind: 'problem', name };
}

function integer(text: string, most: number): number | undefined {
  for (const digit of text) if (!'0123456789'.includes(digit)) return undefined;
  const value = Number(text);
  return text === '' || text.length > 12 || text[0] === '0' || value > most ? undefined : value;
}

/** A name, decoded as far as it can be. */
function lenient(name: string): string {
  let text = '';
  for (let at = 0; at < name.length; at++) {
    const byte = name[at] === '%' ? hexadecimal(name, at + 1) : undefined;
    text += byte === undefined ? name[at] : String.fromCharCode(byte);
    if (byte !== undefined) at += 2;
  }
  return text;
}

/** A value, decoded; `too long` when its first 121 bytes are well encoded, undefined when it is malformed. */
function strict(value: string): string | 'too long' | undefined {
  const found: number[] = [];
  for (let at = 0; at < value.length; at++) {
    if (value[at] === '%') {
      const byte = hexadecimal(value, at + 1);
      if (byte === undefined) return undefined;
      found.push(byte);
      at += 2;
    } else found.push(value[at] === '+' ? 32 : value.charCodeAt(at));
    if (found.length > 120) return 'too long';
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(found));
  } catch {
    return undefined;
  }
}

function hexadecimal(text: string, at: number): number | undefined {
  const digits = text.slice(at, at + 2).toLowerCase();
  if (digits.length < 2 || [...digits].some((digit) => !'0123456789abcdef'.includes(digit))) return undefined;
  return Number.parseInt(digits, 16);
}
