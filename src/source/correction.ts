import { isValidValue } from '../contract/declared-field-values.ts';
import { guessLatitude, guessLongitude } from '../contract/degrees.ts';
import { normalizeEmail } from '../contract/email.ts';
import type { Field, FieldType } from '../contract/fields.ts';
import { canonicalLanguageTag } from '../contract/language-tag.ts';
import { isWebLink } from '../contract/link.ts';
import { groupedPhone, internationalPhone, normalizePhone } from '../contract/phone.ts';
import { parseInstant } from '../contract/visibility.ts';
import { type Point, placeDoubt } from './coordinates-check.ts';
import { findCountryByName, findCurrencyByName } from './country-and-currency-aliases.ts';
import { decodeEntities } from './html-entities.ts';
import { correctedWord } from './vocabulary-word.ts';

export type Corrector = (text: string, property: Readonly<Record<string, unknown>>) => string | undefined;

const CORRECTIONS: Readonly<Record<string, Corrector>> = {
  latitude: (text, property) => swapped(property)?.latitude ?? guessLatitude(text),
  longitude: (text, property) => swapped(property)?.longitude ?? guessLongitude(text),
  phone,
  email,
  url: link,
  thumbnail: link,
  country: findCountryByName,
  currency: (text, { country }) => findCurrencyByName(text, country),
  is_enabled: guessBoolean,
  draft: guessBoolean,
  live_from: time,
  live_until: time,
};

export function correctorFor(name: string, field: Field | undefined): Corrector | undefined {
  const { declared } = field ?? {};
  if (!declared) return CORRECTIONS[name];
  const { type, terms, areLanguageTags, unit } = declared;
  if (terms) return (text) => correctedWord(text.trim(), terms);
  if (areLanguageTags) return (text) => canonicalLanguageTag(text);
  return (text, property) => {
    const bare = name === 'price_from' ? amountIn(text, property) : withoutBoundWord(name, text.trim());
    const meant = DECLARED[type]?.(bare, unit);
    return meant !== undefined && isValidValue(type, meant) ? meant : undefined;
  };
}

const DECLARED: Readonly<Partial<Record<FieldType, (text: string, unit?: string) => string | undefined>>> = {
  boolean: guessBoolean,
  integer: (text, unit) => numberMeant(text, unit)?.replace(/\.0+$/, ''),
  decimal: numberMeant,
  date: (text) => time(text)?.slice(0, 'yyyy-mm-dd'.length),
  time: clockMeant,
  link: (text) => (/^www\.[^\s/]+\.[^\s]+$/i.test(text) ? `https://${text}` : link(text)),
};

const SIGNS: Readonly<Record<string, RegExp>> = {
  $: /^(?:USD|CAD|AUD|NZD|HKD|SGD|MXN|CLP|COP|ARS|TWD|JMD|BSD|BBD|BZD|FJD|NAD|TTD|XCD)$/,
  '€': /^EUR$/,
  '£': /^(?:GBP|GIP|FKP|SHP)$/,
  '¥': /^(?:JPY|CNY)$/,
  zł: /^PLN$/,
  Kč: /^CZK$/,
  Ft: /^HUF$/,
  kr: /^(?:DKK|NOK|SEK|ISK)$/,
};

