/**
 * The fields of a property, each in one entry. Import, formatting, `catalogue new`, the diff, the explorer, the JSON
 * Schema and the messages about names derive from it. What a value may be is said by the schema in `authored.ts`, which
 * has the same keys: without an entry here it does not compile.
 */
import type { AuthoredInput, AuthoredProperty } from './authored.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a value is: one line, several lines, a decimal number, true or false, a date or a time. All are written as text. */
type ScalarKind = 'text' | 'lines' | 'number' | 'boolean' | 'time';

/** What the tool knows of a field, besides its schema. */
type Described = {
  /** Its name for people; of a field of an entry, behind that of its list. */
  readonly label: string;
  /** Other names that people and programs give it: lower case, with `_` between words. */
  readonly synonyms: readonly string[];
};

/** A field of the entries of a list. */
export type EntryField = Described & {
  readonly kind: ScalarKind;
  /** The part of the vocabulary that its words come from. */
  readonly vocabulary?: keyof Vocabulary;
};

/** A field of a property. */
export type Field = Described & {
  readonly kind: ScalarKind | 'words' | 'entries';
  /** Fields of one group stand together in a file; a blank line separates groups. */
  readonly group:
    | 'name'
    | 'visibility'
    | 'contact'
    | 'place'
    | 'facilities'
    | 'photos'
    | 'policies'
    | 'payments';
  /** `catalogue new` has an option for it. */
  readonly isAsked?: true;
  /** Set for what is of the file alone, and in no answer of the API. */
  readonly isUnpublished?: true;
  readonly vocabulary?: keyof Vocabulary;
  /** The fields of its entries. */
  readonly fields?: Readonly<Record<string, EntryField>>;
};

type FieldTable = {
  readonly [Name in keyof AuthoredProperty]: Field &
    (AuthoredProperty[Name] extends readonly (infer Entry extends object)[]
      ? { readonly kind: 'entries'; readonly fields: { readonly [Key in keyof Required<Entry>]: EntryField } }
      : AuthoredProperty[Name] extends readonly string[]
        ? { readonly kind: 'words' }
        : { readonly kind: ScalarKind; readonly fields?: undefined });
};

