/**
 * The registry of fields: each field of a property is one entry. It determines the schemas of authored and published
 * properties, JSON Schema, OpenAPI, client types, columns of tables, the form, import, formatting, `catalogue new`,
 * labels of the diff, rows of the explorer, and messages about names. It is plain data, so that code which needs only
 * labels loads no schema.
 */
// biome-ignore-all lint/style/noExcessiveLinesPerFile: a table of data, one entry for each field.

import type { ValueSchemaName } from './field-value-schemas.ts';
import { PAYMENT_METHOD_TYPES } from './payment-method-types.ts';
import type { TermList, Vocabulary } from './vocabulary.ts';

export const FIELD_TYPES = [
  'text',
  'lines',
  'integer',
  'decimal',
  'boolean',
  'date',
  'time',
  'link',
  'choice',
] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/**
 * Every scalar is authored as text. `number`: a coordinate or a position. `instant`: a date, or a time with its
 * offset.
 */
type ScalarKind = FieldType | 'number' | 'instant';

type Described = {
  /** Display name. For a field of a list entry, the label of the list is shown before it: `Policy: text`. */
  readonly label: string;
  readonly description: string;
  /** Explanation in the editor of `catalogue dev`. @default `description` */
  readonly help?: string;
  /** Valid examples, as written in a file. */
  readonly examples?: readonly unknown[];
  /** Description in the API; undefined if the field is not published. */
  readonly published?: string;
  /** Names that people and programs use for the field, in lower case with `_` between words. */
  readonly synonyms: readonly string[];
  readonly required?: true;
  /** Name of the schema in `FIELD_VALUE_SCHEMAS`. @default the kind */
  readonly schema?: ValueSchemaName;
  readonly vocabulary?: keyof Vocabulary;
  readonly choices?: readonly string[];
  readonly translate?: true;
  /** `base` and `language` are set for a translation: `title` and `fr` for the field `title@fr`. */
  readonly base?: string;
  readonly language?: string;
};

export type EntryField = Described & { readonly kind: ScalarKind };

/** Options of a field that `catalogue.yaml` declares. Limits are text, since doubles would round long decimals. */
export type DeclaredOptions = {
  readonly type: FieldType;
  readonly terms?: TermList;
  readonly unit?: string;
  readonly minimum?: string;
  readonly maximum?: string;
  /** Exclusive lower limit. */
  readonly above?: string;
  /** Every value must be a multiple of this number. */
  readonly step?: string;
  /** In code points. */
  readonly maxLength?: number;
  /** True if every value must be a language tag. */
  readonly areLanguageTags?: true;
  readonly filter?: true;
};

export type Field = Described & {
  readonly kind: ScalarKind | 'words' | 'entries';
  /** In a file, the fields of one group are together; a blank line separates groups. */
  readonly group:
    | 'name'
    | 'visibility'
    | 'contact'
    | 'place'
    | 'details'
    | 'facilities'
    | 'photos'
    | 'policies'
    | 'payments';
  /** The field's option of `catalogue new`: its placeholder, and its line in the help. */
  readonly newCommandOption?: readonly [placeholder: string, help: string];
  /** About one entry of a list: `name` and `published` for OpenAPI, `description` for the JSON Schema of content. */
  readonly entry?: { readonly name: string; readonly description: string; readonly published: string };
  readonly fields?: Readonly<Record<string, EntryField>>;
  /** Undefined for the fields of {@link FIELDS}. */
  readonly declared?: DeclaredOptions;
};

/**
 * The fields of a catalogue: those of {@link FIELDS}, declared ones, and translations. Plain data, so that it can be
 * sent to threads.
 */
