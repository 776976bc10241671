/** A separate module, so that clients that do not use schema.org need not load it. */
import type { DetailValues } from '../contract/detail-values.ts';
import { KNOWN_FIELDS, type KnownField } from '../contract/known-fields.ts';
import { isWebLink } from '../contract/link.ts';
import { localized } from '../contract/localized.ts';
import { ownValue } from '../values/own-value.ts';
import type { Property } from './types.ts';

export type Thing = { readonly [name: string]: unknown };

export type SchemaOrgOptions = {
  /** Identifier in the result. @default `id` of the property */
  readonly id?: string;
  /** Preferred languages, best first. @default the catalogue's first language */
  readonly wanted?: readonly string[];
  /** URL of the property's page. @default its website */
  readonly url?: string;
};

const TYPES: Readonly<Record<string, string>> = {
  bed_and_breakfast: 'BedAndBreakfast',
  campsite: 'Campground',
  hostel: 'Hostel',
  hotel: 'Hotel',
  aparthotel: 'Hotel',
  guest_house: 'LodgingBusiness',
  holiday_park: 'Resort',
};

type Value = string | number;
type Convert = (value: Value, property: Property) => unknown;

const VALUES: Readonly<Record<string, Convert>> = {
  property_type: (value) => ownValue(TYPES, String(value)),
  website: (value) => webLink(value),
  booking_url: (value) => webLink(value) && { '@type': 'ReserveAction', target: value },
  max_guests: (value) => ({ '@type': 'QuantitativeValue', value: Number(value) }),
  bedrooms: Number,
  beds: (value) => ({ '@type': 'BedDetails', numberOfBeds: Number(value) }),
  bathrooms: (value) => Math.ceil(Number(value)),
  floor_area: (value) => ({ '@type': 'QuantitativeValue', value: Number(value), unitCode: 'MTK' }),
  stars: (value) => ({ '@type': 'Rating', ratingValue: Number(value) }),
  price_from: (value, { currency }) => `From ${value} ${currency}`,
  registration_number: (value) => named('registration number', value),
  reference: (value) => named('reference', value),
};

const named = (propertyID: string, value: Value) => ({ '@type': 'PropertyValue', propertyID, value });
const webLink = (value: Value) => (isWebLink(String(value)) ? value : undefined);

/**
 * Returns JSON-LD in the vocabulary of schema.org: `property_type` decides whether it is a `VacationRental` or another
 * `LodgingBusiness`. Escape `<` when embedding it in HTML.
 * @example
 * toSchemaOrg(property).name // 'Rose Cottage'
 */
export function toSchemaOrg(
  property: Property & DetailValues & { readonly id?: string },
  { id = property.id, wanted = [], url }: SchemaOrgOptions = {},
): Thing {
  const { attributes = {}, facilities, photo, latitude, longitude } = property;
  const texts = localized(property, wanted);
  const things: Record<string, unknown[]> = {};
  const add = (name: string, value: unknown) => {
    if (value !== undefined && value !== '') things[name] = [...(things[name] ?? []), value];
  };
  add('identifier', id);
  for (const [name, known] of Object.entries<KnownField>(KNOWN_FIELDS)) {
    const value = texts.attributes[name]?.text ?? attributes[name] ?? [];
    if (known.schemaOrg === undefined || typeof value === 'boolean') continue;
    for (const one of [value].flat())
      if (one !== '') add(known.schemaOrg, VALUES[name] ? VALUES[name](one, property) : one);
  }
  for (const name of facilities)
    add('containsPlace.amenityFeature', { '@type': 'LocationFeatureSpecification', name, value: true });
  const { '@type': type = ['VacationRental'], ...found } = things;
  const isRoom = attributes.property_type === 'room';
  return filled({
    '@context': 'https://schema.org',
    '@type': type[0],
    name: texts.title.text,
    ...placed(found, ''),
    ...(url !== undefined && { url }),
    image: photo.map((one) => one.url),
    address: addressOf(property),
    latitude,
    longitude,
    email: property.email,
    telephone: property.phone,
    currenciesAccepted: property.currency,
    containsPlace: {
      '@type': 'Accommodation',
      additionalType: isRoom ? 'PrivateRoom' : 'EntirePlace',
      ...placed(found, 'containsPlace.'),
    },
  });
}

function placed(things: Readonly<Record<string, unknown[]>>, within: string): Thing {
  const own = Object.entries(things).filter(([name]) => name.startsWith(within));
  return Object.fromEntries(
    own
      .map(([name, values]) => [name.slice(within.length), values.length === 1 ? values[0] : values] as const)
      .filter(([name]) => !name.includes('.')),
  );
}

function addressOf({ address, city, state, zip_code, country }: Property): Thing {
  return filled({
    '@type': 'PostalAddress',
    streetAddress: address,
    addressLocality: city,
    addressRegion: state,
    postalCode: zip_code,
    addressCountry: country,
  });
}

function filled(thing: Thing): Thing {
  return Object.fromEntries(
    Object.entries(thing).filter(
      ([, value]) => value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
