/** Asks an editor for the values of a new property. */
import type { Readable, Writable } from 'node:stream';
import {
  text as ask,
  autocomplete,
  autocompleteMultiselect,
  cancel,
  intro,
  isCancel,
  multiselect,
} from '@clack/prompts';
import { authoredSchema, isRequired } from '../contract/authored.ts';
import { ASKED_FIELDS, type AskedField, type DatedField, fieldOf } from '../contract/fields.ts';
import { COUNTRIES, COUNTRY_CURRENCIES, CURRENCIES } from '../contract/tables.ts';
import { lettersOf } from '../contract/unicode.ts';
import type { TermList, Vocabulary } from '../contract/vocabulary.ts';
import { printable } from '../printable.ts';
import { CODES } from '../source/codes.ts';
import { synonymOf } from '../source/vocabulary-word.ts';
import { coordinatesDoubt, fitsCountry } from '../source/warnings.ts';
import { type Answers, type MethodType, type NewPhoto, type NewPolicy, problemOf } from './answers.ts';
import type { KnownPlaces } from './known-places.ts';

/** Answers that are there before anything is asked. */
export type Given = { readonly [Field in AskedField | DatedField]?: string } & Pick<
  Answers,
  'facilities' | 'photos' | 'policies' | 'payments'
>;

/** What is offered, and where the questions go. */
export type Questions = {
  readonly places: KnownPlaces;
  readonly vocabulary: Vocabulary;
  /** What is wrong with a photo; undefined when nothing is. */
  readonly photoProblem: (path: string) => string | undefined;
  readonly input?: Readable;
  readonly output?: Writable;
};

/** Asks for what is not given. @returns undefined when the person gives up (Ctrl+C). */
export async function askQuestions(given: Given, questions: Questions): Promise<Answers | undefined> {
  const { places, vocabulary, input, output } = questions;
  const streams = { ...(input && { input }), ...(output && { output }) };
  intro('A new property', streams);
  try {
    const title = given.title ?? (await askLine('title', streams));
    const country = given.country ?? (await askCode(questionOf('country'), COUNTRIES, [], streams));
    const city = given.city ?? (await askCity(places.citiesOf(country), streams));
    const currency =
      given.currency ??
      (await askCode(questionOf('currency'), CURRENCIES, currenciesFirst(country, places), streams));
    const [latitude, longitude] = await askCoordinates(given, country, streams);
    const more = await askOptional(given, country, streams);
    return {
      ...more,
      title,
      country,
      city,
      currency,
      latitude,
      longitude,
      facilities:
        nonEmpty(given.facilities) ?? (await askTerms('Facilities', vocabulary.facilities, streams)),
      photos: nonEmpty(given.photos) ?? (await askPhotos(questions, streams)),
      policies: nonEmpty(given.policies) ?? (await askPolicies(vocabulary.policy_types, streams)),
      payments: nonEmpty(given.payments) ?? (await askPayments(streams)),
    };
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
    cancel('Nothing was written.', streams);
    return undefined;
  }
}

type Streams = { input?: Readable; output?: Writable };

/** Thrown where a person gives up (Ctrl+C). */
export const GIVEN_UP = Symbol('given up');

/** Rows of a list that are shown at once. */
const ROWS = 8;

async function answered<Answer>(answer: Promise<Answer>): Promise<Exclude<Answer, symbol | undefined>> {
  const value = await answer;
  if (isCancel(value)) throw GIVEN_UP;
  return (value ?? '') as Exclude<Answer, symbol | undefined>;
}

/** Asks for one line of text. */
export function askText(question: Parameters<typeof ask>[0]): Promise<string> {
  return answered(ask(question));
}

function nonEmpty<Entry>(list: readonly Entry[]): readonly Entry[] | undefined {
  return list.length > 0 ? list : undefined;
}

function askLine(field: AskedField, streams: Streams): Promise<string> {
  const validate = (value: string | undefined) => problemOf(field, value ?? '');
  return answered(
    ask({ message: questionOf(field), placeholder: placeholderOf(field), validate, ...streams }),
  );
}

