/**
 * Recognises columns by their names in eight languages. (The synonyms of fields are another list, which corrects
 * property files.)
 */

import { languageName } from '../../contract/display-text.ts';
import type { FieldTable } from '../../contract/fields.ts';
import { KNOWN_FIELDS, knownField } from '../../contract/known-fields.ts';
import type { Terms } from '../../contract/terms.ts';
import { foldToLetters } from '../../contract/unicode.ts';
import { findFieldBySynonym, findKnownFieldBySynonym } from '../../source/field-synonym.ts';
import { memoize } from '../../values/memoize.ts';
import { ownValue } from '../../values/own-value.ts';
import TABLE from './tables/column-names.json' with { type: 'json' };

export type ColumnMeaning = keyof typeof TABLE.meanings;

/** In UTF-16 units; the rest is ignored. While the header is searched, long cells are tried as names too. */
const MAX_NAME = 300;

const NAME_PREFIXES = wordsOf(TABLE.prefixes);

const reasonsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table).map(([what, names]) => ({ what, names: wordsOf(names) }));
/** A column is private if its name contains one of these word sequences. Grouped by the reason that users are told. */
const PRIVATE = reasonsOf(TABLE.private);
/** A column is private if its whole name is one of these. */
const PRIVATE_ALONE = reasonsOf(TABLE.private_alone);
/** A column "Wifi" may have the name of a network, which is private. A column "Wifi speed" does not. */
const NETWORK_TRAIT = new RegExp(`\\b(?:${wordsOf(TABLE.network_traits).join('|')})\\b`);
const anyOf = (lines: readonly string[]) => `(?:${wordsOf(lines).join('|')})`;
/** Matches words such as "TTC" after a price. */
const TAX_INCLUDED = new RegExp(` ${anyOf(TABLE.tax_included)}(?= |$)`);
const INTERNAL = new RegExp(`^${anyOf(TABLE.internal)} | ${anyOf(TABLE.internal)}$`);
/** Matches words such as "Nb" before what a number counts. */
const COUNT = new RegExp(`^${anyOf(TABLE.counts)} (?=.)`);
const MOBILE: ReadonlySet<string> = new Set(wordsOf(TABLE.mobile));
/** A reason why a column is private. It does not apply to a column with only yes and no, such as "Alarm". */
export const ACCESS_REASON = 'a password or an access code' satisfies keyof typeof TABLE.private;

const PRICE_WORDS = squeezedNamesIn(TABLE.price_parts.price);
/** Match words such as "per night" that the name of a price column may also contain. Longer words are tried first. */
const PRICE_TRAITS = [TABLE.price_parts.night, TABLE.price_parts.from, TABLE.price_parts.currency].map(
  (lines) => new RegExp(`\\b${longestFirst(lines)}\\b`, 'g'),
);
const BOUNDS = Object.entries(TABLE.bounds).map(([bound, lines]) => {
  const words = longestFirst(lines);
  return { bound, words: new RegExp(`^${words} (?=.)| ${words}$`, 'g') };
});
const { booking, general, joining } = TABLE.contact_for;
const JOINED = `(?:${longestFirst(joining)} )?`;
/** Match words such as "Buchung" and "per prenotazioni" beside "Email". */
const [FOR_BOOKING, FOR_CONTACT] = [booking, [...booking, ...general]].map((lines) => {
  const words = longestFirst(lines);
  return new RegExp(`^${words} ?${JOINED}(?=.)| ${JOINED}${words}$`);
}) as [RegExp, RegExp];

function longestFirst(lines: readonly string[]): string {
  return `(?:${wordsOf(lines)
    .sort((one, other) => other.length - one.length)
    .join('|')})`;
}

const PASSWORDS = wordsOf(TABLE.passwords);
/** A column such as "Safe" is not private if it has only yes and no. A column of passwords is always private. */
export function isPasswordColumn(name: string): boolean {
  const padded = ` ${nameWords(name)} `;
  return PASSWORDS.some((word) => padded.includes(` ${word} `));
}