/** Every field, in the order in which `catalogue format` writes them. */
const FIELDS = {
  id: {
    label: 'Id',
    kind: 'text',
    group: 'name',
    synonyms: ['uuid', 'guid', 'property_id', 'identifier'],
  },
  title: {
    label: 'Title',
    kind: 'text',
    group: 'name',
    isAsked: true,
    synonyms: ['name', 'property_name', 'hotel_name', 'hotel', 'heading', 'label'],
  },
  draft: {
    label: 'Draft',
    kind: 'boolean',
    group: 'visibility',
    isUnpublished: true,
    synonyms: ['is_draft', 'unpublished', 'hidden', 'is_hidden'],
  },
  live_from: {
    label: 'Live from',
    kind: 'time',
    group: 'visibility',
    isUnpublished: true,
    synonyms: ['live_since', 'publish_from', 'published_from', 'publish_at', 'visible_from', 'shown_from'],
  },
  live_until: {
    label: 'Live until',
    kind: 'time',
    group: 'visibility',
    isUnpublished: true,
    synonyms: ['live_to', 'publish_until', 'published_until', 'unpublish_at', 'visible_until', 'shown_until'],
  },
  currency: {
    label: 'Currency',
    kind: 'text',
    group: 'contact',
    isAsked: true,
    synonyms: ['currency_code', 'price_currency', 'iso_currency'],
  },
  email: {
    label: 'E-mail',
    kind: 'text',
    group: 'contact',
    isAsked: true,
    synonyms: ['mail', 'e_mail', 'email_address', 'e_mail_address', 'contact_email', 'contact_mail'],
  },
  phone: {
    label: 'Phone',
    kind: 'text',
    group: 'contact',
    isAsked: true,
    synonyms: ['telephone', 'tel', 'mobile', 'phone_number', 'telephone_number', 'contact_phone', 'phone_no'],
  },
  zip_code: {
    label: 'Postal code',
    kind: 'text',
    group: 'place',
    isAsked: true,
    synonyms: [
      ...[
        'zip',
        'zipcode',
        'postcode',
        'post_code',
        'postal_code',
        'postalcode',
        'plz',
        'eircode',
        'pin_code',
      ],
    ],
  },
  city: {
    label: 'City',
    kind: 'text',
    group: 'place',
    isAsked: true,
    synonyms: ['town', 'locality', 'village', 'municipality', 'place'],
  },
  state: {
    label: 'State',
    kind: 'text',
    group: 'place',
    isAsked: true,
    synonyms: ['region', 'province', 'county', 'district', 'department', 'canton', 'prefecture'],
  },
  address: {
    label: 'Address',
    kind: 'text',
    group: 'place',
    isAsked: true,
    synonyms: ['street', 'street_address', 'addr', 'address_line', 'address_line_1', 'address1', 'location'],
  },
  country: {
    label: 'Country',
    kind: 'text',
    group: 'place',
    isAsked: true,
    synonyms: ['country_code', 'nation', 'iso_country'],
  },
  latitude: {
    label: 'Latitude',
    kind: 'number',
    group: 'place',
    isAsked: true,
    synonyms: ['lat', 'geo_lat', 'y'],
  },
  longitude: {
    label: 'Longitude',
    kind: 'number',
    group: 'place',
    isAsked: true,
    synonyms: ['lng', 'lon', 'long', 'geo_lng', 'geo_lon', 'x'],
  },
  facilities: {
    label: 'Facility',
    kind: 'words',
    group: 'facilities',
    vocabulary: 'facilities',
    synonyms: ['amenities', 'amenity', 'facility', 'features', 'services', 'equipment'],
  },
  photo: {
    label: 'Photo',
    kind: 'entries',
    group: 'photos',
    synonyms: ['photos', 'image', 'images', 'picture', 'pictures', 'gallery', 'media'],
    fields: {
      file: {
        label: 'file',
        kind: 'text',
        synonyms: ['path', 'filename', 'file_name', 'file_path', 'local', 'image', 'photo'],
      },
      url: {
        label: 'link',
        kind: 'text',
        synonyms: ['link', 'href', 'uri', 'src', 'image_url', 'photo_url', 'remote'],
      },
      thumbnail: {
        label: 'thumbnail',
        kind: 'text',
        synonyms: ['thumb', 'preview', 'thumbnail_url', 'small'],
      },
      description: {
        label: 'description',
        kind: 'lines',
        synonyms: ['caption', 'alt', 'alt_text', 'title', 'text', 'label', 'desc'],
      },
      id: { label: 'id', kind: 'text', synonyms: ['uuid', 'photo_id'] },
      position: {
        label: 'position',
        kind: 'number',
        synonyms: ['order', 'sort', 'sort_order', 'index', 'rank', 'pos', 'number'],
      },
    },
  },
  hotel_policy: {
    label: 'Policy',
    kind: 'entries',
    group: 'policies',
    synonyms: ['policies', 'policy', 'hotel_policies', 'property_policy', 'rules', 'house_rules', 'terms'],
    fields: {
      policy_type: {
        label: 'type',
        kind: 'text',
        vocabulary: 'policy_types',
        synonyms: ['type', 'kind', 'name', 'code', 'policy'],
      },
      detail: {
        label: 'text',
        kind: 'lines',
        synonyms: ['details', 'text', 'description', 'content', 'value', 'rule'],
      },
    },
  },
  payment_method: {
    label: 'Payment method',
    kind: 'entries',
    group: 'payments',
    synonyms: ['payment_methods', 'payment', 'payments', 'payment_options'],
    fields: {
      is_enabled: {
        label: 'accepted',
        kind: 'boolean',
        synonyms: ['enabled', 'active', 'is_active', 'accepted', 'available'],
      },
      method_type: {
        label: 'type',
        kind: 'text',
        synonyms: ['type', 'method', 'kind', 'name', 'payment_type', 'payment_method'],
      },
    },
  },
} as const satisfies FieldTable;