function questionOf(field: AskedField): string {
  return fieldOf(field).ask!.question;
}

/** The example of the schema. */
function placeholderOf(field: AskedField): string {
  return String((authoredSchema.shape[field].meta()?.examples as unknown[] | undefined)?.[0] ?? '');
}

/** Offers the codes of a table by name, some of them first. What is typed filters by name and by code. */
export function askCode(
  message: string,
  table: Readonly<Record<string, string>>,
  first: readonly string[],
  streams: Streams,
): Promise<string> {
  const rest = Object.keys(table)
    .filter((code) => !first.includes(code))
    .sort((a, b) => (lettersOf(table[a]!) < lettersOf(table[b]!) ? -1 : 1));
  const options = [...first, ...rest].map((value) => ({ value, label: `${table[value]} (${value})` }));
  return answered(
    autocomplete({
      message: `${message} (type a part of its name)`,
      maxItems: ROWS,
      options: byCodeFirst(options),
      filter: () => true,
      ...streams,
    }),
  );
}

type Choice = { readonly value: string; readonly label: string };

/** The choices that what is typed stands in; the one whose code it is comes first. */
function byCodeFirst(options: readonly Choice[]) {
  return function (this: { readonly userInput: string }): Choice[] {
    const typed = lettersOf(this.userInput);
    const found = options.filter(({ label }) => lettersOf(label).includes(typed));
    const isCode = ({ value }: Choice) => value.toLowerCase() === typed;
    return [...found.filter(isCode), ...found.filter((option) => !isCode(option))];
  };
}

/** The currency of the catalogue's other properties there, and that of the country. */
function currenciesFirst(country: string, places: KnownPlaces): string[] {
  const usual = Object.hasOwn(COUNTRY_CURRENCIES, country) ? COUNTRY_CURRENCIES[country] : undefined;
  const found = [places.currencyOf(country), usual].filter((code) => code !== undefined);
  return [...new Set(found)].filter((code) => Object.hasOwn(CURRENCIES, code));
}

/** Offers the cities in use; another one is what is typed. */
async function askCity(cities: readonly string[], streams: Streams): Promise<string> {
  const validate = (value: string | undefined) => problemOf('city', value ?? '');
  if (cities.length === 0) return answered(ask({ message: questionOf('city'), validate, ...streams }));
  return answered(
    autocomplete<string>({
      message: `${questionOf('city')}, of those in use or another one`,
      maxItems: ROWS,
      options() {
        const typed = this.userInput.trim();
        const found = cities.filter((city) => city.toLowerCase().includes(typed.toLowerCase()));
        const another =
          typed !== '' && !cities.includes(typed) ? [{ value: typed, label: `${typed} (new)` }] : [];
        return [...found.map((city) => ({ value: city, label: printable(city) })), ...another];
      },
      filter: () => true,
      validate: (value) => (typeof value === 'string' ? validate(value) : 'Choose one, or type another one.'),
      ...streams,
    }),
  );
}

async function askCoordinates(
  given: Given,
  country: string,
  streams: Streams,
): Promise<[latitude: string, longitude: string]> {
  const split = (text: string | undefined) => (text ?? '').split(/[,;\s]+/).filter(Boolean);
  if (given.latitude !== undefined && given.longitude !== undefined) return [given.latitude, given.longitude];
  const text = await answered(
    ask({
      message: 'Latitude and longitude, as maps copy them',
      placeholder: '53.27194, -9.04889',
      validate: unlessRepeated(
        (value) => {
          const [latitude = '', longitude = '', ...rest] = split(value);
          if (longitude === '' || rest.length > 0) return 'Give two numbers, such as 53.27194, -9.04889.';
          return problemOf('latitude', latitude) ?? problemOf('longitude', longitude);
        },
        (value) => {
          const [latitude = '', longitude = ''] = split(value);
          const args = coordinatesDoubt(country, { latitude, longitude });
          const { message, help } = CODES['doubtful-coordinates'];
          return args && `${message(args)} ${help(args)}`;
        },
      ),
      ...streams,
    }),
  );
  const [latitude = '', longitude = ''] = split(text);
  return [latitude, longitude];
}