function wordsOf(lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(',')).map(nameWords);
}

/** `OwnerE-Mail` becomes `owner e mail`, `Straße` becomes `strasse`. */
function nameWords(name: string): string {
  return (
    name
      .slice(0, MAX_NAME)
      .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      // `N°` and `N.º` are "No."; only the former has a degree sign.
      .replace(/(?<!\p{L})n\.?[°º]/giu, 'no ')
      .replace(/ß/g, 'ss')
      .replace(/[łŁ]/g, 'l')
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      // The steps above split `WiFi` and `I-Cal`, but each is one word.
      .replace(/\b(wi|i) (fi|cal|ban)\b/g, '$1$2')
      .trim()
  );
}

export function squeezedName(name: string): string {
  return nameWords(name).replaceAll(' ', '');
}

export function squeezedNamesIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(wordsOf(lines).map(squeezedName));
}

function indexOf<Meaning extends string>(table: Readonly<Record<Meaning, readonly string[]>>) {
  const entries = Object.entries(table) as [Meaning, readonly string[]][];
  const named = entries.flatMap(([meaning, lines]) =>
    [...squeezedNamesIn(lines)].map((name) => [name, meaning] as const),
  );
  return new Map(named);
}

const BY_NAME = indexOf(TABLE.meanings);
const KNOWN_BY_NAME = indexOf<string>(TABLE.known);
/** Facilities by their names in any language. (The vocabulary has only English synonyms.) */
const FACILITY_BY_NAME = indexOf<string>(TABLE.facilities);
const FACILITY_SYNONYMS = Object.entries(TABLE.facilities).flatMap(([word, lines]) =>
  lines.flatMap((line) => line.split(', ').map((name) => [foldToLetters(name), word] as const)),
);

/** Adds names of facilities in other languages. A name that the vocabulary already has keeps its meaning. */
export function withFacilityNames(terms: Terms): Terms {
  const { facilities } = terms.vocabulary;
  const known = FACILITY_SYNONYMS.filter(([, word]) => Object.hasOwn(facilities.labels, word));
  const meanings = { ...Object.fromEntries(known), ...facilities.meanings };
  return { ...terms, vocabulary: { ...terms.vocabulary, facilities: { ...facilities, meanings } } };
}

type Certainty = 1 | 2 | 3 | 4;

/** Matches a word such as "Hotel" at the start: "Hotel name" is the title, but "Name" may be a person's name. */
const OF_PROPERTY = new RegExp(`^${anyOf(TABLE.of_property)} `);

/**
 * `certainty`: 4 for a title or id with a word for the property, such as "Hotel name"; 3 if the whole name is known; 2
 * if a part is known, such as "photo" in "photo 12"; 1 if only the end of a dotted path is known.
 */
export function columnMeaning(path: string): { meaning: ColumnMeaning; certainty: Certainty } | undefined {
  const name = path.replace(WRAPPED, '');
  const [whole, words] = [BY_NAME.get(squeezedName(name)), nameWords(name)];
  const plain = withoutAffixes(words);
  const isPhotos = BY_NAME.get(squeezedName(plain.replace(LINKS, ''))) === 'photo';
  const found =
    BY_NAME.get(plain.replaceAll(' ', '')) ??
    ofSomething(words) ??
    contactFor(words) ??
    (isPhotos ? 'photo' : isInternalKey(words) ? 'id' : undefined);
  const [end, last] = pathEnds(name).map((part) => BY_NAME.get(squeezedName(part)));
  const meaning = whole ?? found ?? end ?? last;
  const isOwn = (meaning === 'title' || meaning === 'id') && OF_PROPERTY.test(words);
  return meaning && { meaning, certainty: isOwn ? 4 : whole ? 3 : found ? 2 : 1 };
}

