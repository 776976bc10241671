/** Properties in the words of schema.org. */
import { describe, expect, it } from 'vitest';
import { toSchemaOrg } from '../../src/client/schema-org.ts';
import type { Property } from '../../src/client/types.ts';
import { KNOWN_FIELDS } from '../../src/contract/known-fields.ts';

const PROPERTY = {
  title: 'Rose Cottage',
  currency: 'EUR',
  email: 'stay@cottage.example',
  phone: '',
  zip_code: '',
  city: 'Galway',
  state: '',
  address: 'Quay Road 4',
  country: 'IE',
  latitude: '53.27194',
  longitude: '-9.06000',
  facilities: ['wifi'],
  photo: [{ id: 'a', url: 'https://photos.example/a.jpg', description: null, position: 1 }],
  hotel_policy: [],
  payment_method: [],
} as unknown as Property;
const ATTRIBUTES = {
  description: 'A quiet house.',
  summary: 'Quiet.',
  property_type: 'cottage',
  website: 'https://rose.example/',
  booking_url: 'https://rose.example/book',
  max_guests: 6,
  bedrooms: 0,
  beds: 4,
  bathrooms: '1.5',
  floor_area: '85.5',
  stars: 4,
  check_in_from: '15:00',
  check_in_until: '20:00',
  check_out_until: '11:00',
  minimum_nights: 2,
  price_from: '95.50',
  registration_number: ['IE-1', 'IE-2'],
  spoken_languages: ['en', 'fr'],
  reference: 'RC-12',
  fenced: true,
};

describe('toSchemaOrg', () => {
  it('has a place for each known field that schema.org knows', () => {
    expect(Object.keys(ATTRIBUTES).filter((name) => Object.hasOwn(KNOWN_FIELDS, name))).toEqual(
      expect.arrayContaining(Object.keys(KNOWN_FIELDS)),
    );
    expect(toSchemaOrg({ ...PROPERTY, attributes: ATTRIBUTES }, { id: 'id-1' })).toEqual({
      '@context': 'https://schema.org',
      '@type': 'VacationRental',
      name: 'Rose Cottage',
      identifier: [
        'id-1',
        { '@type': 'PropertyValue', propertyID: 'registration number', value: 'IE-1' },
        { '@type': 'PropertyValue', propertyID: 'registration number', value: 'IE-2' },
        { '@type': 'PropertyValue', propertyID: 'reference', value: 'RC-12' },
      ],
      description: 'A quiet house.',
      disambiguatingDescription: 'Quiet.',
      url: 'https://rose.example/',
      potentialAction: { '@type': 'ReserveAction', target: 'https://rose.example/book' },
      starRating: { '@type': 'Rating', ratingValue: 4 },
      checkinTime: '15:00',
      checkoutTime: '11:00',
      priceRange: 'From 95.50 EUR',
      knowsLanguage: ['en', 'fr'],
      image: ['https://photos.example/a.jpg'],
      address: {
        '@type': 'PostalAddress',
        streetAddress: 'Quay Road 4',
        addressLocality: 'Galway',
        addressCountry: 'IE',
      },
      latitude: '53.27194',
      longitude: '-9.06000',
      email: 'stay@cottage.example',
      currenciesAccepted: 'EUR',
      containsPlace: {
        '@type': 'Accommodation',
        additionalType: 'EntirePlace',
        occupancy: { '@type': 'QuantitativeValue', value: 6 },
        numberOfBedrooms: 0,
        bed: { '@type': 'BedDetails', numberOfBeds: 4 },
        numberOfBathroomsTotal: 2,
        floorSize: { '@type': 'QuantitativeValue', value: 85.5, unitCode: 'MTK' },
        amenityFeature: { '@type': 'LocationFeatureSpecification', name: 'wifi', value: true },
      },
    });
  });

  it('has every member that the page of Google on vacation rentals requires', () => {
    const thing = toSchemaOrg({ ...PROPERTY, id: 'id-1', attributes: { max_guests: 6 } });
    for (const name of ['containsPlace', 'identifier', 'image', 'latitude', 'longitude', 'name'])
      expect(thing).toHaveProperty(name);
    expect(thing).toHaveProperty('containsPlace.occupancy.value', 6);
  });

  it('takes texts in a wanted language, links that may be shown alone, and types of lodging', () => {
    const translations = { fr: { title: 'Le cottage', attributes: { description: 'Une maison.' } } };
    const attributes = { ...ATTRIBUTES, website: 'javascript:alert(1)', property_type: 'hotel' };
    const thing = toSchemaOrg({ ...PROPERTY, attributes, translations }, { wanted: ['fr-CH'] });
    expect(thing).toMatchObject({ '@type': 'Hotel', name: 'Le cottage', description: 'Une maison.' });
    expect(thing).not.toHaveProperty('url');
    expect(toSchemaOrg(PROPERTY, { url: 'https://stays.example/rose' })).toMatchObject({
      '@type': 'VacationRental',
      url: 'https://stays.example/rose',
    });
    expect(toSchemaOrg({ ...PROPERTY, attributes: { property_type: 'room' } })).toHaveProperty(
      'containsPlace.additionalType',
      'PrivateRoom',
    );
    expect(
      toSchemaOrg({ ...PROPERTY, attributes: { description: null, spoken_languages: [] } }),
    ).not.toHaveProperty('description');
  });
});
