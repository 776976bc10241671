/** Asks a person for what is to be known of a new property. */
import type { Readable, Writable } from 'node:stream';
import { text as ask, autocomplete, autocompleteMultiselect, cancel, intro, isCancel } from '@clack/prompts';
import { COUNTRIES } from '../contract/countries.ts';
import { CURRENCIES } from '../contract/currencies.ts';
import { type Answers, type AskedField, problemOf } from './answers.ts';
import type { KnownPlaces } from './known-places.ts';

/** Answers that are there before anything is asked. */
export type Given = { readonly [Field in AskedField]?: string } & Pick<Answers, 'facilities' | 'photos'>;

/** What is offered, and where the questions go. */
export type Questions = {
  readonly places: KnownPlaces;
  /** The facilities of the vocabulary; when there are none, they are not asked for. */
  readonly facilities: readonly string[];
  /** What is wrong with a photo; undefined when nothing is. */
  readonly photoProblem: (path: string) => string | undefined;
  readonly input?: Readable;
  readonly output?: Writable;
};

/** Asks for what is not given. @returns undefined when the person gives up (Ctrl+C). */
export async function askQuestions(given: Given, questions: Questions): Promise<Answers | undefined> {
  const { places, input, output } = questions;
  const streams = { ...(input && { input }), ...(output && { output }) };
  intro('A new property', streams);
  try {
    const line = (
      field: AskedField,
      message: string,
      more: { placeholder?: string; initialValue?: string } = {},
    ) =>
      given[field] !== undefined
        ? Promise.resolve(given[field])
        : answered(ask({ message, validate: (value) => problemOf(field, value ?? ''), ...more, ...streams }));
    const title = await line('title', 'Title', { placeholder: 'Rose Cottage' });
    const country =
      given.country ??
      (await answered(
        autocomplete({ message: 'Country', maxItems: 8, options: named(COUNTRIES), ...streams }),
      ));
    const city = given.city ?? (await askCity(places.citiesOf(country), streams));
    const currency =
      given.currency ??
      (await answered(
        autocomplete({
          message: 'Currency',
          maxItems: 8,
          options: named(CURRENCIES),
          initialUserInput: places.currencyOf(country) ?? '',
          ...streams,
        }),
      ));
    const [latitude, longitude] = await askCoordinates(given, streams);
    const optional: [AskedField, string, string][] = [
      ['address', 'Address', '12 Quay Street'],
      ['zip_code', 'Postal code', 'H91 AY2R'],
      ['state', 'State, region or province', ''],
      ['email', 'E-mail for bookings', 'stay@rosecottage.example'],
      ['phone', 'Phone, with +', '+353 1 605 7700'],
    ];
    const more: Partial<Record<AskedField, string>> = {};
    for (const [field, message, placeholder] of optional) {
      more[field] = await line(field, `${message} (empty for none)`, { placeholder });
    }
    const facilities =
      given.facilities.length > 0 ? given.facilities : await askFacilities(questions, streams);
    const photos = given.photos.length > 0 ? given.photos : await askPhotos(questions, streams);
    return { ...more, title, country, city, currency, latitude, longitude, facilities, photos };
  } catch (error) {
    if (error !== GIVEN_UP) throw error;
    cancel('Nothing was written.', streams);
    return undefined;
  }
}

type Streams = { input?: Readable; output?: Writable };

const GIVEN_UP = Symbol('given up');

async function answered<Answer>(answer: Promise<Answer>): Promise<Exclude<Answer, symbol | undefined>> {
  const value = await answer;
  if (isCancel(value)) throw GIVEN_UP;
  return (value ?? '') as Exclude<Answer, symbol | undefined>;
}

function named(table: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(table).map(([value, name]) => ({ value, label: `${name} (${value})` }));
}

/** Offers the cities in use; another one is what is typed. */
async function askCity(cities: readonly string[], streams: Streams): Promise<string> {
  const validate = (value: string | undefined) => problemOf('city', value ?? '');
  if (cities.length === 0) return answered(ask({ message: 'City', validate, ...streams }));
  return answered(
    autocomplete<string>({
      message: 'City, of those in use or another one',
      maxItems: 8,
      options() {
        const typed = this.userInput.trim();
        const found = cities.filter((city) => city.toLowerCase().includes(typed.toLowerCase()));
        const another =
          typed !== '' && !cities.includes(typed) ? [{ value: typed, label: `${typed} (new)` }] : [];
        return [...found.map((city) => ({ value: city, label: city })), ...another];
      },
      filter: () => true,
      validate: (value) => (typeof value === 'string' ? validate(value) : 'Choose one, or type another one.'),
      ...streams,
    }),
  );
}

async function askCoordinates(
  given: Given,
  streams: Streams,
): Promise<[latitude: string, longitude: string]> {
  const split = (text: string | undefined) => (text ?? '').split(/[,;\s]+/).filter(Boolean);
  if (given.latitude !== undefined && given.longitude !== undefined) return [given.latitude, given.longitude];
  const text = await answered(
    ask({
      message: 'Latitude and longitude, as maps copy them',
      placeholder: '53.27194, -9.04889',
      validate(value) {
        const [latitude = '', longitude = '', ...rest] = split(value);
        if (longitude === '' || rest.length > 0) return 'Give two numbers, such as 53.27194, -9.04889.';
        return problemOf('latitude', latitude) ?? problemOf('longitude', longitude);
      },
      ...streams,
    }),
  );
  const [latitude = '', longitude = ''] = split(text);
  return [latitude, longitude];
}

async function askFacilities({ facilities }: Questions, streams: Streams): Promise<readonly string[]> {
  if (facilities.length === 0) return [];
  return answered(
    autocompleteMultiselect({
      message: 'Facilities (Tab chooses, Enter goes on)',
      maxItems: 8,
      options: facilities.map((value) => ({ value })),
      required: false,
      ...streams,
    }),
  );
}

async function askPhotos({ photoProblem }: Questions, streams: Streams): Promise<readonly string[]> {
  const photos: string[] = [];
  for (;;) {
    const path = await answered(
      ask({
        message: photos.length === 0 ? 'Photo file (empty for none)' : 'Another photo file (empty to go on)',
        validate: (value) => (value?.trim() ? photoProblem(pathOf(value)) : undefined),
        ...streams,
      }),
    );
    if (path.trim() === '') return photos;
    photos.push(pathOf(path));
  }
}

/** A path as terminals insert a file that is dropped on them: in quotes, or with escaped spaces. */
function pathOf(text: string): string {
  return text
    .trim()
    .replace(/^(['"])(.*)\1$/, '$2')
    .replace(/\\(?=[ '"()&])/g, '');
}