/** Reads `email prenotazioni` and `buchungs telefon` as ways to reach the host. */
function contactFor(words: string): 'email' | 'phone' | undefined {
  const meaning = BY_NAME.get(words.replace(FOR_CONTACT, '').replaceAll(' ', ''));
  return meaning === 'email' || meaning === 'phone' ? meaning : undefined;
}

/** Whether words such as "ref interne" mean an id that the owner has for the property. */
function isInternalKey(words: string): boolean {
  const key = words.replace(INTERNAL, '');
  return key !== words && BY_NAME.get(key.replaceAll(' ', '')) === 'id';
}

export function isMobile(name: string): boolean {
  return nameWords(name)
    .split(' ')
    .some((word) => MOBILE.has(word));
}

/** Matches the end of a path to a value that an object wraps, such as `_id.$oid` and `area.value`. */
const WRAPPED = /\.(?:\$\w+|value)$/;

/** The last two parts of a path, then the last: `in` says nothing without its parent in `stay.times.in`. */
const pathEnds = (path: string) => [-2, -1].map((from) => path.split('.').slice(from).join('.'));

/** Matches words for "link" in names such as "photo links" and "liens photos". */
const LINKS =
  /^(?:urls?|linki?s?|liens?|enlaces?|collegament[io]|liga(?:cao|coes))(?: do)? | ?(?:urls?|links?)$/;

const OF =
  /^(.+?) (?:(?:of the|de la|de l|van het|van de|d|du|des|de|del|della|dello|dell|do|da|of|der|van) )?(.+)$/;

/**
 * Reads `ville du gîte` as the city and `codice alloggio` as the id: if one of the two words means the title, returns
 * what the other one means.
 */
function ofSomething(name: string): ColumnMeaning | undefined {
  const [first, second] = (OF.exec(name) ?? []).slice(1).map((part) => BY_NAME.get(part.replaceAll(' ', '')));
  if (first === undefined || second === undefined) return undefined;
  return first === 'title' ? second : second === 'title' ? first : undefined;
}

/**
 * `certainty`: 0 for a column such as `text.fr` if the catalogue does not name its languages, since a column such as
 * `text.de` may fit the field as well.
 */
type NamedField = { readonly field: string; readonly certainty: Certainty | 0 };

export function guessDeclaredField(path: string, fields: FieldTable): NamedField | undefined {
  const name = path.replace(WRAPPED, '');
  const [end = '', last = ''] = pathEnds(name);
  const meant = findFieldBySynonym(name, '', fields) ?? findFieldBySynonym(last, '', fields);
  if (meant !== undefined && (fields.attributes.has(meant) || meant.includes('@')))
    return { field: meant, certainty: meant === name ? 3 : 2 };
  const plain = withoutAffixes(nameWords(name)).replace(TAX_INCLUDED, '');
  for (const one of [name, plain, end, last, plain.replace(UNIT, ''), plain.replace(COUNT, '')]) {
    const known = KNOWN_BY_NAME.get(squeezedName(one));
    if (known !== undefined && fields.attributes.has(known)) return { field: known, certainty: 1 };
  }
  const composed = composedField(plain);
  if (composed !== undefined && fields.attributes.has(composed)) return { field: composed, certainty: 1 };
  const translated = fields.languages.length === 0 ? translationNamed(name, fields) : undefined;
  if (translated && fields.attributes.has(translated.field)) return { field: translated.field, certainty: 0 };
  const { base, language } = splitLanguage(name, fields.languages) ?? {};
  if (!base) return undefined;
  const field = columnMeaning(base)?.meaning ?? guessDeclaredField(base, { ...fields, languages: [] })?.field;
  if (field === undefined) return undefined;
  const translation = `${field}@${language}`;
  if (fields.all.has(translation)) return { field: translation, certainty: 1 };
  const isDefault = language === fields.languages[0] && fields.attributes.has(field);
  return isDefault ? { field, certainty: 1 } : undefined;
}

/** Languages that the name of a column may contain, by name or by tag. */
export const COLUMN_LANGUAGES = Object.keys(TABLE.frequent);

