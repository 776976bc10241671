import { COUNTRY_CURRENCIES } from '../../src/contract/country-and-currency-tables.ts';
import type { PhotoEntry, PropertyValues } from '../../src/editing/property-text.ts';
import { slugOf } from '../../src/editing/slug.ts';
import type { City } from './cities.ts';
import { FACILITIES } from './facilities.ts';
import { fictionalPhone } from './fictional-phones.ts';
import { madeUpPayments, madeUpPolicies } from './policies.ts';
import { madeUpPostalCode } from './postal-codes.ts';
import { integerBetween, pick, type Random, randomUuid, sample } from './random.ts';

const QUALITIES = [
  'Quiet',
  'Grand',
  'Old',
  'Little',
  'Golden',
  'Royal',
  'Sunny',
  'Green',
  'Blue',
  'White',
  'Central',
  'Hidden',
  'Upper',
  'Painted',
  'Stone',
];
const THINGS = [
  'Harbour',
  'Garden',
  'Mill',
  'Orchard',
  'Lantern',
  'Bridge',
  'Courtyard',
  'Lighthouse',
  'Meadow',
  'Station',
  'Chestnut',
  'River',
  'Market',
  'Tower',
  'Terrace',
  'Swan',
];
const KINDS = [
  'Hotel',
  'Guesthouse',
  'Apartments',
  'Inn',
  'Cottage',
  'Lodge',
  'Hostel',
  'B&B',
  'Suites',
  'House',
];
const STREETS = [
  'Station Road',
  'Market Square',
  'High Street',
  'Harbour Street',
  'Church Lane',
  'Mill Road',
  'Garden Street',
  'Castle Street',
  'River Walk',
  'School Road',
];
const VIEWS = [
  {
    name: 'front',
    description: 'The front of the house in the morning, seen from the other side of the street',
  },
  {
    name: 'garden',
    description: 'The garden behind the house in early summer, with tables under the old trees',
  },
  { name: 'bedroom', description: 'A double bedroom: a wide bed, a desk and a window to the courtyard' },
  {
    name: 'bathroom',
    description: 'A bathroom on the first floor with a walk-in shower, a basin and fresh towels',
  },
  {
    name: 'breakfast',
    description: 'The breakfast room: bread, fruit & coffee on a long table beside the window',
  },
  {
    name: 'lounge',
    description: 'The lounge: two sofas, an open fire and shelves full of books in many languages',
  },
  { name: 'view', description: 'The view from the upper floor over the roofs of the old town at dusk' },
];

/** Appended to policies, which are long in real life too. */
const REMARKS: Readonly<Record<string, readonly string[]>> = {
  check_in: [
    'The reception is on the ground floor, to the left of the entrance. Children of all ages are welcome.',
    'Parking spaces cannot be reserved: please unload at the door, then we show you where to leave the car.',
    'The last bus from the station leaves at 23:15. We can order a taxi if you tell us when you arrive.',
  ],
  check_out: [
    'Please close the windows and turn down the heating. Breakfast is served until you leave.',
    'Bottles and paper go into the bins behind the house. Lost property is kept for three months.',
    'We can wake you, pack your breakfast and call a taxi at any hour if you ask the evening before.',
  ],
  cancellation: [
    'Please cancel in writing. The time of the property counts, and a refund arrives within ten working days.',
    'The same holds for a shorter stay and for single rooms of a group. Changes of the name are always free.',
    'If the authorities forbid the journey, we refund the whole price, whatever the date of the booking.',
  ],
  no_show: [
    'If your journey takes longer than planned, a short message is enough and we keep the room for you.',
    'The tourist tax is not charged in this case. Deposits are refunded to the card with which you paid.',
    'Groups of ten and more guests are asked to leave a deposit, which is set off against this charge.',
  ],
};

/** Maximum distance from the city's centre in degrees. */
const SPREAD = 0.03;

/** Valid, without warnings. */
export function madeUpProperty(random: Random, city: City): PropertyValues {
  const title = madeUpTitle(random, city);
  const facilities = sample(random, FACILITIES, integerBetween(random, 10, 20));
  const id = randomUuid(random);
  const phone = fictionalPhone(city.country, integerBetween(random, 0, 9999));
  const zipCode = madeUpPostalCode(random, city.country);
  return {
    id,
    title,
    currency: COUNTRY_CURRENCIES[city.country] ?? 'EUR',
    email: `bookings@${slugOf(title) || 'property'}.example`,
    ...(phone !== undefined && { phone }),
    ...(zipCode !== undefined && { zip_code: zipCode }),
    city: city.name,
    address: `${integerBetween(random, 1, 199)} ${pick(random, STREETS)}`,
    country: city.country,
    latitude: near(random, city.latitude, 89),
    longitude: near(random, city.longitude, 179),
    facilities,
    photo: sample(random, VIEWS, integerBetween(random, 3, 5)).map(
      (view): PhotoEntry => ({
        url: `https://photos.example/properties/${id}/${view.name}-2048x1365.jpg`,
        description: view.description,
      }),
    ),
    hotel_policy: madeUpPolicies(random, { selfCheckIn: facilities.includes('self_check_in') }).map(
      (policy) => ({
        policy_type: policy.policy_type,
        detail: `${policy.detail} ${pick(random, REMARKS[policy.policy_type] ?? [])}`,
      }),
    ),
    payment_method: madeUpPayments(random),
  };
}

function madeUpTitle(random: Random, city: City): string {
  const name = `${pick(random, QUALITIES)} ${pick(random, THINGS)} ${pick(random, KINDS)}`;
  return random() < 0.4 ? `${name} ${city.name}` : name;
}

function near(random: Random, degrees: number, limit: number): string {
  const place = degrees + (random() * 2 - 1) * SPREAD;
  return Math.min(limit, Math.max(-limit, place)).toFixed(5);
}
