/** Values that are wrong and can only be meant one way. */
import { latitudeMeant, longitudeMeant } from '../contract/degrees.ts';
import { isPossiblePhone } from '../contract/phone.ts';
import { instantOf } from '../contract/visibility.ts';

/** The value that a text must stand for; undefined when it is in any doubt. */
export type Correction = (text: string) => string | undefined;

/** Corrections, by field. */
export const CORRECTIONS: Readonly<Record<string, Correction>> = {
  latitude: latitudeMeant,
  longitude: longitudeMeant,
  phone,
  is_enabled: boolean,
  draft: boolean,
  live_from: time,
  live_until: time,
};

function boolean(text: string): string | undefined {
  const word = text.trim().toLowerCase();
  return TRUE.has(word) ? 'true' : FALSE.has(word) ? 'false' : undefined;
}

const TRUE: ReadonlySet<string> = new Set(['true', 'yes', 'y', 'on', '1', 'enabled']);
const FALSE: ReadonlySet<string> = new Set(['false', 'no', 'n', 'off', '0', 'disabled']);

/** `00` for `+`, the country in brackets, and the `(0)` that is not dialled from abroad. */
function phone(text: string): string | undefined {
  const meant = text
    .trim()
    .replace(/^00 ?(?=[1-9])/, '+')
    .replace(/^\((?:\+|00)(\d{1,3})\)/, '+$1')
    .replace(/^(\+\d{1,3}) ?\(0\) ?/, '$1 ');
  return meant !== text && isPossiblePhone(meant) ? meant : undefined;
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(?<word>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';

/** Forms of a date. Two numbers that may each be the month stand in none: of 01/04/2027 nothing is sure. */
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

/** A date, or a time with its offset, in another of the usual forms. */
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