/** Reads `omschrijving_en` as the description in English, whether or not the catalogue declares either. */
export function translationNamed(name: string, fields: FieldTable) {
  const { base, language } = splitLanguage(name, COLUMN_LANGUAGES) ?? {};
  if (base === undefined || language === undefined) return undefined;
  const declared = guessDeclaredField(base, { ...fields, languages: [] })?.field;
  const known = findKnownFieldBySynonym(base, fields) ?? KNOWN_BY_NAME.get(squeezedName(base));
  const { meaning, certainty = 1 } = columnMeaning(base) ?? {};
  const field = declared ?? known ?? (certainty > 1 ? meaning : '') ?? '';
  return (fields.all.get(field) ?? knownField(field))?.translate ? { field, language } : undefined;
}

/** Reads names of several parts, whose order differs: "notte da, prezzo", "check out entro le", "sito prenotazioni". */
function composedField(words: string): string | undefined {
  const price = PRICE_TRAITS.reduce((rest, trait) => rest.replace(trait, ' '), words);
  if (PRICE_WORDS.has(price.replaceAll(' ', ''))) return 'price_from';
  const meant = BY_NAME.get(words.replaceAll(' ', ''));
  if (meant?.startsWith('check_')) return meant === 'check_in' ? 'check_in_from' : 'check_out_until';
  for (const { bound, words: word } of BOUNDS) {
    const base = words.replace(word, '').replaceAll(' ', '');
    const meaning = base === words.replaceAll(' ', '') ? undefined : BY_NAME.get(base);
    if (meaning === 'check_in' || meaning === 'check_out') return `${meaning}_${bound}`;
  }
  const base = words.replace(FOR_CONTACT, '').replaceAll(' ', '');
  const isWebsite = KNOWN_BY_NAME.get(base) === 'website' || WEBSITE_NAMES.has(base);
  return !isWebsite ? undefined : FOR_BOOKING.test(words) ? 'booking_url' : 'website';
}

/** Matches the unit at the end of a name without digits, such as the "m" of "Size (m²)". */
const UNIT =
  / (?:(?:sq ?)?m|qm|mq|pers\w*|osob\w*|(?:(?:per|pro|par|por|a|za) )?(?:night|nacht|nuit|noche|notte|noite|noc))$/;

const languageWords = memoize((language: string): readonly string[] => {
  const names = ['en', language, ...COLUMN_LANGUAGES].map((other) => languageName(language, other));
  const short = ownValue<string>(TABLE.language_abbreviations, language);
  return [...new Set([language, ...names, ...(short?.split(', ') ?? [])].map(nameWords))];
});

export function splitLanguage(
  name: string,
  languages: readonly string[],
): { base: string; language: string } | undefined {
  const plain = nameWords(name);
  const [, path = '', end = ''] = /^(.+)\.([^.]+)$/s.exec(name) ?? [];
  for (const language of languages) {
    if (end.toLowerCase() === language.toLowerCase()) return { base: path, language };
    for (const word of languageWords(language)) {
      if (plain.endsWith(` ${word}`)) return { base: plain.slice(0, -word.length - 1), language };
      if (plain.startsWith(`${word} `)) return { base: plain.slice(word.length + 1), language };
    }
  }
  return undefined;
}

/** Removes numbers (`photo 12`, `photo 1 caption`) and meaningless prefixes. */
function withoutAffixes(name: string): string {
  const plain = name.replace(/ ?\d+(?= |$)/g, '').trim();
  const prefix = NAME_PREFIXES.find((word) => plain.startsWith(`${word} `));
  const isWhole = prefix === undefined || BY_NAME.has(plain.replaceAll(' ', ''));
  return isWhole ? plain : withoutAffixes(plain.slice(prefix.length + 1));
}

