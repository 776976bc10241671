import { COUNTRIES, CURRENCIES } from '../../contract/country-and-currency-tables.ts';
import { isHttpsUrl } from '../../contract/link.ts';
import { isDoubtfulPlaceholder, isPlaceholder } from '../../contract/placeholder.ts';
import { guessBoolean } from '../../source/correction.ts';
import { findCountryByName, findCurrencyByName } from '../../source/country-and-currency-aliases.ts';
import { isInvisibleText } from '../../source/damaged-text.ts';
import { readPlace } from '../../source/pasted-place.ts';
import { squareMetres } from '../../source/quantity.ts';
import { squeezedName, squeezedNamesIn } from './column-names.ts';
import { isPersonWithPhone } from './person-text.ts';
import { holdsAccessCode, isIban } from './private-text.ts';
import TABLE from './tables/column-names.json' with { type: 'json' };

/** Whether a text surely means "no value". */
export function isEmptyText(text: string): boolean {
  return text === '' || text === 'null' || isPlaceholder(text) || isInvisibleText(text);
}

/**
 * Whether a text means or may mean "no value". Unlike `isEmptyText`, also true for words such as "none". False for
 * asterisks, which may be the stars of a hotel.
 */
export function isPlaceholderValue(text: string): boolean {
  return isEmptyText(text) || (isDoubtfulPlaceholder(text) && !/^\*{2,5}$/.test(text));
}

/** Reads a cell of a column such as "Wifi", where "x" means yes and an empty cell means no. */
export function guessAffirmation(text: string): 'true' | 'false' | undefined {
  if (/^[x✓✔☑✅]$/i.test(text.trim())) return 'true';
  return isPlaceholderValue(text) || /^[✗✘]$/.test(text) ? 'false' : guessBoolean(text);
}

const CURRENCY_SIGNS = '\\p{Sc}|[A-Z]{3}|zł|Kč|Ft|kr';
/** Pattern of an optional currency next to an amount. */
export const CURRENCY_PATTERN = `(?:${CURRENCY_SIGNS})?`;

const SIGN = `(${CURRENCY_SIGNS})`;
const PRICE = new RegExp(
  `^(?:${SIGN}\\s*)?\\d(?:[\\d.,]|[ \u00a0\u202f](?=\\d{3}(?!\\d)))*[-–—]{0,2}(?:\\s*${SIGN})?$`,
  'u',
);

/** The currency of `€ 95` or `95 EUR`; undefined without one. */
export function currencyInAmount(text: string): string | undefined {
  const [, before, behind] = PRICE.exec(text) ?? [];
  return before ?? behind;
}