async function askOptional(
  given: Given,
  country: string,
  streams: Streams,
): Promise<Partial<Record<AskedField, string>>> {
  const answers: Partial<Record<AskedField, string>> = {};
  for (const field of ASKED_FIELDS) {
    if (isRequired(field)) continue;
    const doubt = field === 'zip_code' ? (code: string) => postalDoubt(code, country) : () => undefined;
    answers[field] =
      given[field] ??
      (await answered(
        ask({
          message: `${questionOf(field)} (empty for none)`,
          placeholder: placeholderOf(field),
          validate: unlessRepeated((value) => problemOf(field, value), doubt),
          ...streams,
        }),
      ));
  }
  return answers;
}

function postalDoubt(code: string, country: string): string | undefined {
  return fitsCountry(code.trim(), country)
    ? undefined
    : `This does not look like a postal code of ${COUNTRIES[country] ?? country}.`;
}

/** Refuses a problem always, and a doubt once: what is entered again is meant. */
function unlessRepeated(
  problem: (value: string) => string | undefined,
  doubt: (value: string) => string | undefined,
): (value: string | undefined) => string | undefined {
  let doubted: string | undefined;
  return (value = '') => {
    const found = problem(value);
    if (found !== undefined || value === doubted) return found;
    const reason = doubt(value);
    if (reason === undefined) return undefined;
    doubted = value;
    return `${reason} Correct it, or press Enter again to keep it.`;
  };
}

/** Asks for some words of a list. A space chooses only once the arrows were used. */
async function askTerms(what: string, terms: TermList, streams: Streams): Promise<readonly string[]> {
  if (terms.words.length === 0) return [];
  return answered(
    autocompleteMultiselect({
      message: `${what} (type to filter, arrows to move, Tab to choose, Enter to go on)`,
      maxItems: ROWS,
      options: terms.words.map((value) => ({ value, label: printable(terms.labels[value] ?? value) })),
      // A synonym finds its word: "jacuzzi" finds the hot tub.
      filter: (typed, { value, label = value }) =>
        lettersOf(label).includes(lettersOf(typed)) ||
        lettersOf(value).includes(lettersOf(typed)) ||
        synonymOf(typed, terms) === value,
      required: false,
      ...streams,
    }),
  );
}

async function askPhotos({ photoProblem }: Questions, streams: Streams): Promise<readonly NewPhoto[]> {
  const photos: NewPhoto[] = [];
  for (;;) {
    const path = await answered(
      ask({
        message: photos.length === 0 ? 'Photo file (empty for none)' : 'Another photo file (empty to go on)',
        validate: (value) => (value?.trim() ? photoProblem(pathOf(value)) : undefined),
        ...streams,
      }),
    );
    if (path.trim() === '') return photos;
    const description = await answered(
      ask({
        message: 'What the photo shows (empty for nothing)',
        placeholder: 'The house from the garden',
        ...streams,
      }),
    );
    photos.push({ path: pathOf(path), description: description.trim() });
  }
}

async function askPolicies(terms: TermList, streams: Streams): Promise<readonly NewPolicy[]> {
  const types = await askTerms('Policies', terms, streams);
  const policies: NewPolicy[] = [];
  for (const policy_type of types) {
    const label = printable(terms.labels[policy_type] ?? policy_type);
    const detail = await answered(
      ask({ message: `${label}: what guests read (empty for none)`, ...streams }),
    );
    if (detail.trim() !== '') policies.push({ policy_type, detail: detail.trim() });
  }
  return policies;
}

async function askPayments(streams: Streams): Promise<readonly MethodType[]> {
  return answered(
    multiselect<MethodType>({
      message: 'How guests can pay (Space to choose, Enter to go on)',
      options: [
        { value: 'direct', label: 'Through a payment gateway' },
        { value: 'property', label: 'On site, or through the owner' },
      ],
      required: false,
      ...streams,
    }),
  );
}

/** A path as terminals insert a file that is dropped on them: in quotes, or with escaped spaces. */
function pathOf(text: string): string {
  return text
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
    .replace(/\\(?=[ '"()&])/g, '');
}
