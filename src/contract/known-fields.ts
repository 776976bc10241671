/**
 * Predefined fields, so that a name means the same in every catalogue. A catalogue has only those that its
 * `catalogue.yaml` declares.
 */
import type { DeclaredOptions, Field } from './fields.ts';
import { PROPERTY_TYPES } from './property-types.ts';

export type KnownField = Pick<
  Field,
  'label' | 'description' | 'help' | 'examples' | 'synonyms' | 'translate' | 'group'
> &
  Omit<DeclaredOptions, 'terms'> & {
    readonly list?: true;
    readonly schemaOrg?: string;
    /** Words of a choice, each with its label and its synonyms. */
    readonly choices?: Readonly<Record<string, readonly string[]>>;
  };

const count = (minimum: string, maximum: string) => ({ type: 'integer', minimum, maximum }) as const;
const words = (text: string) => text.split(' ');

export const KNOWN_FIELDS = {
  description: {
    type: 'lines',
    label: 'Description',
    description: 'What the property is like, in paragraphs.',
    examples: ['A quiet house by the sea.'],
    synonyms: words('long_description full_description property_description about overview'),
    translate: true,
    group: 'name',
    schemaOrg: 'description',
  },
  summary: {
    type: 'text',
    label: 'Summary',
    description: 'The property in one sentence.',
    examples: ['A quiet house by the sea, for six.'],
    synonyms: words('short_description tagline intro teaser headline'),
    translate: true,
    group: 'name',
    maxLength: 300,
    schemaOrg: 'disambiguatingDescription',
  },
  property_type: {
    type: 'choice',
    label: 'Type of property',
    description: 'What kind of property it is.',
    examples: ['cottage'],
    synonyms: words('accommodation_type building_type house_type lodging_type'),
    group: 'details',
    choices: PROPERTY_TYPES,
    filter: true,
    schemaOrg: '@type',
  },
  website: {
    type: 'link',
    label: 'Website',
    description: 'Address of the website of the property.',
    examples: ['https://rosecottage.example/'],
    synonyms: words('web homepage home_page web_site web_address website_url site_url'),
    group: 'details',
    schemaOrg: 'url',
  },
  booking_url: {
    type: 'link',
    label: 'Booking link',
    description: 'Address of the page on which guests book the property.',
    examples: ['https://rosecottage.example/book'],
    synonyms: words('booking_link reservation_url reservation_link book_url'),
    group: 'details',
    schemaOrg: 'potentialAction',
  },
  max_guests: {
    ...count('1', '1000'),
    label: 'Guests',
    description: 'Maximum number of guests.',
    examples: ['6'],
    synonyms: words('guests sleeps accommodates max_occupancy occupancy capacity persons max_persons'),
    group: 'details',
    schemaOrg: 'containsPlace.occupancy',
  },
  bedrooms: {
    ...count('0', '1000'),
    label: 'Bedrooms',
    description: 'Number of bedrooms; 0 for a studio.',
    examples: ['3'],
    synonyms: words('bedroom number_of_bedrooms num_bedrooms bedroom_count'),
    group: 'details',
    schemaOrg: 'containsPlace.numberOfBedrooms',
  },
  beds: {
    ...count('0', '2000'),
    label: 'Beds',
    description: 'Number of beds.',
    examples: ['4'],
    synonyms: words('number_of_beds num_beds bed_count'),
    group: 'details',
    schemaOrg: 'containsPlace.bed',
  },
  bathrooms: {
    type: 'decimal',
    label: 'Bathrooms',
    description: 'Number of bathrooms; 0.5 stands for one without a bath or shower.',
    examples: ['1.5'],
    synonyms: words('bathroom number_of_bathrooms num_bathrooms bathroom_count baths'),
    group: 'details',
    minimum: '0',
    maximum: '1000',
    step: '0.5',
    schemaOrg: 'containsPlace.numberOfBathroomsTotal',
  },
  floor_area: {
    type: 'decimal',
    label: 'Floor area',
    description: 'Floor area in square metres.',
    examples: ['85'],
    synonyms: words('living_area surface square_metres square_meters sqm m2 size_m2'),
    group: 'details',
    unit: 'm²',
    above: '0',
    schemaOrg: 'containsPlace.floorSize',
  },
  stars: {
    ...count('1', '5'),
    label: 'Stars',
    description: 'Official number of stars.',
    examples: ['3'],
    synonyms: words('star_rating number_of_stars hotel_stars'),
    group: 'details',
    schemaOrg: 'starRating',
  },
  check_in_from: {
    type: 'time',
    label: 'Check-in from',
    description: 'Time from which guests can check in.',
    examples: ['15:00'],
    synonyms: words('check_in checkin check_in_time checkin_time checkin_from arrival_time'),
    group: 'details',
    schemaOrg: 'checkinTime',
  },
  check_in_until: {
    type: 'time',
    label: 'Check-in until',
    description: 'Time until which guests can check in; 24:00 is midnight.',
    examples: ['20:00'],
    synonyms: words('checkin_until check_in_to latest_check_in'),
    group: 'details',
  },
  check_out_until: {
    type: 'time',
    label: 'Check-out until',
    description: 'Time by which guests must check out.',
    examples: ['11:00'],
    synonyms: words('check_out checkout check_out_time checkout_time checkout_until departure_time'),
    group: 'details',
    schemaOrg: 'checkoutTime',
  },
  minimum_nights: {
    ...count('1', '1500'),
    label: 'Minimum stay',
    description: 'Minimum number of nights of a stay.',
    examples: ['2'],
    synonyms: words('min_nights minimum_stay min_stay minimum_length_of_stay'),
    group: 'details',
    unit: 'nights',
  },
  price_from: {
    type: 'decimal',
    label: 'Price from',
    description: 'Lowest price for a night, in the currency of the property, as last published.',
    examples: ['95.00'],
    synonyms: words('price nightly_price price_per_night nightly_rate rate_from'),
    group: 'details',
    minimum: '0',
    step: '0.001',
    schemaOrg: 'priceRange',
  },
  registration_number: {
    type: 'text',
    list: true,
    label: 'Registration number',
    description: 'Numbers under which the property is registered or licensed.',
    examples: [['ES-0123456']],
    synonyms: words('registration_numbers licence license licence_number license_number registration permit'),
    group: 'details',
    maxLength: 200,
    schemaOrg: 'identifier',
  },
  spoken_languages: {
    type: 'text',
    list: true,
    areLanguageTags: true,
    label: 'Spoken languages',
    description: 'Languages that the hosts speak, as language tags.',
    help: 'Languages that the hosts speak.',
    examples: [['en', 'fr']],
    synonyms: words('languages_spoken host_languages'),
    group: 'details',
    schemaOrg: 'knowsLanguage',
  },
  reference: {
    type: 'text',
    label: 'Reference',
    description: "The owner's own number for the property.",
    examples: ['RC-12'],
    synonyms: words('ref reference_number external_id internal_id property_code listing_id'),
    group: 'details',
    maxLength: 100,
    schemaOrg: 'identifier',
  },
} as const satisfies Readonly<Record<string, KnownField>>;

export function knownField(name: string): KnownField | undefined {
  return Object.hasOwn(KNOWN_FIELDS, name) ? KNOWN_FIELDS[name as keyof typeof KNOWN_FIELDS] : undefined;
}