export type FieldTable = {
  /**
   * Fields of a property, in the order of a file. A translation such as `title@fr` follows the field that it
   * translates.
   */
  readonly all: ReadonlyMap<string, Field>;
  readonly entries: ReadonlyMap<string, ReadonlyMap<string, EntryField>>;
  /** Declared fields, in declared order. Their translations are only in `all`. */
  readonly attributes: ReadonlyMap<string, Field>;
  /** Languages of texts, the default first; empty if there is only one. */
  readonly languages: readonly string[];
  /**
   * Fields whose values are written without quotes even if they look like numbers, such as `latitude` and
   * `photo.position`.
   */
  readonly unquoted: ReadonlySet<string>;
};

/**
 * Fields that every catalogue has: those of the specified API, and those that decide whether a property is published.
 * In the order of `catalogue format` and of responses.
 */
export const FIELDS = {
  id: {
    label: 'Id',
    kind: 'text',
    schema: 'id',
    required: true,
    group: 'name',
    description:
      'UUID of the property: its address in the API. Never change it, nor copy it: `catalogue new` and `catalogue check --fix` write a fresh one.',
    synonyms: ['uuid', 'guid', 'property_id', 'identifier'],
  },
  title: {
    label: 'Title',
    kind: 'text',
    schema: 'title',
    required: true,
    group: 'name',
    description: 'Name of the property.',
    examples: ['Rose Cottage'],
    published: 'Human-readable name of the property.',
    newCommandOption: ['title', 'name of the property'],
    translate: true,
    synonyms: ['name', 'property_name', 'hotel_name', 'hotel', 'heading', 'label'],
  },
  draft: {
    label: 'Draft',
    kind: 'boolean',
    group: 'visibility',
    help: 'Guests do not see a draft.',
    description: 'Whether the property is a draft: a build checks a draft, and does not publish it.',
    examples: ['true'],
    synonyms: ['is_draft', 'unpublished', 'hidden', 'is_hidden'],
  },
  live_from: {
    label: 'Shown from',
    kind: 'instant',
    group: 'visibility',
    help: 'Guests see the property from this day on. Leave it empty to show it at once.',
    description:
      'Date or time from which the property is published. A date starts at midnight in UTC; a time has its offset.',
    examples: ['2027-04-01', '2027-04-01T10:00:00+02:00'],
    synonyms: ['live_since', 'publish_from', 'published_from', 'publish_at', 'visible_from', 'shown_from'],
  },
  live_until: {
    label: 'Shown until',
    kind: 'instant',
    group: 'visibility',
    help: 'The last day on which guests see it. Leave it empty for no end.',
    description:
      'Last day (in UTC) on which the property is published, or the time, with its offset, at which it stops being published.',
    examples: ['2027-09-30', '2027-09-30T18:00:00+02:00'],
    synonyms: ['live_to', 'publish_until', 'published_until', 'unpublish_at', 'visible_until', 'shown_until'],
  },
  currency: {
    label: 'Currency',
    kind: 'text',
    schema: 'currency',
    required: true,
    group: 'contact',
    description: 'ISO 4217 currency code of the prices of the property.',
    examples: ['EUR'],
    published: 'ISO 4217 currency code for price-related fields.',
    newCommandOption: ['code', 'ISO 4217 code; that of the other properties of the country when absent'],
    synonyms: ['currency_code', 'price_currency', 'iso_currency'],
  },
  email: {
    label: 'E-mail',
    kind: 'text',
    schema: 'email',
    group: 'contact',
    description: 'Contact e-mail for booking inquiries.',
    examples: ['stay@rosecottage.example'],
    published: 'Primary contact e-mail for booking inquiries; empty when unknown.',
    newCommandOption: ['address', 'e-mail for booking inquiries'],
    synonyms: ['mail', 'e_mail', 'email_address', 'e_mail_address', 'contact_email', 'contact_mail'],
  },
  phone: {
    label: 'Phone',
    kind: 'text',
    schema: 'phone',
    group: 'contact',
    description: 'Contact phone number with country calling code.',
    help: 'As you dial it from another town, or with + and the number of the country. It becomes international.',
    examples: ['+353 1 605 7700'],
    published: 'Primary contact phone number, including country code; empty when unknown.',
    newCommandOption: ['number', 'phone number with + and country calling code'],
    synonyms: ['telephone', 'tel', 'mobile', 'phone_number', 'telephone_number', 'contact_phone', 'phone_no'],
  },
  zip_code: {
    label: 'Postal code',
    kind: 'text',
    group: 'place',
    description: 'Postal code.',
    examples: ['D02 AF30'],
    published: 'Postal code; empty when unknown.',
    newCommandOption: ['code', 'postal code'],
    synonyms: 'zip zipcode postcode post_code postal_code postalcode plz eircode pin_code'.split(' '),
  },
  city: {
    label: 'City',
    kind: 'text',
    schema: 'city',
    required: true,
    group: 'place',
    description: 'City. Consumers filter by its exact spelling.',
    examples: ['Galway'],
    published: 'Name of the city, exactly as `filter[city]` expects it.',
    newCommandOption: ['city', 'city'],
    synonyms: ['town', 'locality', 'village', 'municipality', 'place'],
  },
  state: {
    label: 'State',
    kind: 'text',
    group: 'place',
    description: 'State, region or province.',
    examples: ['Connacht'],
    published: 'State, region or province; empty when unknown.',
    newCommandOption: ['state', 'state, region or province'],
    synonyms: ['region', 'province', 'county', 'district', 'department', 'canton', 'prefecture'],
  },
  address: {
    label: 'Address',
    kind: 'text',
    group: 'place',
    description: 'Street-level address or neighborhood.',
    help: 'Street and number, or the neighbourhood.',
    examples: ['12 Quay Street'],
    published: 'Street-level address or neighborhood; empty when unknown.',
    newCommandOption: ['address', 'street-level address'],
    synonyms: ['street', 'street_address', 'addr', 'address_line', 'address_line_1', 'address1', 'location'],
  },
  country: {
    label: 'Country',
    kind: 'text',
    schema: 'country',
    required: true,
    group: 'place',
    description: 'ISO 3166-1 alpha-2 country code.',
    examples: ['IE'],
    published: 'ISO 3166-1 alpha-2 country code.',
    newCommandOption: ['code', 'ISO 3166-1 alpha-2 code, such as IE'],
    synonyms: ['country_code', 'nation', 'iso_country'],
  },
  latitude: {
    label: 'Latitude',
    kind: 'number',
    schema: 'latitude',
    required: true,
    group: 'place',
    description: 'Latitude in decimal degrees, -90 to 90.',
    examples: ['53.27194'],
    published: 'Latitude in decimal degrees, carried as a string for precision.',
    newCommandOption: ['degrees', 'latitude in decimal degrees'],
    synonyms: ['lat', 'geo_lat', 'y'],
  },
  longitude: {
    label: 'Longitude',
    kind: 'number',
    schema: 'longitude',
    required: true,
    group: 'place',
    description: 'Longitude in decimal degrees, -180 to 180.',
    examples: ['-9.04889'],
    published: 'Longitude in decimal degrees, carried as a string for precision.',
    newCommandOption: ['degrees', 'longitude in decimal degrees'],
    synonyms: ['lng', 'lon', 'long', 'geo_lng', 'geo_lon', 'x'],
  },
  facilities: {
    label: 'Facility',
    kind: 'words',
    group: 'facilities',
    description: 'Facilities, in the order in which they are shown.',
    examples: [['wifi', 'parking']],
    published: 'Identifiers or names of facilities; empty if there are none.',
    vocabulary: 'facilities',
    synonyms: ['amenities', 'amenity', 'facility', 'features', 'services', 'equipment'],
  },
  photo: {
    label: 'Photo',
    kind: 'entries',
    group: 'photos',
    description: 'Photos, in the order in which they are shown.',
    examples: [[{ file: '../photos/front.jpg', description: 'The house from the garden' }]],
    published: 'Photos in ascending order of position; empty if there are none.',
    synonyms: ['photos', 'image', 'images', 'picture', 'pictures', 'gallery', 'media'],
    entry: {
      name: 'Photo',
      description: 'A photo: a file, or a link.',
      published: 'A photo of a property, with its public URL.',
    },
    // A published photo is computed from several of these fields: its schema is in `property.ts`.
    fields: {
      file: {
        label: 'file',
        kind: 'text',
        schema: 'path',
        description: 'Path of the photo, relative to this file, inside the content folder.',
        examples: ['../photos/front.jpg'],
        synonyms: ['path', 'filename', 'file_name', 'file_path', 'local', 'image', 'photo'],
      },
      url: {
        label: 'link',
        kind: 'text',
        schema: 'link',
        description: 'Link to a photo elsewhere (https).',
        examples: ['https://photos.example/front.jpg'],
        synonyms: ['link', 'href', 'uri', 'src', 'image_url', 'photo_url', 'remote'],
      },
      thumbnail: {
        label: 'thumbnail',
        kind: 'text',
        schema: 'link',
        description: 'Link to a small version of the photo at `url`; the list shows it.',
        examples: ['https://photos.example/front-small.jpg'],
        synonyms: ['thumb', 'preview', 'thumbnail_url', 'small'],
      },
      description: {
        label: 'description',
        kind: 'lines',
        description: 'Alternative text or caption; line breaks stay.',
        examples: ['The house from the garden, in the evening'],
        translate: true,
        synonyms: ['caption', 'alt', 'alt_text', 'title', 'text', 'label', 'desc'],
      },
      id: {
        label: 'id',
        kind: 'text',
        schema: 'id',
        description: 'UUID of the photo; made from the property and the file or link when absent.',
        synonyms: ['uuid', 'photo_id'],
      },
      position: {
        label: 'position',
        kind: 'number',
        schema: 'position',
        description: 'Display order from 1; the place in the list when absent.',
        examples: ['1'],
        synonyms: ['order', 'sort', 'sort_order', 'index', 'rank', 'pos', 'number'],
      },
    },
  },
  hotel_policy: {
    label: 'Policy',
    kind: 'entries',
    group: 'policies',
    description: 'Policies, in the order in which they are shown.',
    examples: [[{ policy_type: 'check_in', detail: 'Check-in from 15:00 to 20:00.' }]],
    published: 'Policies in the order to show them; empty if there are none.',
    synonyms: ['policies', 'policy', 'hotel_policies', 'property_policy', 'rules', 'house_rules', 'terms'],
    entry: {
      name: 'Policy',
      description: 'A policy.',
      published: 'A rule for guests, such as cancellation terms.',
    },
    fields: {
      policy_type: {
        label: 'type',
        kind: 'text',
        schema: 'filled',
        required: true,
        description: 'Short code of the policy type.',
        examples: ['check_in', 'check_out', 'cancellation', 'no_show'],
        published: 'Short code of the policy type. Other codes than the examples may occur.',
        vocabulary: 'policy_types',
        synonyms: ['type', 'kind', 'name', 'code', 'policy'],
      },
      detail: {
        label: 'text',
        kind: 'lines',
        schema: 'paragraph',
        required: true,
        description: 'What the policy says; line breaks stay.',
        examples: ['Check-in from 15:00 to 20:00.'],
        published: 'Human-readable explanation of the policy.',
        translate: true,
        synonyms: ['details', 'text', 'description', 'content', 'value', 'rule'],
      },
    },
  },
  payment_method: {
    label: 'Payment method',
    kind: 'entries',
    group: 'payments',
    description: 'Payment methods, in the order in which they are shown.',
    examples: [[{ is_enabled: 'true', method_type: 'direct' }]],
    published: 'Payment methods; `is_enabled` tells which ones are accepted. Empty if there are none.',
    synonyms: ['payment_methods', 'payment', 'payments', 'payment_options'],
    entry: {
      name: 'PaymentMethod',
      description: 'A payment method.',
      published: 'A way to pay for a stay, and whether it is currently accepted.',
    },
    fields: {
      is_enabled: {
        label: 'accepted',
        kind: 'boolean',
        schema: 'flag',
        required: true,
        description: 'Whether the method is currently accepted.',
        examples: ['true'],
        published: 'Whether the method is currently accepted.',
        synonyms: ['enabled', 'active', 'is_active', 'accepted', 'available'],
      },
      method_type: {
        label: 'type',
        kind: 'text',
        schema: 'method',
        required: true,
        description: '`direct`: through a payment gateway; `property`: on site or through the owner.',
        examples: PAYMENT_METHOD_TYPES,
        published:
          '`direct`: payment handled directly, for example through a payment gateway; `property`: payment handled on site or through the property owner.',
        choices: PAYMENT_METHOD_TYPES,
        synonyms: ['type', 'method', 'kind', 'name', 'payment_type', 'payment_method'],
      },
    },
  },
} as const satisfies Readonly<Record<string, Field>>;