/** Names such as "No.". Directly after the street, such a column has the house number; elsewhere, the row's key. */
const BARE_NUMBERS = squeezedNamesIn(TABLE.bare_numbers);
const KEY_WORDS: ReadonlySet<string> = new Set([...BARE_NUMBERS, ...wordsOf(TABLE.key_words)]);
const hasKeyWord = (words: string) => words.split(' ').some((word) => KEY_WORDS.has(word));

export function isBareNumberWord(name: string): boolean {
  return BARE_NUMBERS.has(squeezedName(name));
}

/** Whether a column has a name such as "N° de fiche" (a number or code) and values of the form 00001 or G12. */
export function isRowCodeColumn({ name, samples }: Readonly<{ name: string; samples: readonly string[] }>) {
  const words = nameWords(name);
  const isKey = hasKeyWord(words) && !REGISTRATION.has(words);
  return isKey && samples.length > 0 && samples.every((text) => SHORT_CODE.test(text));
}

const WEBSITE_NAMES = squeezedNamesIn(['website', ...KNOWN_FIELDS.website.synonyms]);

/** Names of registration numbers, which may change. */
const REGISTRATION: ReadonlySet<string> = new Set(
  wordsOf([...TABLE.known.registration_number, ...KNOWN_FIELDS.registration_number.synonyms]),
);
const SHORT_CODE = /^(?:0\d{2,5}|(?=.*\d)[A-Z]{1,4}[-_./ ]?\d[\dA-Z._/-]{0,9})$/i;

export function facilityOfColumn(name: string): string | undefined {
  const plain = withoutAffixes(nameWords(name));
  return FACILITY_BY_NAME.get(squeezedName(name)) ?? FACILITY_BY_NAME.get(squeezedName(plain));
}

export function privateColumnReason(name: string): string | undefined {
  const joined = squeezedName(name);
  // A name that is known as a whole, such as the Indian "pin code" (a postcode), is never private.
  if (BY_NAME.has(joined)) return undefined;
  const words = nameWords(name).replace(TAX_INCLUDED, '');
  const padded = ` ${NETWORK_TRAIT.test(words) ? words.replace(/\b(?:wifi|wlan)\b/g, '') : words} `;
  const isIt = (one: string) => {
    const compound = one.replaceAll(' ', '');
    return (
      padded.includes(` ${one} `) ||
      joined === compound ||
      (compound.length >= 5 && joined.startsWith(compound)) ||
      (compound.length >= 6 && joined.endsWith(compound))
    );
  };
  const plain = withoutAffixes(nameWords(name.split('.').at(-1)!));
  const found = PRIVATE.find(({ names }) => names.some(isIt));
  const alone = PRIVATE_ALONE.find(({ names }) => names.includes(plain) || names.includes(words));
  // In "Réf. interne", the point ends an abbreviation. It does not separate the parts of a path.
  return (found ?? (alone?.what === 'notes' && hasKeyWord(words) ? undefined : alone))?.what;
}

const MAY_NAME_PERSON = indexOf(TABLE.may_name_person);
/** Matches words such as "included" or "€", which are about a service and not about the person who does it. */
const OF_SERVICE =
  /[€$£%]|(?<!\p{L})(?:eur|pln|chf|inc[lh]|inkl|compr|inbegr|wlicz|grat|free|kosten|optional|opcion|facolt|su richiesta|auf anfrage|on request|in loco|extra)/iu;

/** Whether the values of a column such as "Contact" or "Cleaning" look like persons. */
export function namesPersons(name: string, values: readonly string[]): boolean {
  const kind = MAY_NAME_PERSON.get(squeezedName(name));
  const isPerson = (text: string) =>
    kind === 'contact'
      ? /\p{L}{2}/u.test(text) && !/@|^(?:https?:|www\.)/i.test(text)
      : (/^\p{Lu}\p{L}/u.test(text) || /\p{L}{2}.*(?:\d\D{0,3}){7}/u.test(text)) && !OF_SERVICE.test(text);
  return kind !== undefined && values.length > 0 && values.filter(isPerson).length * 2 >= values.length;
}
