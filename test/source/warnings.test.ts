import { describe, expect, it } from 'vitest';
import type { Terms } from '../../src/contract/terms.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { declared, termsFrom } from '../support/terms.ts';
import { FIELDS, findings, propertyText } from './property-text.ts';

function found(text: string, terms: Terms = termsFrom()): string[] {
  const { property, diagnostics } = checkPropertyFile(Buffer.from(text), 'rose.yaml', terms);
  // The property is published in spite of a warning.
  expect(property).toBeDefined();
  expect(diagnostics.every(({ severity }) => severity === 'warning')).toBe(true);
  return diagnostics.map(({ message, help }) => `${message} ${help}`);
}

describe('a warning', () => {
  it('is absent for a sound property', () => expect(found(propertyText())).toEqual([]));

  it('is given for a missing e-mail address or phone number', () => {
    expect(findings(propertyText({ email: undefined, phone: "''" }))).toEqual([
      ['missing-email', 1, 1, 'id'],
      ['missing-phone', 4, 8, "''"],
    ]);
  });

  it.each([
    ['+353 1 605 7700', 0],
    ['+33123456789', 0],
    ['+1 202 555 0143', 0],
    ['+353 67 000 0000', 1],
    ['+49 12345', 1],
  ])('is given for the phone number %s: %i', (phone, count) => {
    expect(found(propertyText({ phone })).filter((text) => /in no range of numbers/.test(text))).toHaveLength(
      count,
    );
  });

  it.each([
    ['IE', 'D02 AF30', 0],
    ['IE', '75001', 1],
    ['FR', '75001', 0],
    ['FR', '7500', 1],
    ['GB', 'SW1A 1AA', 0],
    ['DE', '01067', 0],
    ['US', '00501', 0],
    ['JP', '100-0001', 0],
    // For a country without known codes, any code is accepted.
    ['HK', 'anything', 0],
    ['AE', '1', 0],
    ['XK', '10000', 0],
  ])('is given for the postal code of %s: %s: %i', (country, zip_code, count) => {
    const codes = findings(propertyText({ country }, `zip_code: ${zip_code}\n`)).map(([code]) => code);
    expect(codes.filter((code) => code !== 'doubtful-coordinates')).toEqual(
      Array(count).fill('doubtful-postal-code'),
    );
  });

  it.each([
    ['FR', '1000', 'If a spreadsheet dropped the zero, write "01000".'],
    ['DE', '1067', 'If a spreadsheet dropped the zero, write "01067".'],
    ['DE', '106', 'Check the code, and the country.'],
    ['GB', '7500', 'Check the code, and the country.'],
  ])('advises for the postal code of %s: %s: %s', (country, zip_code, help) => {
    const said = found(propertyText({ country }, `zip_code: "${zip_code}"\n`));
    expect(said).toContain(`"${zip_code}" does not look like a postal code of ${country}. ${help}`);
  });

  it.each([
    ['IE', '53.27194', '-9.04889', undefined],
    ['GB', '53.27194', '-9.04889', 'It is in Ireland (IE). Check the coordinates, and the country.'],
    [
      'IE',
      '-9.04889',
      '53.27194',
      'Latitude and longitude are swapped: write latitude: 53.27194, longitude: -9.04889.',
    ],
    ['IE', '53.27194', '9.04889', 'With another sign it is: write latitude: 53.27194, longitude: -9.04889.'],
    ['AU', '33.86', '151.2', 'With another sign it is: write latitude: -33.86, longitude: 151.2.'],
    ['IE', '0', '0.000', 'Write the coordinates of the property.'],
    ['IE', '51.5', '-20', 'Check the coordinates, and the country.'],
  ])('is given for the point of %s: %s, %s (E5)', (country, latitude, longitude, help) => {
    const { diagnostics } = checkPropertyFile(
      Buffer.from(propertyText({ country, latitude, longitude })),
      'rose.yaml',
      termsFrom(),
    );
    expect(diagnostics.map((diagnostic) => [diagnostic.code, diagnostic.help])).toEqual(
      help === undefined ? [] : [['doubtful-coordinates', help]],
    );
  });

  it('is given for a title or city in quotes of a word processor (E6)', () => {
    expect(found(propertyText({ city: '“Galway”' }))).toEqual([
      'The city is published with its quotes: "“Galway”". If they are not part of it, write "Galway".',
    ]);
    for (const title of ['« Rose »', '„Rose“', '‘Rose’']) {
      expect(findings(propertyText({ title })).map(([code]) => code)).toEqual(['typographic-quotes']);
    }
    expect(findings(propertyText({ title: 'The “Rose”', city: 'L’Aquila' }))).toEqual([]);
  });

  it('is given for an id in upper case', () => {
    expect(found(propertyText({ id: FIELDS.id.toUpperCase() }))).toEqual([
      `The id has upper-case letters; it is published in lower case. Write ${FIELDS.id}.`,
    ]);
    expect(found(propertyText({ id: `' ${FIELDS.id} '` }))).toEqual([]);
  });

  it('is given for a title or city that changes when it is published, and for no other text', () => {
    expect(
      found(propertyText({ title: '" Rose "', city: 'Ga\u0301lway' }, 'state: " x "\naddress: e\u0301\n')),
    ).toEqual([
      'The title is published as "Rose": spaces at its ends are removed. Write it so.',
      'The city is published as "Gálway": its letters are brought to NFC. Write it so.',
    ]);
  });

  it.each(['null', 'Null', '~'])('is given for the text %s without quotes (E4)', (word) => {
    expect(findings(propertyText({ title: word }, `state: ${word}\n`)).map(([code]) => code)).toEqual([
      'null-text',
      'null-text',
    ]);
  });

  it.each(['nullable', 'nil', 'none', 'no', '~x', '0', '"-"', '"null"', "'~'"])(
    'is not given for the text %s',
    (word) => {
      const codes = findings(propertyText({}, `state: ${word}\n`)).map(([code]) => code);
      expect(codes).not.toContain('null-text');
    },
  );

  it.each([
    ['[WiFi, Wi-Fi, sauna]', ['WiFi', 'sauna']],
    ['[Wi-Fi, sauna, wifi, wifi]', ['wifi', 'sauna']],
    ['[chapel, Chapel, chapel]', ['chapel', 'Chapel']],
  ])('is given for a facility that is there twice, which is published once: %s (A11)', (list, published) => {
    const text = Buffer.from(propertyText({}, `facilities: ${list}\n`));
    const { property, diagnostics } = checkPropertyFile(text, 'rose.yaml', termsFrom());
    expect(property?.facilities).toEqual(published);
    expect(diagnostics.map(({ code }) => code)).toContain('repeated-facility');
  });

  it.each([
    ['x'.repeat(120), []],
    ['\u{1f3e0}'.repeat(120), []],
    ['x'.repeat(121), ['long-title']],
    ['\u{1f3e0}'.repeat(500), ['long-title']],
    ['x'.repeat(501), ['title-too-long']],
  ])('is given for a long title, and an error for a longer one (A11)', (title, codes) => {
    expect(findings(propertyText({ title })).map(([code]) => code)).toEqual(codes);
  });

  it('is given for a long translation of the title, too', () => {
    const terms = declared({ languages: ['en', 'fr'] });
    const text = propertyText({}, `title@fr: ${'x'.repeat(121)}\n`);
    const { diagnostics } = checkPropertyFile(Buffer.from(text), 'rose.yaml', terms);
    expect(diagnostics.map(({ code, fieldPath }) => [code, fieldPath])).toEqual([
      ['long-title', ['title@fr']],
    ]);
  });

  it('is given for a phone number that is published as it is dialled (A11)', () => {
    expect(found(propertyText({ phone: '+353 (0)1 605 7700' }))).toEqual([
      'The phone is published as "+353 1 605 7700": these are the digits to dial from abroad. Write it so.',
    ]);
  });

  it('is given for a facility or policy type outside the vocabulary', () => {
    const text = propertyText(
      {},
      'facilities: [wifi, wi-fi, pool]\nhotel_policy:\n  - {policy_type: checkin, detail: x}\n',
    );
    const few = termsFrom({ facilities: ['wifi', 'parking'], policy_types: ['check_in'] });
    expect(found(text, few)).toEqual([
      'The facility "wi-fi" is in the list already, as "wifi". Delete one of the two.',
      'The facility "pool" is not in the vocabulary. Correct it, or add it to "vocabulary" in catalogue.yaml.',
      'The policy type "checkin" is not in the vocabulary. Did you mean "check_in" (Check-in)? Correct it, or add it to "vocabulary" in catalogue.yaml.',
    ]);
    expect(findings(text, termsFrom({ facilities: [], policy_types: ['check_in', 'checkin'] }))).toEqual([
      ['unknown-facility', 10, 14, 'wifi'],
      ['unknown-facility', 10, 20, 'wi-fi'],
      ['unknown-facility', 10, 27, 'pool'],
    ]);
  });

  it('is given for a word that seems to mean a word of the vocabulary of the product, and for no other word (E7)', () => {
    const words = [
      ...['wi-fi', 'pool', 'refrigrator', 'Air conditioning', 'swimming_pool', 'library', 'wine_cellar'],
    ];
    const text = propertyText({}, `facilities: [${words.join(', ')}]\n`);
    expect(found(text)).toEqual([
      'The facility "wi-fi" is not in the vocabulary. Did you mean "wifi" (Wi-Fi)? Correct it, or add it to "vocabulary" in catalogue.yaml.',
      expect.stringContaining('Did you mean "swimming_pool" (Swimming pool)?'),
      expect.stringContaining('Did you mean "refrigerator" (Refrigerator)?'),
      expect.stringContaining('Did you mean "air_conditioning" (Air conditioning)?'),
      'The facility "swimming_pool" is in the list already, as "pool". Delete one of the two.',
    ]);
    const own = termsFrom({ facilities: { extend: { pool: 'Pool', 'wi-fi': {} } } });
    expect(findings(text, own).map(([, , , word]) => word)).toEqual(['refrigrator', 'Air conditioning']);
  });
});
