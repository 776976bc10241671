/** Corrects invalid values that can mean only one valid value. */
import { latitudeMeant, longitudeMeant } from '../contract/degrees.ts';
import { publishedEmail } from '../contract/email.ts';
import { nationalPhone, publishedPhone } from '../contract/phone.ts';
import { instantOf } from '../contract/visibility.ts';
import { countryNamed, currencyNamed } from './code-meant.ts';
import { doubtPlace, type Point } from './place.ts';

/** Returns the value that a property's text must mean; undefined when that is ambiguous. */
export type Correction = (text: string, property: Readonly<Record<string, unknown>>) => string | undefined;

export const CORRECTIONS: Readonly<Record<string, Correction>> = {
  latitude: (text, property) => swapped(property)?.latitude ?? latitudeMeant(text),
  longitude: (text, property) => swapped(property)?.longitude ?? longitudeMeant(text),
  phone,
  email,
  country: countryNamed,
  currency: (text, { country }) => currencyNamed(text, country),
  is_enabled: booleanMeant,
  draft: booleanMeant,
  live_from: time,
  live_until: time,
};

/** Returns `true` or `false` for a word that means it. */
export function booleanMeant(text: string): 'true' | 'false' | undefined {
  const word = text.trim().toLowerCase();
  return TRUE.has(word) ? 'true' : FALSE.has(word) ? 'false' : undefined;
}

/** Words of English, German, French, Spanish, Italian, Dutch, Portuguese and Polish. */
const TRUE: ReadonlySet<string> = new Set(
  'true yes y on 1 enabled ja wahr oui vrai si sí verdadero vero waar sim verdadeiro tak prawda'.split(' '),
);
const FALSE: ReadonlySet<string> = new Set(
  'false no n off 0 disabled nein falsch non faux falso nee onwaar não nao nie fałsz'.split(' '),
);

/** Returns the swapped point when only that one lies in the property's country. */
function swapped({ country, latitude, longitude }: Readonly<Record<string, unknown>>): Point | undefined {
  if (![latitude, longitude].every((one) => typeof one === 'string' && DECIMAL.test(one))) return undefined;
  const point = { latitude: latitude as string, longitude: longitude as string };
  const doubt = doubtPlace(countryNamed(String(country)) ?? '', point);
  return doubt?.kind === 'swapped' ? doubt.meant : undefined;
}

const DECIMAL = /^\s*-?\d{1,3}(?:\.\d+)?\s*$/;

/** Corrects `00` to `+`, a bracketed country code, a trunk zero, and national numbers of the property's country. */
function phone(text: string, { country }: Readonly<Record<string, unknown>>): string | undefined {
  const meant = text
    .trim()
    .replace(/^00 ?(?=[1-9])/, '+')
    .replace(/^\((?:\+|00) ?(\d{1,3})\)/, '+$1');
  const found = publishedPhone(meant) ?? nationalPhone(meant, countryNamed(String(country)) ?? '');
  return found === text ? undefined : found;
}

/** Corrects a link (`mailto:`), a name with the address in angle brackets, and spaces around `@` and points. */
function email(text: string): string | undefined {
  const [, bracketed = text] = /<([^<>]+)>\s*$/.exec(text) ?? [];
  const meant = bracketed
    .replace(/^\s*mailto:/i, '')
    .replace(/\s*([@.])\s*/g, '$1')
    .replace(/[.,;]+$/, '')
    .trim();
  return meant !== text && publishedEmail(meant) !== undefined ? meant : undefined;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(?<word>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';

/** Forms of dates. Ambiguous ones are missing: in 01/04/2027 either number may be the month. */
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

/** Corrects another common form of a date, or of a time with offset. */
function time(text: string): string | undefined {
  const plain = text.trim().replace(/\s+/g, ' ');
  const found = DATES.map((form) => form.exec(plain)?.groups).find(Boolean);
  if (!found) return undefined;
  const { year, word, day = '', clock, seconds = ':00', offset = '' } = found;
  const month = found.month ?? String(MONTHS.indexOf((word ?? '').toLowerCase()) + 1);
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const [, sign, hours, minutes = '00'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? [];
  const zone = sign === undefined ? 'Z' : `${sign}${hours}:${minutes}`;
  const meant = clock === undefined ? date : `${date}T${clock.padStart(5, '0')}${seconds}${zone}`;
  return instantOf(meant) === undefined ? undefined : meant;
}
