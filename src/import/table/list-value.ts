import { guessBoolean } from '../../source/correction.ts';
import { isMapping, type Mapping } from '../../values/mapping.ts';
import { guessAffirmation } from '../words/column-values.ts';
import { parseJsonExactly } from './exact-json.ts';

export const AVAILABILITY_NAMES = ['value', 'available', 'enabled', 'present', 'included', 'active'];

function affirmationIn(value: unknown): 'true' | 'false' | undefined {
  if (typeof value !== 'object' || value === null) return guessAffirmation(String(value ?? ''));
  const said = AVAILABILITY_NAMES.map((name) => guessBoolean(String(Object(value)[name] ?? '')));
  return said.find((one) => one === 'false') ?? said.find((one) => one === 'true');
}

export const isDenied = (item: unknown) => isMapping(item) && affirmationIn(item) === 'false';

/**
 * Reads a list or an object such as `{ "Wifi": true }`, either as a value or as text in JSON, Python, PostgreSQL or
 * HTML. Splits any other text.
 * @param split the separator, or several: the first one that occurs in the text divides it. With `json` or undefined, a
 * text that is not a list is one item.
 */
export function parseListValue(value: unknown, split: string | readonly string[] | undefined): unknown[] {
  if (isMapping(value)) return namesMarkedTrue(value);
  if (typeof value !== 'string') return [value ?? []].flat();
  const items = writtenList(value.trim());
  if (items) return items;
  if (split === undefined || split === 'json') return [value];
  const separator = [split].flat().find((one) => value.includes(one));
  return separator === undefined ? [value] : value.split(separator);
}

export const NAME_KEY = /^(?:name|title|label|text)$/i;

/** Returns the name in an object such as a facility; '' for an object marked as absent; any other item unchanged. */
export function wordOf(item: unknown): unknown {
  if (!isMapping(item)) return item;
  if (isDenied(item)) return '';
  const [, name] =
    Object.entries(item).find(([key, text]) => NAME_KEY.test(key) && typeof text === 'string') ?? [];
  return name ?? item;
}

/** `{ "Wifi": true, "Pool": null }` gives `['Wifi']`. An object with any other value is returned as the only item. */
function namesMarkedTrue(value: Mapping): unknown[] {
  const said = Object.entries(value).map(([name, one]) => [name, affirmationIn(one)] as const);
  if (said.length === 0 || said.some(([, meant]) => meant === undefined)) return [value];
  return said.flatMap(([name, meant]) => (meant === 'true' ? [name] : []));
}

function writtenList(text: string): unknown[] | undefined {
  if (text === '{}') return [];
  if (/<li\b/i.test(text))
    return text.split(/<\/?(?:li|[uo]l|p|div|br)\b[^<>]*>/i).filter((part) => part.trim() !== '');
  const isBraced = /^\{(?!\s*")[\s\S]*\}$|^\{"[^"]*"(?:,[\s\S]*)?\}$/.test(text);
  if (!isBraced && !/^(?:\[[\s\S]*\]|\{[\s\S]*\})$/.test(text)) return undefined;
  try {
    return parseListValue(parseJsonExactly(text), undefined);
  } catch {
    return isBraced || /^\[(?:\s*u?['"][\s\S]*['"])?\s*\]$/.test(text)
      ? quotedItems(text.slice(1, -1))
      : undefined;
  }
}

/** Splits a text at commas. Items may be in either kind of quotes. Returns undefined if the text has another form. */
function quotedItems(text: string): string[] | undefined {
  const items: string[] = [];
  const item =
    /\s*(?:u?"([^"\\]*(?:\\.[^"\\]*)*)"\s*|u?'([^'\\]*(?:\\.[^'\\]*)*)'\s*|([^\s,'"{}][^,'"{}]*)?)(,|$)/y;
  for (let isLast = text.trim() === ''; !isLast; ) {
    const found = item.exec(text);
    if (!found) return undefined;
    const [, double, single, bare = '', end] = found;
    if (!/^(?:|null|none)$/i.test(bare.trim())) items.push(bare.trim());
    const quoted = double ?? single;
    if (quoted !== undefined) items.push(withoutBackslashEscapes(quoted));
    isLast = end === '';
  }
  return items;
}

/** What each letter means after a backslash. `\N` stays as it is, because a cell with only `\N` is empty. */
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  0: '',
  b: '',
  Z: '',
  N: '\\N',
};

export function withoutBackslashEscapes(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi, (_, wide, narrow, letter: string) =>
    letter === undefined
      ? String.fromCharCode(Number.parseInt(wide ?? narrow, 16))
      : (ESCAPES[letter] ?? letter),
  );
}