type Fields = typeof FIELDS;

export type FieldName = keyof Fields;

type With<Some> = { [Name in FieldName]: Fields[Name] extends Some ? Name : never }[FieldName];

/** Fields that decide whether and when a property is published. They are not published themselves. */
export type VisibilityFieldName = With<{ readonly group: 'visibility' }>;
export type PublishedFieldName = With<{ readonly published: string }>;
export type ScalarFieldName = With<{ readonly kind: ScalarKind }>;
export type EntryListFieldName = With<{ readonly kind: 'entries' }>;
export type RequiredFieldName = With<{ readonly required: true }>;
export type NewCommandFieldName = With<{ readonly newCommandOption: readonly string[] }>;

export function fieldOf(name: FieldName): Field {
  return FIELDS[name];
}

export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

function named<Name extends FieldName>(test: (field: Field) => boolean): readonly Name[] {
  return FIELD_NAMES.filter((name) => test(FIELDS[name])) as Name[];
}

export const PUBLISHED_FIELDS = named<PublishedFieldName>(({ published }) => published !== undefined);
export const VISIBILITY_FIELDS = named<VisibilityFieldName>(({ group }) => group === 'visibility');
export const SCALAR_FIELDS = named<ScalarFieldName>(({ kind }) => kind !== 'words' && kind !== 'entries');
export const ENTRY_LIST_FIELDS = named<EntryListFieldName>(({ kind }) => kind === 'entries');
export const NEW_COMMAND_FIELDS = named<NewCommandFieldName>(
  ({ newCommandOption }) => newCommandOption !== undefined,
);

