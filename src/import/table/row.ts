import type { ImportCode } from '../../errors/codes.ts';
import { guessBoolean } from '../../source/correction.ts';
import { isMapping, type Mapping } from '../../values/mapping.ts';
import { errorFinding, type ImportFinding } from '../finding.ts';
import { guessAffirmation } from '../words/column-values.ts';

/**
 * An undefined setting is guessed from the source. `skip`: lines above the header. `named`: columns that the header
 * must have.
 */
export type ReadingSettings = {
  readonly [Key in 'rows' | 'delimiter' | 'encoding' | 'sheet']?: string | undefined;
} & { readonly skip?: number | undefined; readonly named?: readonly string[] | undefined };

/** `at`: where the row starts, for display, such as "line 17". */
type Placed = { readonly at: string; readonly line: number };
/** `repeated`: a name that occurs twice in one JSON object of the row. */
export type Row = Placed & {
  readonly value: Mapping;
  readonly isTotals: boolean;
  /** Sentence that says how many cells the row lacks; undefined if none. */
  readonly short?: string | undefined;
  readonly repeated?: string | undefined;
  /** Original text of a cell, before its number was converted. Undefined for sources without cell texts. */
  readonly cellIn?: (column: string) => string | undefined;
};
export type UnreadableRow = Placed & { readonly value: undefined; readonly finding: ImportFinding };

/** Name of an extra column for a key outside of the row's fields: `a1` in `{"a1": {…}}`, or a GeoJSON feature's id. */
export const ROW_KEY = '_key';

/** Each call reads from the start. @param wanted columns whose values are needed. @default all */
export type Rows = (wanted?: readonly string[]) => AsyncGenerator<Row | UnreadableRow>;

export type SourceNote = ImportFinding & { readonly line?: number | undefined };

/** A later note replaces an earlier one with the same code and line. */
export type AddNote = (code: ImportCode, message: string, help?: string, line?: number) => void;

export const malformedRow = (message: string, help: string) => errorFinding('malformed-row', message, help);

/** Normalizes a column's name for comparison: NFC, single spaces, no invisible characters. */
export function columnName(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Returns the value of a column with this name, or at this dotted path. A path through a list gives a list of each
 * item's value, without items marked as absent: `{ name: 'Pool', available: false }`. For an item that
 * is a text, the text is the value.
 */
export function lookUp(row: Mapping, path: string): unknown {
  if (path === '.') return Object.hasOwn(row, path) ? row[path] : row;
  if (Object.hasOwn(row, path)) return row[path];
  const name = columnName(path);
  if (Object.hasOwn(row, name)) return row[name];
  return valueAt(row, path.split('.'));
}

function valueAt(value: unknown, names: readonly string[]): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  if (Object.hasOwn(value, name)) return valueAt((value as Record<string, unknown>)[name], rest);
  if (!Array.isArray(value)) return undefined;
  const found = value
    .filter((item) => !isDenied(item))
    .flatMap((item) =>
      typeof item === 'string' && !/^\d+$/.test(name) ? item : (valueAt(item, names) ?? []),
    )
    .filter((item) => item !== '');
  return found.length > 0 ? found : undefined;
}

export const AVAILABILITY_NAMES = ['value', 'available', 'enabled', 'present', 'included', 'active'];

function affirmationIn(value: unknown): 'true' | 'false' | undefined {
  if (typeof value !== 'object' || value === null) return guessAffirmation(String(value ?? ''));
  const said = AVAILABILITY_NAMES.map((name) => guessBoolean(String(Object(value)[name] ?? '')));
  return said.find((one) => one === 'false') ?? said.find((one) => one === 'true');
}

const isDenied = (item: unknown) => isMapping(item) && affirmationIn(item) === 'false';

/**
 * Reads a list, an object such as `{ "Wifi": true }`, the text of either in JSON, Python, PostgreSQL or HTML, or a text
 * to split.
 * @param split separator; with `json` or undefined, a text that is not a list is one item
 */
export function parseListValue(value: unknown, split: string | undefined): unknown[] {
  if (isMapping(value)) return namesMarkedTrue(value);
  if (typeof value !== 'string') return [value ?? []].flat();
  const items = writtenList(value.trim());
  if (items) return items;
  return split === undefined || split === 'json' ? [value] : value.split(split);
}

export const NAME_OF_WORD = /^(?:name|title|label|text)$/i;