/** One test for each kind of value; a text may pass several. A column is recognised by the kinds of its values. */
export const VALUE_KINDS = {
  uuid: (text: string) => /^\{?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}?$/i.test(text),
  // A mail program also copies the name: `Bookings <a@b.example>`.
  email: (text: string) =>
    EMAIL.test(/^[^<>@]{1,100}<([^<>]{1,300})>$/.exec(text)?.[1] ?? text.replace(SEVERAL_EMAILS, '$1')),
  link: isLink,
  image: (text: string) =>
    (isLink(text) && IMAGE.test(text)) || /^[\w ./-]+\.(?:jpe?g|png|webp|avif|gif|tiff?)$/i.test(text),
  phone: (text: string) => /^(?:\+|00|\(?0|\()[\d\s()./-]{6,24}$/.test(text) && !DATE_OR_NUMBER.test(text),
  degrees: (text: string) => DEGREES.test(text) && Math.abs(Number(text.replace(',', '.'))) <= 180,
  comma: (text: string) => /^[-−]?\d+,\d+$/.test(text),
  dotted: (text: string) => /^[-−]?\d+\.\d+$/.test(text),
  commaAmount: amountTest(decimals(',', '.')),
  pointAmount: amountTest(decimals('.', ',')),
  commaGroups: (text: string) => /\d,\d{3}(?![\d.,])/.test(text),
  // Numbers that may mean 1250 or 1.25.
  commaGroup: amountTest('[1-9]\\d{0,2},\\d{3}'),
  pointGroup: amountTest('[1-9]\\d{0,2}\\.\\d{3}'),
  code: holdsAccessCode,
  person: isPersonWithPhone,
  point: (text: string) => parseCoordinatePair(text) !== undefined,
  country: (text: string) =>
    Object.hasOwn(COUNTRIES, text) || (text.length > 3 && findCountryByName(text) !== undefined),
  currency: (text: string) =>
    Object.hasOwn(CURRENCIES, text) || (/^\p{Sc}$/u.test(text) && findCurrencyByName(text, '') !== undefined),
  dwelling: isDwelling,
  boolean: (text: string) => guessAffirmation(text) !== undefined,
  number: (text: string) => /^[-−]?\d+(?:[.,]\d+)?$/.test(text),
} as const satisfies Readonly<Record<string, (text: string) => boolean>>;

const SEVERAL_EMAILS = /^([^\s@]{1,100}@[^\s@,;|/]{1,200})[\s,;|/][^@]{0,100}@.*$/s;
const EMAIL = /^(?:mailto:)?[^\s@<>,;]+@(?=[^\s@,;]+$).+\..{2,}$/i;
const DATE_OR_NUMBER = /^(?:\d+\.\d+|\d\d?([./-])\d\d?\1\d{4})$/;

const FLOOR_OR_DOOR =
  'int(?:erno)?|piano|scala|app?(?:artamento|artement|artment|artamento|artament|t)?|flat|unit|floor|level|etage|og|eg|' +
  'dg|stock(?:werk)?|stiege|top|wohnung|whg|we|étage|et|b[âa]t(?:iment)?|esc(?:alier|alera|ada)?|porte|piso|planta|' +
  'puerta|pta|bloque|andar|fra[cç][cçã]?[ãa]o|bloco|dto|esq|izq(?:da)?|dcha|verdieping|verd|bus|piętro|lok(?:al)?|' +
  'klatka|mieszkanie|m|p';
/** Matches a place within a building, such as `Int. 4`, `2. Etage`, `3º B` and `scala B`. */
const DWELLING = new RegExp(
  `^(?:(?:${FLOOR_OR_DOOR})\\.? ?(?:n[.°º] ?)?(?:\\d{1,3} ?\\p{L}?|\\p{Lu})|` +
    `\\d{1,2}(?:[.ºª°]|e|er|ère|ème|st|nd|rd|th)*(?: |(?<=[.ºª°]))(?:${FLOOR_OR_DOOR}|\\p{L})\\.?|` +
    'piano (?:terra|rialzato)|ground floor|erdgeschoss|rez[- ]de[- ]chaussée|rdc|bajo|ático|r/c|begane grond|parter|bis|ter)$',
  'iu',
);

function isDwelling(text: string): boolean {
  return text.length <= 40 && text.split(/\s*[,;/]\s+|\s+-\s+/).every((part) => DWELLING.test(part));
}

const DWELLING_NAMES = squeezedNamesIn(TABLE.dwelling);

/** Whether a column of this name completes the address, with values such as `Int. 4`. */
export function isDwellingName(name: string): boolean {
  return DWELLING_NAMES.has(squeezedName(name));
}

export type ValueKind = keyof typeof VALUE_KINDS;

/** Pattern of numbers with these marks. It does not match 1.250, whose mark is uncertain. */
function decimals(mark: string, thousands: string): string {
  const groups = `\\d{1,3}(?:[${thousands}]\\d{3})`;
  const spaced = '\\d{1,3}(?:[ \\u00a0\\u202f]\\d{3})+';
  return `(?:(?:\\d+|${groups}+|${spaced})[${mark}](?:\\d\\d?|\\d{4,})|${groups}{2,}|0[${mark}]\\d+)`;
}

function amountTest(number: string): (text: string) => boolean {
  const amount = new RegExp(`^${CURRENCY_PATTERN}\\s*[-−]?${number}\\s*${CURRENCY_PATTERN}$`, 'u');
  return (text) => amount.test(squareMetres(text) ?? text);
}

export type DecimalMark = ',' | '.';

const HAS_MARK: Readonly<Record<DecimalMark, RegExp>> = {
  ',': new RegExp(`^${decimals(',', '.')}$`),
  '.': new RegExp(`^${decimals('.', ',')}$`),
};

/** @param decimal the column's decimal mark; if undefined, the text stays as it is */
export function withDecimalPoint(text: string, decimal: DecimalMark | undefined): string {
  if (decimal === undefined) return text;
  const joined = text.replace(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, '');
  const other = decimal === ',' ? '.' : ',';
  // In 1250.50, the point cannot separate thousands, whatever the other values of the column have.
  const hasOther = joined.match(/\d[\d.,]*/g)?.some((number) => HAS_MARK[other].test(number));
  return (hasOther ? other : decimal) === ','
    ? joined.replaceAll('.', '').replace(',', '.')
    : joined.replace(/,(?=\d{3}(?!\d))/g, '');
}

const IMAGE = /\.(?:jpe?g|png|webp|avif|gif|tiff?)(?:$|[?#])|\/(?:images?|photos?|pictures?|media)\//i;
/** Coordinates have at least three decimals. Numbers with fewer are mostly prices and sizes. */
const DEGREES = /^[-−]?\d{1,3}[.,]\d{3,}$/;

function isLink(text: string): boolean {
  return isHttpsUrl(text.replace(/^http:/i, 'https:'));
}

type WrittenPoint = {
  readonly first: string;
  readonly second: string;
  /** Whether the longitude comes first, as in WKT and GeoJSON. */
  readonly isReversed: boolean;
};

const NUMBER = '([-−+]?\\d{1,3}(?:[.,]\\d+)?)';
const WKT = new RegExp(
  `^(?:SRID=\\d+;)?\\s*POINT\\s*Z?\\s*\\(\\s*${NUMBER}(?:\\s+|\\s*,\\s*)${NUMBER}(?:\\s+\\S+)?\\s*\\)$`,
  'i',
);
const GEOJSON = new RegExp(`"coordinates"\\s*:\\s*\\[\\s*${NUMBER}\\s*,\\s*${NUMBER}[^\\]]{0,100}\\]`);
const PAIR = new RegExp(`^[[(]?\\s*${NUMBER}\\s*(?:[,;|/]\\s*|\\s+)${NUMBER}\\s*[\\])]?$`);

/** Matches degrees with symbols or compass letters, and map links. `readPlace` parses both. */
const MARKED = /^(?:geo:|https?:)|\d\s*[°º]|\d\s*[NSEW](?![\p{L}\d])|(?<![\p{L}\d])[NSEW]\s*\d/u;
const NAMED = new RegExp(
  `lat\\w*"?\\s*[:=]\\s*"?${NUMBER}.{1,20}?(?:lng|lon)\\w*"?\\s*[:=]\\s*"?${NUMBER}`,
  'i',
);

/** Reads two coordinates from one text, such as WKT `POINT(…)`, GeoJSON, PostGIS, a map link, or "51.9, 4.5". */
export function parseCoordinatePair(text: string): WrittenPoint | undefined {
  const isLong = text.length > LONGEST_POINT;
  for (const form of isLong ? [GEOJSON] : [WKT, GEOJSON, PAIR]) {
    const [, first, second] = form.exec(text.trim()) ?? [];
    if (first === undefined || second === undefined) continue;
    // "51,9" is one decimal number, not a pair.
    if (form === PAIR && /^\d{1,3}[,;/]\d+$/.test(text.trim())) return undefined;
    return { first, second, isReversed: form !== PAIR };
  }
  if (isLong) return undefined;
  const [, latitude, longitude] = NAMED.exec(text) ?? [];
  if (latitude !== undefined && longitude !== undefined)
    return { first: latitude, second: longitude, isReversed: false };
  if (MARKED.test(text)) {
    const place = readPlace(text);
    if ('latitude' in place) return { first: place.latitude, second: place.longitude, isReversed: false };
  }
  return ofPostgis(text.trim());
}

const LONGEST_POINT = 300;

/** Reads well-known binary in hexadecimal (OGC 06-103r4), to which PostGIS adds the reference system. */
function ofPostgis(text: string): WrittenPoint | undefined {
  const [, order, type, numbers] =
    /^(0[01])(01000000|01000020.{8}|00000001|20000001.{8})([\da-f]{32})$/i.exec(text) ?? [];
  if (order === undefined || type === undefined || numbers === undefined) return undefined;
  const bytes = Buffer.from(numbers, 'hex');
  const isLittle = order === '01';
  const [first, second] = [0, 8].map((at) => (isLittle ? bytes.readDoubleLE(at) : bytes.readDoubleBE(at)));
  const isPlace = Math.abs(first!) <= 180 && Math.abs(second!) <= 90;
  return isPlace ? { first: String(first), second: String(second), isReversed: true } : undefined;
}

export function privateValueReason(text: string): string | undefined {
  if (/^webcal:/i.test(text) || /^https?:\S*(?:\.ics\b|\/ical\b|[?&]ical\b)/i.test(text))
    return 'a calendar link';
  return isIban(text) ? 'a bank account' : undefined;
}
