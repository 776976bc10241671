/** What the property page shows of declared fields. */
import { describe, expect, it } from 'vitest';
import { configurationSchema } from '../../src/contract/configuration.ts';
import { explorerSettings } from '../../src/contract/explorer.ts';
import { localized } from '../../src/contract/localized.ts';
import {
  arrivalAndDepartureTexts,
  attributeFacts,
  attributeLink,
  attributePriceText,
  attributeRows,
  otherTextLanguages,
  registrationRow,
} from '../../src/explorer/attribute-rows.ts';

const fieldsOf = (fields: object) => explorerSettings(configurationSchema.parse({ fields })).fields!;
const KNOWN = fieldsOf({
  property_type: {},
  max_guests: {},
  bedrooms: {},
  beds: {},
  bathrooms: {},
  floor_area: {},
  check_in_from: {},
  check_in_until: {},
  check_out_until: {},
  price_from: {},
  minimum_nights: {},
  registration_number: {},
});

describe('the facts', () => {
  it.each([
    [
      { max_guests: 1, bedrooms: 1, beds: 1, bathrooms: '1' },
      ['1 guest', '1 bedroom', '1 bed', '1 bathroom'],
    ],
    [{ max_guests: 1200, bedrooms: 0 }, ['1,200 guests', 'Studio']],
    [{ property_type: 'studio', bedrooms: 0, beds: 0 }, ['Studio']],
    [{ property_type: 'bed_and_breakfast', bathrooms: '1.50' }, ['Bed and breakfast', '1.5 bathrooms']],
    [{ floor_area: '85.0', beds: null }, ['85 m²']],
    [{ max_guests: null, sauna: 'wood' }, []],
    [{ max_guests: 'six', floor_area: 'large' }, []],
  ])('of %j are %j', (attributes, facts) => expect(attributeFacts(attributes, KNOWN)).toEqual(facts));

  it('leave a field with a label of its own to the rows', () => {
    const fields = fieldsOf({ max_guests: { label: 'Gäste' }, bedrooms: {} });
    expect(attributeFacts({ max_guests: 6, bedrooms: 2 }, fields)).toEqual(['2 bedrooms']);
    expect(attributeRows({ max_guests: 6, bedrooms: 2 }, fields, {})).toEqual([
      { name: 'max_guests', label: 'Gäste', texts: [{ text: '6' }] },
    ]);
  });
});

it.each([
  [{ check_in_from: '15:00', check_in_until: '24:00' }, [['check_in', 'From 15:00 to midnight']]],
  [
    { check_in_until: '20:00', check_out_until: '11:00' },
    [
      ['check_in', 'Until 20:00'],
      ['check_out', 'Until 11:00'],
    ],
  ],
  [{ check_in_from: '15:00', check_out_until: null }, [['check_in', 'From 15:00']]],
  [{}, []],
])('times of %j', (attributes, times) =>
  expect([...arrivalAndDepartureTexts(attributes, KNOWN)]).toEqual(times),
);

it('formats prices with the currency of the property', () => {
  const price = (value: string, currency: string) =>
    attributePriceText({ price_from: value }, KNOWN, currency);
  expect([price('95', 'EUR'), price('95.5', 'EUR'), price('12000', 'JPY'), price('95', 'no')]).toEqual([
    '€95',
    '€95.50',
    '¥12,000',
    '95 no',
  ]);
});

it('only links to http and https', () => {
  const link = (website: string) => attributeLink({ website }, 'website');
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    '//rose.example',
    'https://u@rose.example',
    'https:\\\\x',
  ])
    expect(link(url)).toBe(undefined);
  expect([link('http://rose.example'), link('HTTPS://rose.example/a')]).toEqual([
    'http://rose.example',
    'HTTPS://rose.example/a',
  ]);
});

it('has rows for what the catalogue no longer declares, and for numbers of registration', () => {
  expect(attributeRows({ old: 'x', gone: null, none: [] }, {}, {})).toEqual([
    { name: 'old', label: 'old', texts: [{ text: 'x' }] },
  ]);
  expect(registrationRow({ registration_number: ['A', 'B'] }, KNOWN)?.texts).toEqual([{ text: 'A, B' }]);
  expect(registrationRow({ registration_number: [] }, KNOWN)).toBe(undefined);
  expect(attributeRows({ minimum_nights: 2 }, KNOWN, {})[0]?.texts).toEqual([{ text: '2 nights' }]);
});

it('names the languages of texts that are not in the chosen one', () => {
  const property = { title: 'Rose', photo: [], hotel_policy: [], translations: { fr: { title: 'La rose' } } };
  expect(
    otherTextLanguages(localized({ ...property, attributes: { description: 'x' } }, ['fr'], 'en'), 'fr'),
  ).toEqual(['en']);
  expect(otherTextLanguages(localized(property, ['fr'], 'en'), 'fr')).toEqual([]);
});
