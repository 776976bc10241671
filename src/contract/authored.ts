/**
 * What editors write: the schema of one YAML file (`docs/decisions.md`, "Authored YAML"). Every scalar arrives as text, so
 * that `zip_code: 01234` and `country: NO` stay as typed; this schema decides the types.
 *
 * A check that fails raises a custom issue with `params: { code, ...args }`; the codes are explained in
 * `source/codes.ts`.
 */
import * as z from 'zod';
import {
  type AuthoredCode,
  always,
  type Check,
  fail,
  filled,
  lines,
  must,
  optional,
  present,
  publishedAs,
  text,
  unless,
  unlessEmpty,
} from './authored-text.ts';
import { isEmail, publishedEmail } from './email.ts';
import { isHttpsUrl, isRelativePath } from './link.ts';
import { METHOD_TYPES } from './method-types.ts';
import { MAX_VALUE_BYTES } from './parameters.ts';
import { publishedPhone } from './phone.ts';
import { isSurelyValid } from './sure-phone.ts';
import { COUNTRIES, CURRENCIES } from './tables.ts';
import { lengthOf, MAX_TITLE } from './unicode.ts';
import { instantOf, isReversed } from './visibility.ts';

const isTitle = (value: string) => lengthOf(value) <= MAX_TITLE;
const isFilterable = (value: string) => Buffer.byteLength(value) <= MAX_VALUE_BYTES;

function coordinate(limit: number, code: AuthoredCode): Check {
  return must((value) => {
    const [, whole, fraction = ''] = /^-?(0|[1-9][0-9]{0,2})(?:\.([0-9]{1,30}))?$/.exec(value) ?? [];
    // Compared as text: a double would round what is just beyond the limit.
    return Number(whole) < limit || (Number(whole) === limit && /^0*$/.test(fraction));
  }, code);
}

const isBoolean = (value: string) => value === 'true' || value === 'false';
const UUID = z.regexes.uuid();
const id = text.toLowerCase().check(must((value) => UUID.test(value), 'invalid-id'));

const photo = z
  .strictObject({
    file: text
      .check(present, unlessEmpty(isRelativePath, 'invalid-photo-path'))
      .optional()
      .meta({
        description: 'Path of the photo, relative to this file, inside the content folder.',
        examples: ['../photos/front.jpg'],
      }),
    url: text
      .check(present, unlessEmpty(isHttpsUrl, 'invalid-url'))
      .optional()
      .meta({
        description: 'Link to a photo elsewhere (https).',
        examples: ['https://photos.example/front.jpg'],
      }),
    thumbnail: text
      .check(present, unlessEmpty(isHttpsUrl, 'invalid-url'))
      .optional()
      .meta({
        description: 'Link to a small form of a photo that is a `url`; the list shows it.',
        examples: ['https://photos.example/front-small.jpg'],
      }),
    description: lines.optional().meta({
      description: 'Alternative text or caption; line breaks stay.',
      examples: ['The house from the garden, in the evening'],
    }),
    id: id.optional().meta({
      description: 'UUID of the photo; made from the property and the file or link when absent.',
    }),
    position: text
      .check(must((value) => /^[1-9][0-9]{0,8}$/.test(value), 'invalid-position'))
      .transform(Number)
      .optional()
      .meta({ description: 'Display order from 1; the place in the list when absent.', examples: ['1'] }),
  })
  .check(
    always((context) => {
      if (typeof context.value !== 'object' || context.value === null || Array.isArray(context.value)) return;
      const { file, url, thumbnail } = context.value;
      if ((file === undefined) === (url === undefined)) {
        fail(context, 'photo-source', { given: file === undefined ? 'neither' : 'both' });
      }
      if (file !== undefined && thumbnail !== undefined)
        fail(context, 'needless-thumbnail', {}, ['thumbnail']);
    }),
  )
  .meta({ description: 'A photo: a file, or a link.' });

const photos = z.array(photo).check(
  always((context) => {
    if (!Array.isArray(context.value)) return;
    const positions = new Map<number, number>();
    const sources = new Map<string, number>();
    context.value.forEach((entry: Readonly<Record<string, unknown>> | null, index) => {
      // An entry or a position of another type has been found wrong already.
      if (typeof entry !== 'object' || entry === null) return;
      const position = entry.position ?? index + 1;
      const taken = typeof position === 'number' ? positions.get(position) : undefined;
      if (taken !== undefined) {
        const args = { position: Number(position), first: taken + 1 };
        fail(context, 'duplicate-position', args, [index, 'position']);
      } else if (typeof position === 'number') positions.set(position, index);
      const source = entry.id ?? entry.file ?? entry.url;
      const same = typeof source === 'string' ? sources.get(source) : undefined;
      if (same !== undefined)
        fail(context, 'duplicate-photo', { source: String(source), first: same + 1 }, [index]);
      else if (typeof source === 'string') sources.set(source, index);
    });
  }),
);

const policy = z
  .strictObject({
    policy_type: filled.meta({
      description: 'Short code of the policy type.',
      examples: ['check_in', 'check_out', 'cancellation', 'no_show'],
    }),
    detail: lines.check(present).meta({
      description: 'What the policy says; line breaks stay.',
      examples: ['Check-in from 15:00 to 20:00.'],
    }),
  })
  .meta({ description: 'A policy.' });

