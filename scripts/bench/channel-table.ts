/** Generates a table like a channel manager's export: 28 columns and a few faulty rows. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { COUNTRIES } from '../../src/contract/country-and-currency-tables.ts';
import type { PropertyValues } from '../../src/editing/property-text.ts';
import { type City, citiesByCountry } from '../sample-data/cities.ts';
import { madeUpProperty } from '../sample-data/made-up-property.ts';
import { POSTAL_CODES } from '../sample-data/postal-codes.ts';
import { createRandom, integerBetween, pick, type Random } from '../sample-data/random.ts';

const COLUMNS =
  'Listing ID,Internal Name,Property Name,Description,Property Type,Status,Max Guests,Bedrooms,Bathrooms,Size (m²),Price From,Address,Postcode,City,Country,Currency,Latitude,Longitude,Contact E-Mail,Phone,Amenities,Photo 1,Photo 1 Caption,Photo 2,Check-in,Check-out,Cancellation Policy,Owner Name';

export const CHANNEL_MAPPING = `delimiter: ";"
id: { from: Listing ID, uuid: 2c1d7a52-7b0e-4c56-9a59-3f6f0a8f3c11 }
title: Property Name
reference: Listing ID
description: Description
max_guests: Max Guests
bedrooms: Bedrooms
bathrooms: { from: Bathrooms, decimal: "," }
floor_area: Size (m²)
price_from: { from: Price From, decimal: "," }
currency: Currency
email: Contact E-Mail
phone: Phone
zip_code: Postcode
city: City
address: Address
country: Country
latitude: { from: Latitude, decimal: "," }
longitude: { from: Longitude, decimal: "," }
facilities: { from: Amenities, split: "," }
photo:
  - { url: Photo 1, description: Photo 1 Caption }
  - { url: Photo 2 }
hotel_policy:
  - { policy_type: { value: check_in }, detail: Check-in }
  - { policy_type: { value: check_out }, detail: Check-out }
  - { policy_type: { value: cancellation }, detail: Cancellation Policy }
`;

export const CHANNEL_SETTINGS =
  'fields:\n  reference: {}\n  description: {}\n  max_guests: {}\n  bedrooms: {}\n  bathrooms: {}\n  floor_area: {}\n  price_from: {}\n';

const AMENITIES = ['WLAN', 'Free parking', 'Sea view', 'Garden', 'TV', 'Kitchen', 'Washing machine', 'Sauna'];

/** Deterministic: the same number of rows gives the same bytes. */
export function writeChannelTable(path: string, rows: number): void {
  const random = createRandom(1);
  const cities = [...citiesByCountry(Object.keys(POSTAL_CODES)).values()].flatMap((some) =>
    some.slice(0, 60),
  );
  const file = openSync(path, 'w');
  const write = (cells: readonly string[]) => writeSync(file, `${cells.map(quoted).join(';')}\n`);
  write(COLUMNS.split(','));
  for (let row = 0; row < rows; row++) write(cellsOf(random, pick(random, cities), row));
  closeSync(file);
}

const quoted = (cell: string) => (/[;"\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
const decimal = (text: string) => text.replace('.', ',');

function cellsOf(random: Random, city: City, row: number): string[] {
  const property = madeUpProperty(random, city);
  const { title, currency, email = '', phone = '', zip_code = '', address = '' } = property;
  const [first, second] = (property.photo ?? []) as readonly { url: string; description: string }[];
  const [checkIn = '', checkOut = '', cancellation = ''] = policiesOf(property);
  const guests = integerBetween(random, 1, 12);
  const amenities = AMENITIES.filter(() => random() < 0.5);
  const bad = integerBetween(random, 0, 99);
  return [
    bad === 0 && row > 0 ? `CM-${99_999 + row}` : `CM-${100_000 + row}`,
    `internal ${row}`,
    bad === 1 ? '' : title,
    bad === 2 ? `<p>${cancellation}<br>${checkIn}</p>` : `${title}\n${cancellation}\n\n${checkOut}`,
    pick(random, ['Apartment', 'Holiday home', 'Villa', 'Room']),
    pick(random, ['active', 'paused']),
    bad === 3 ? 'many' : String(guests),
    String(Math.ceil(guests / 2)),
    pick(random, ['1', '1,5', '2']),
    `${integerBetween(random, 20, 200)} m²`,
    `${integerBetween(random, 40, 400)},${pick(random, ['00', '50'])}`,
    address,
    zip_code,
    city.name,
    bad === 4 ? 'Atlantis' : (COUNTRIES[city.country] ?? city.country),
    currency,
    bad === 5 ? '' : decimal(String(property.latitude)),
    decimal(String(property.longitude)),
    bad === 6 ? 'n/a' : email,
    parsePhoneNumberFromString(phone)?.formatNational() ?? phone,
    amenities.join(', '),
    bad === 7 ? 'front.jpg of the website' : (first?.url ?? ''),
    first?.description ?? '',
    second?.url ?? '',
    checkIn,
    checkOut,
    cancellation,
    pick(random, ['Ann', 'Ben', 'Cy']),
  ];
}

function policiesOf({ hotel_policy = [] }: PropertyValues): string[] {
  return hotel_policy.map(({ detail = '' }) => detail);
}
