import { isValidValue } from '../contract/declared-field-values.ts';
import { guessLatitude, guessLongitude } from '../contract/degrees.ts';
import { normalizeEmail } from '../contract/email.ts';
import type { Field, FieldType } from '../contract/fields.ts';
import { canonicalLanguageTag } from '../contract/language-tag.ts';
import { isWebLink } from '../contract/link.ts';
import { groupedPhone, internationalPhone, normalizePhone } from '../contract/phone.ts';
import { parseInstant } from '../contract/visibility.ts';
import { clockMeant } from './clock-time.ts';
import { type Point, placeDoubt } from './coordinates-check.ts';
import { findCountryByName, findCurrencyByName } from './country-and-currency-aliases.ts';
import { decodeEntities } from './html-entities.ts';
import { numberMeant } from './quantity.ts';
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
    const meant = DECLARED[type]?.(text.trim(), { name, unit, property });
    return meant !== undefined && isValidValue(type, meant) ? meant : undefined;
  };
}

type Place = Parameters<typeof numberMeant>[1];

const DECLARED: Readonly<Partial<Record<FieldType, (text: string, place: Place) => string | undefined>>> = {
  boolean: guessBoolean,
  integer: (text, place) => numberMeant(text, place)?.replace(/\.0+$/, ''),
  decimal: numberMeant,
  date: (text) => time(text)?.slice(0, 'yyyy-mm-dd'.length),
  time: (text, { name }) => clockMeant(text, name),
  link: (text) => (/^www\.[^\s/]+\.[^\s]+$/i.test(text) ? `https://${text}` : link(text)),
};

export function guessBoolean(text: string): 'true' | 'false' | undefined {
  const word = text.trim().normalize('NFC').toLowerCase();
  return TRUE.has(word) ? 'true' : FALSE.has(word) ? 'false' : undefined;
}

/** Words for yes in English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. */
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

/** Texts with more UTF-16 units are not corrected, since some expressions take quadratic time. */
const MAX_CORRECTED_LENGTH = 1_000;

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