const paymentMethod = z
  .strictObject({
    is_enabled: text
      .check(must(isBoolean, 'invalid-boolean'))
      .transform((value) => value === 'true')
      .meta({ description: 'Whether the method is currently accepted.', examples: ['true'] }),
    method_type: text
      .check(must((value) => (METHOD_TYPES as readonly string[]).includes(value), 'unknown-method-type'))
      .transform((value) => value as (typeof METHOD_TYPES)[number])
      .meta({
        description: '`direct`: through a payment gateway; `property`: on site or through the owner.',
        examples: [...METHOD_TYPES],
      }),
  })
  .meta({ description: 'A payment method.' });

/** Schema of one YAML file. Its keys stand in the order in which `catalogue format` writes them. */
export const authoredSchema = z
  .strictObject({
    id: id.meta({
      description:
        'UUID of the property: its address in the API. Never change it, nor copy it: `catalogue new` and `catalogue check --fix` write a fresh one.',
    }),
    title: filled
      .check(
        unless(isTitle, (context) =>
          fail(context, 'title-too-long', { length: lengthOf(context.value), limit: MAX_TITLE }),
        ),
      )
      .meta({ description: 'Name of the property.', examples: ['Rose Cottage'] }),
    draft: optional.check(unlessEmpty(isBoolean, 'invalid-boolean')).meta({
      description: 'Whether the property is a draft: a build checks a draft, and does not publish it.',
      examples: ['true'],
    }),
    live_from: optional.check(unlessEmpty((value) => instantOf(value) !== undefined, 'invalid-time')).meta({
      description:
        'Date or time from which the property is published. A date starts at midnight in UTC; a time has its offset.',
      examples: ['2027-04-01', '2027-04-01T10:00:00+02:00'],
    }),
    live_until: optional.check(unlessEmpty((value) => instantOf(value) !== undefined, 'invalid-time')).meta({
      description:
        'Last day on which the property is published, in UTC, or the time with its offset at which that ends.',
      examples: ['2027-09-30', '2027-09-30T18:00:00+02:00'],
    }),
    currency: text
      .check(must((value) => Object.hasOwn(CURRENCIES, value), 'unknown-currency'))
      .meta({ description: 'ISO 4217 currency code of its prices.', examples: ['EUR'] }),
    email: optional
      .check(publishedAs(isEmail, publishedEmail, 'invalid-email'))
      .meta({ description: 'Contact e-mail for booking inquiries.', examples: ['stay@rosecottage.example'] }),
    phone: optional.check(publishedAs(isSurelyValid, publishedPhone, 'invalid-phone')).meta({
      description: 'Contact phone number with country calling code.',
      examples: ['+353 1 605 7700'],
    }),
    zip_code: optional.meta({ description: 'Postal code.', examples: ['D02 AF30'] }),
    city: filled
      .check(
        unless(isFilterable, (context) => {
          const bytes = Buffer.byteLength(context.value);
          fail(context, 'city-too-long', { bytes, limit: MAX_VALUE_BYTES });
        }),
      )
      .meta({ description: 'City. Consumers filter by its exact spelling.', examples: ['Galway'] }),
    state: optional.meta({ description: 'State, region or province.', examples: ['Connacht'] }),
    address: optional.meta({
      description: 'Street-level address or neighborhood.',
      examples: ['12 Quay Street'],
    }),
    country: text
      .check(must((value) => Object.hasOwn(COUNTRIES, value), 'unknown-country'))
      .meta({ description: 'ISO 3166-1 alpha-2 country code.', examples: ['IE'] }),
    latitude: text
      .check(coordinate(90, 'invalid-latitude'))
      .meta({ description: 'Latitude in decimal degrees, -90 to 90.', examples: ['53.27194'] }),
    longitude: text
      .check(coordinate(180, 'invalid-longitude'))
      .meta({ description: 'Longitude in decimal degrees, -180 to 180.', examples: ['-9.04889'] }),
    facilities: z
      .array(filled)
      .default([])
      .meta({
        description: 'Facilities, in the order in which they are shown.',
        examples: [['wifi', 'parking']],
      }),
    photo: photos.default([]).meta({
      description: 'Photos, in the order in which they are shown.',
      examples: [[{ file: '../photos/front.jpg', description: 'The house from the garden' }]],
    }),
    hotel_policy: z
      .array(policy)
      .default([])
      .meta({
        description: 'Policies, in the order in which they are shown.',
        examples: [[{ policy_type: 'check_in', detail: 'Check-in from 15:00 to 20:00.' }]],
      }),
    payment_method: z
      .array(paymentMethod)
      .default([])
      .meta({
        description: 'Payment methods, in the order in which they are shown.',
        examples: [[{ is_enabled: 'true', method_type: 'direct' }]],
      }),
  })
  .check(
    always((context) => {
      const { live_from: from, live_until: until } = Object(context.value) as Record<string, string>;
      if (isReversed({ live_from: from, live_until: until }))
        fail(context, 'live-times-reversed', { from: from!, until: until! }, ['live_until']);
    }),
  )
  .meta({ title: 'Property', description: 'One property of the catalogue.' });

/** What the schema takes: every scalar is text. */
export type AuthoredInput = z.input<typeof authoredSchema>;
/** One checked YAML file. */
export type AuthoredProperty = z.output<typeof authoredSchema>;
/** One entry of its photos. */
export type AuthoredPhoto = AuthoredProperty['photo'][number];

/**
 * Whether a property is not complete without a field.
 * @example isRequired('title') // true
 */
export function isRequired(field: keyof AuthoredProperty): boolean {
  return !authoredSchema.shape[field].safeParse(undefined).success;
}