/** Returns the name in an object, such as a facility, or '' if the object is marked as absent. */
export function wordOf(item: unknown): unknown {
  if (!isMapping(item)) return item;
  if (isDenied(item)) return '';
  const [, name] =
    Object.entries(item).find(([key, text]) => NAME_OF_WORD.test(key) && typeof text === 'string') ?? [];
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

/** By letter after a backslash, what both mean. `\N` stays as it is, because a cell with only that is empty. */
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

/** Also accepts Python's `NaN`. Numbers become texts with all digits, since `JSON.parse` rounds. */
export function parseJsonExactly(text: string): unknown {
  const exact = text.replace(
    /"[^"\\]*(?:\\.[^"\\]*)*"?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity/g,
    (token) => (token.startsWith('"') ? token : /\d/.test(token) ? `"${plainNumber(token)}"` : 'null'),
  );
  return JSON.parse(exact);
}

/** Numbers with larger exponents are left as they are. */
const MAX_EXPONENT = 400;

export function plainNumber(text: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:[.,](\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === '' || Math.abs(Number(power)) > MAX_EXPONENT) return text;
  const point = whole.length + Number(power);
  const digits = (whole + fraction)
    .padEnd(point, '0')
    .padStart(whole.length + fraction.length - Math.min(point, 0), '0');
  const place = Math.max(point, 0);
  const plain = `${digits.slice(0, place) || '0'}.${digits.slice(place)}`
    .replace(/^0+(?=\d)/, '')
    .replace(/\.?0*$/, '');
  return plain === '0' ? plain : sign + plain;
}

/** The exponent needs a sign, since `12E5` may be a code. */
const EXPONENT = /^-?(\d+)(?:([.,])(\d+))?e([+-]\d{1,3})$/i;
/**
 * A cell such as 1.2E+05 is read as a whole number if its exponent is at most this. With a larger exponent, it may be a
 * phone number that lost digits.
 */
const MAX_ROUNDED_EXPONENT = 5;

/** Matches links of cells such as `=HYPERLINK("https://…","Book now")`, whatever the language of the function. */
const LINK =
  /^=[\p{L}\d_.]{0,20}(?:hyper|hiper|iper|image)[\p{L}_.]{0,20}\(\s*"((?:[^"]|"")+)"\s*(?:[,;].*)?\)$/isu;

export function linkOfFormula(text: string): string | undefined {
  return LINK.exec(text)?.[1]?.replaceAll('""', '"');
}

export function plainCell(text: string): string {
  if (!/^-?\d|^\\N$|^=/.test(text)) return text;
  if (text === '\\N') return '';
  const formula = linkOfFormula(text) ?? /^="((?:[^"]|"")*)"$/.exec(text)?.[1]?.replaceAll('""', '"');
  if (formula !== undefined) return formula;
  if (text.length > 40) return text;
  const [, , mark = '.', fraction = '', power = ''] = EXPONENT.exec(text) ?? [];
  if (power === '') return /^-0+(?:[.,]0+)?$/.test(text) ? text.slice(1) : text;
  const isWhole = Number(power) <= Math.max(MAX_ROUNDED_EXPONENT, fraction.length);
  return isWhole ? plainNumber(text).replace('.', mark) : text;
}

const TOTAL =
  /^(?:(?:grand|sub|grand-)?[- ]?totals?|sum|sums|summe|zwischensumme|gesamtsumme|gesamt|insgesamt|total(?:e|es|i)?(?: g[ée]n[ée]ral)?|sous-total|somme|suma|subtotale|somma|totaal|subtotaal|som|soma|razem|łącznie|ogółem|Σ|∑|average|durchschnitt|moyenne|promedio|media|gemiddelde|média|średnia|anzahl|count|nombre|cantidad|aantal)(?:\s*[:(=\d].{0,30})?$/iu;
const NUMBER = /^[-−+(]?\s*(?:(?:\p{Sc}|[A-Z]{3})\s*)?\d[\d.,'’\s]*(?:\p{Sc}|%|[A-Z]{3}|m²|qm)?\)?$/u;

/** Whether a row has only numbers and empty cells, perhaps after one word such as "Total". */
export function isTotalsRow(row: readonly unknown[]): boolean {
  let numbers = 0;
  let words = 0;
  let empties = 0;
  let isLed = false;
  for (const value of row) {
    if (value === '' || value === null || value === undefined) {
      empties++;
      if (numbers + words === 0) isLed = true;
      continue;
    }
    if (typeof value === 'object') return false;
    const text = String(value).trim();
    if (NUMBER.test(text)) numbers++;
    else if (TOTAL.test(text)) words++;
    else return false;
  }
  return numbers + words > 0 && empties >= numbers && (words > 0 || (isLed && empties > numbers));
}