function amountIn(text: string, { currency }: Readonly<Record<string, unknown>>): string {
  const [, before = '', amount = '', behind = ''] =
    /^([$€£¥]|[A-Z]{3})?\s?(\d(?:[\d.,'’\u00a0\u2009\u202f]*\d)?)\s?([$€£¥]|zł|Kč|Ft|kr|[A-Z]{3})?$/.exec(
      text.trim(),
    ) ?? [];
  const sign = before || behind;
  if (amount === '' || (before !== '' && behind !== '')) return text.trim();
  const isOwn = currency === undefined || sign === currency || SIGNS[sign]?.test(String(currency));
  if (sign !== '' && !isOwn) return text.trim();
  return /^\d{1,3}(?:,\d{3})+\.\d+$/.test(amount) ? amount.replaceAll(',', '') : amount;
}

/** Texts with more UTF-16 units are not corrected, since some expressions take quadratic time. */
const MAX_CORRECTED_LENGTH = 1_000;

const THOUSANDS = /^[-+\u2212]?\d{1,3}(?:['’\u00a0\u2009\u202f]\d{3})+(?![\d'’\s])/;

/**
 * Corrects leading zeros, signs, the field's unit after a number, a comma before one or two digits, and unambiguous
 * separators of thousands: 1'250 and, with a no-break space, 1 250.
 */
function numberMeant(text: string, unit = ''): string | undefined {
  if (text.length > MAX_CORRECTED_LENGTH) return undefined;
  const number = unit !== '' && text.endsWith(unit) ? text.slice(0, -unit.length).trim() : text;
  const bare = THOUSANDS.test(number) ? number.replace(/['’\u00a0\u2009\u202f]/g, '') : number;
  const [, sign = '', whole, fraction = ''] =
    /^([-+\u2212]?)0*(\d+)(?:[.,](?<=\.|,(?=\d{1,2}$))(\d+))?$/.exec(bare) ?? [];
  if (whole === undefined) return undefined;
  return `${sign === '-' || sign === '\u2212' ? '-' : ''}${whole}${fraction && `.${fraction}`}`;
}

/** Corrects `9:00`, `9.30`, `9h30`, `15 h`, `15 Uhr`, `15:00:00`, `3 pm` and `3:30 p.m.`. */
function clockMeant(text: string): string | undefined {
  const found = /^(\d{1,2})(?:(?:[:.]| ?h ?)(\d{2}))?(?::00)?( ?h| ?uhr)?(?: ?([ap])\.?m\.?)?$/i.exec(text);
  const [, hours = '', minutes, mark, half] = found ?? [];
  if (minutes === undefined && mark === undefined && half === undefined) return undefined;
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (/p/i.test(half) ? 12 : 0);
  return `${String(hour).padStart(2, '0')}:${minutes ?? '00'}`;
}

/** English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. */
const BOUND_WORDS: Readonly<Record<string, RegExp>> = {
  from: /^(?:from|after|ab|dès|à partir de|desde(?: las?)?|a partir d(?:e las?|e|as?)|dalle(?: ore)?|vanaf|od(?: godz\.)?)\s+(?=\d)/iu,
  until:
    /^(?:until|till?|by|before|bis|vor|jusqu['’]à|avant|hasta(?: las?)?|antes de(?: las?)?|entro(?: le(?: ore)?)?|fino alle(?: ore)?|tot|voor|até(?: [àa]s)?|antes das|do(?: godz\.)?)\s+(?=\d)/iu,
};

/** `ab 16 Uhr` as check-in from, and `bis 11 Uhr` as check-out until; the opposite word stays, and is refused. */
function withoutBoundWord(name: string, text: string): string {
  const [bound = ''] = /(?:from|until)$/.exec(name) ?? [];
  const words = BOUND_WORDS[bound];
  return words ? text.replace(words, '') : text;
}

export function guessBoolean(text: string): 'true' | 'false' | undefined {
  const word = text.trim().normalize('NFC').toLowerCase();
  return TRUE.has(word) ? 'true' : FALSE.has(word) ? 'false' : undefined;
}

/** In English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. */
const TRUE: ReadonlySet<string> = new Set(
  'true t yes y on 1 1.0 enabled ja j wahr oui vrai si sí sì s verdadero vero v waar sim verdadeiro tak prawda'.split(
    ' ',
  ),
);
const FALSE: ReadonlySet<string> = new Set(
  'false f no n off 0 0.0 disabled nein falsch non faux falso nee onwaar não nao nie fałsz'.split(' '),
);

function swapped({ country, latitude, longitude }: Readonly<Record<string, unknown>>): Point | undefined {
  if (![latitude, longitude].every((one) => typeof one === 'string' && DECIMAL.test(one))) return undefined;
  const point = { latitude: latitude as string, longitude: longitude as string };
  const doubt = placeDoubt(findCountryByName(String(country)) ?? '', point);
  return doubt?.kind === 'swapped' ? doubt.meant : undefined;
}

const DECIMAL = /^\s*-?\d{1,3}(?:\.\d+)?\s*$/;

/**
 * Corrects `tel:`, punctuation at the end, `00` instead of `+`, a bracketed country code, a trunk zero, and national
 * numbers of the property's country.
 */
function phone(text: string, { country }: Readonly<Record<string, unknown>>): string | undefined {
  const meant = text
    .trim()
    .replace(/^tel[.:] */i, '')
    .replace(/(?<![\s.,;:/–-])[\s.,;:/–-]+$/, '')
    .replace(/^00 ?(?=[1-9])/, '+')
    .replace(/^\(\s*(?:\+|00) ?(\d{1,3})\s*\)\s*/, '+$1 ');
  const found = normalizePhone(meant) ?? internationalPhone(meant, findCountryByName(String(country)) ?? '');
  if (found === text || found === undefined) return undefined;
  return /^\+\d+$/.test(found) ? groupedPhone(found) : found;
}

/** Corrects `mailto:`, a name before `<address>`, spaces around `@` and dots, and punctuation at the end. */
function email(text: string): string | undefined {
  if (text.length > MAX_CORRECTED_LENGTH || !/[\s:<]|[.,;]$/.test(text)) return undefined;
  const [, bracketed = text] = /<([^<>]+)>\s*$/.exec(text) ?? [];
  const meant = bracketed
    .replace(/^\s*mailto:/i, '')
    .replace(/\s*([@.])\s*/g, '$1')
    .replace(/[.,;]+$/, '')
    .trim();
  return meant !== text && normalizeEmail(meant) !== undefined ? meant : undefined;
}

/** Corrects `&amp;` in a link that was copied from HTML. */
function link(text: string): string | undefined {
  const meant = /&(?:amp|#0?38);/.test(text) ? decodeEntities(text) : text;
  return meant !== text && isWebLink(meant) ? meant : undefined;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(?<word>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';

/** Contains no ambiguous forms: in 01/04/2027 either number may be the month. */
const DATES = [
  '(?<year>\\d{4})[-/. ](?<month>\\d{1,2})[-/. ](?<day>\\d{1,2})',
  '(?<year>\\d{4})(?<month>\\d{2})(?<day>\\d{2})',
  '(?<day>\\d{1,2})\\. ?(?<month>\\d{1,2})\\. ?(?<year>\\d{4})',
  '(?<day>1[3-9]|2\\d|3[01])[-/](?<month>\\d{1,2})[-/](?<year>\\d{4})',
  '(?<month>\\d{1,2})[-/](?<day>1[3-9]|2\\d|3[01])[-/](?<year>\\d{4})',
  `(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?[ -]${MONTH}[ -](?<year>\\d{4})`,
  `${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?,? (?<year>\\d{4})`,
].map(
  (date) =>
    new RegExp(
      `^${date}(?:,?[T ] ?(?<clock>\\d{1,2}:\\d{2})(?<seconds>:\\d{2}(?:\\.\\d{1,9})?)? ?(?<offset>Z|UTC|GMT|[+-]\\d{2}(?::?\\d{2})?))?$`,
      'i',
    ),
);

/** How databases write a date without a time. */
const MIDNIGHT = /(?<=\d)[T ]00:00(?::00(?:\.0{1,9})?)?$/;

function time(text: string): string | undefined {
  const plain = text.trim().replace(/\s+/g, ' ').replace(MIDNIGHT, '');
  const found = DATES.map((form) => form.exec(plain)?.groups).find(Boolean);
  if (!found) return undefined;
  const { year, word, day = '', clock, seconds = ':00', offset = '' } = found;
  const month = found.month ?? String(MONTHS.indexOf((word ?? '').toLowerCase()) + 1);
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
  const meant = clock === undefined ? date : `${date}T${clock.padStart(5, '0')}${seconds}${zone}`;
  return parseInstant(meant) === undefined ? undefined : meant;
}