/** Name of a field of a property. */
export type FieldName = keyof AuthoredProperty;

/** Name of a field that decides when a property is published, and is not published itself. */
export type DatedField = Exclude<FieldName, PublishedField>;

/** Name of a field that the API answers with. */
export type PublishedField = {
  [Name in FieldName]: (typeof FIELDS)[Name] extends { readonly isUnpublished: true } ? never : Name;
}[FieldName];

/** Name of a field with one text. */
export type TextField = {
  [Name in FieldName]: AuthoredProperty[Name] extends string ? Name : never;
}[FieldName];

/** Name of a field whose value is a list of mappings. */
export type ListField = {
  [Name in FieldName]: (typeof FIELDS)[Name]['kind'] extends 'entries' ? Name : never;
}[FieldName];

/** Name of a text without which a property is not complete. */
export type RequiredField = {
  [Name in TextField]: undefined extends AuthoredInput[Name] ? never : Name;
}[TextField];

/** Name of a text that is an option of `catalogue new`. */
export type AskedField = {
  [Name in TextField]: (typeof FIELDS)[Name] extends { readonly isAsked: true } ? Name : never;
}[TextField];

/**
 * What the tool knows of a field.
 *
 * @example
 * fieldOf('zip_code').label // 'Postal code'
 */
export function fieldOf(name: FieldName): Field {
  return FIELDS[name];
}

/** Every name, in the order of {@link FIELDS}. */
export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[];

/** The fields that the API answers with, in that order. */
export const PUBLISHED_FIELDS = FIELD_NAMES.filter(
  (name) => !fieldOf(name).isUnpublished,
) as readonly PublishedField[];

/** The fields that decide when a property is published, in that order. */
export const DATED_FIELDS = FIELD_NAMES.filter(
  (name) => fieldOf(name).isUnpublished,
) as readonly DatedField[];

/** The fields with one text, in that order. */
export const TEXT_FIELDS = FIELD_NAMES.filter(
  (name) => !['words', 'entries'].includes(FIELDS[name].kind),
) as readonly TextField[];

/** The fields whose values are lists of mappings, in that order. */
export const LIST_FIELDS = FIELD_NAMES.filter(
  (name) => FIELDS[name].kind === 'entries',
) as readonly ListField[];

/** The texts that are options of `catalogue new`. */
export const ASKED_FIELDS = TEXT_FIELDS.filter((name) => fieldOf(name).isAsked) as readonly AskedField[];

/**
 * The fields of the entries of a list, by name, in their order; none for a field without entries.
 *
 * @example
 * [...entryFields('hotel_policy').keys()] // ['policy_type', 'detail']
 */
export function entryFields(list: string): ReadonlyMap<string, EntryField> {
  const { fields = {} } = (FIELDS as Readonly<Record<string, Field>>)[list] ?? {};
  return new Map(Object.entries(fields));
}

/** Names of fields, of a property or an entry, whose values are written without quotes, whatever they look like. */
export const UNQUOTED_NAMES: ReadonlySet<string> = new Set(
  FIELD_NAMES.flatMap((name) => [[name, fieldOf(name)] as const, ...entryFields(name)])
    .filter(([, { kind }]) => kind === 'number' || kind === 'boolean' || kind === 'time')
    .map(([name]) => name),
);

/**
 * The name of a field for people.
 *
 * @param list the list that it is an entry's field of; empty for a field of the property, or of its summary.
 *
 * @example
 * labelOf('zip_code') // 'Postal code'
 * labelOf('detail', 'hotel_policy') // 'Policy: text'
 */
export function labelOf(name: string, list = ''): string {
  if (name === 'thumbnail' && list === '') return 'Thumbnail';
  const fields = FIELDS as Readonly<Record<string, Field>>;
  if (list === '') return fields[name]?.label ?? name;
  return `${fields[list]?.label ?? list}: ${entryFields(list).get(name)?.label ?? name}`;
}
