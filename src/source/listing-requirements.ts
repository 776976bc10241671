/** Fields that listing services require of a property. Only advice: a build does not need them. */

export const LISTING_SERVICES = ['google-vacation-rentals'] as const;
export type ListingService = (typeof LISTING_SERVICES)[number];

type Values = Readonly<Record<string, unknown>>;

export type ListingRequirement = {
  readonly what: string;
  readonly source: string;
  readonly isMet: (values: Values) => boolean;
};

const STRUCTURED_DATA =
  'https://developers.google.com/search/docs/appearance/structured-data/vacation-rental';
const LISTING_FEED = 'https://developers.google.com/hotels/vacation-rentals/dev-guide/vr-attributes';

const has = (name: string) => (values: Values) => (values[name] ?? '') !== '';
const DECIMALS = /\.\d{5}/;

export const LISTING_REQUIREMENTS: Readonly<Record<ListingService, readonly ListingRequirement[]>> = {
  'google-vacation-rentals': [
    { what: 'max_guests', source: LISTING_FEED, isMet: has('max_guests') },
    { what: 'website', source: LISTING_FEED, isMet: has('website') },
    { what: 'address', source: LISTING_FEED, isMet: has('address') },
    {
      what: '8 photos or more, among them a bedroom, a bathroom and a common area',
      source: STRUCTURED_DATA,
      isMet: ({ photo }) => Array.isArray(photo) && photo.length >= 8,
    },
    {
      what: 'latitude and longitude with 5 decimals or more',
      source: STRUCTURED_DATA,
      isMet: ({ latitude, longitude }) => [latitude, longitude].every((text) => DECIMALS.test(String(text))),
    },
  ],
};