export function entryFields(list: string): ReadonlyMap<string, EntryField> {
  return ENTRY_FIELDS.get(list) ?? NO_FIELDS;
}

const NO_FIELDS: ReadonlyMap<string, EntryField> = new Map();
const ENTRY_FIELDS: ReadonlyMap<string, ReadonlyMap<string, EntryField>> = new Map(
  Object.entries(FIELDS as Readonly<Record<string, Field>>).flatMap(([list, { fields }]) =>
    fields ? [[list, new Map(Object.entries(fields))]] : [],
  ),
);

/**
 * @param list the list whose entries have the field; empty for a field of the property or its summary
 * @param table the fields of the catalogue. @default {@link FIELDS}
 * @example
 * fieldLabel('zip_code') // 'Postal code'
 * fieldLabel('detail', 'hotel_policy') // 'Policy: text'
 */
export function fieldLabel(name: string, list = '', table?: Pick<FieldTable, 'all' | 'entries'>): string {
  if (name === 'thumbnail' && list === '') return 'Thumbnail';
  const labelIn = (field: string) =>
    (table?.all.get(field) ?? (FIELDS as Readonly<Record<string, Field>>)[field])?.label ?? field;
  if (list === '') return labelIn(name);
  const entry = table?.entries.get(list) ?? entryFields(list);
  return `${labelIn(list)}: ${entry.get(name)?.label ?? name}`;
}
