/** Values of declared fields and translations in a file: findings with their places, and certain repairs. */
import { describe, expect, it } from 'vitest';
import { formatText } from '../../src/editing/format.ts';
import { repairText } from '../../src/editing/repair.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { declared } from '../support/terms.ts';
import { findings, propertyText } from './property-text.ts';

const TERMS = declared({
  languages: ['en', 'fr', 'pt-BR'],
  fields: {
    description: {},
    max_guests: {},
    bathrooms: {},
    floor_area: {},
    price_from: {},
    check_in_from: {},
    check_in_until: {},
    check_out_until: {},
    tax: { type: 'decimal' },
    website: {},
    property_type: {},
    spoken_languages: {},
    registration_number: {},
    summary: { synonyms: ['Kurztext'] },
    quiet: { type: 'boolean' },
    opened: { type: 'date', minimum: '1900-01-01' },
    is_enabled: { type: 'text' },
  },
});

const found = (line: string) => findings(propertyText({}, `${line}\n`), TERMS);
const helps = (line: string) =>
  checkPropertyFile(Buffer.from(propertyText({}, `${line}\n`)), 'a.yaml', TERMS).diagnostics.map(
    ({ help }) => help,
  );

it.each([
  ...[
    'max_guests: 1',
    'max_guests: "1000"',
    'max_guests: ~',
    'max_guests:',
    'max_guests: null',
    "max_guests: ''",
  ],
  ...[
    'bathrooms: 1.5',
    'bathrooms: 0',
    'floor_area: 0.01',
    'price_from: 95.125',
    'price_from: 100000000000000.125',
  ],
  ...['check_in_from: "15:00"', 'check_in_from: 15:00', 'check_in_from: 24:00', 'check_in_from: 00:00'],
  ...[
    'website: http://rose.example',
    'website: HTTPS://rosé.example/ä?x=1#y',
    'website: http://127.0.0.1:8080/a',
  ],
  ...[
    'property_type: bed_and_breakfast',
    'spoken_languages: [en, pt-BR, zh-Hant]',
    'registration_number: [a, b]',
  ],
  ...[
    'quiet: false',
    'opened: 2024-02-29',
    'description: |\n  a\n\n  b',
    'description: >\n  a\n  b',
    'is_enabled: yes',
  ],
  ...[
    'title@fr: Cottage',
    'title@pt-BR: ~',
    "title@fr: ''",
    'description@fr: |-\n  a\n  b',
    'summary@pt-BR: x',
  ],
  ...[
    'photo:\n  - url: https://a.example/1.jpg\n    description@fr: Devant',
    'photo:\n  - { url: "https://a.example/1.jpg", description@fr: ~ }',
  ],
  ...[
    'hotel_policy:\n  - policy_type: check_in\n    detail: a\n    detail@fr: b',
    'facilities: [wifi]\nquiet: true',
  ],
])('%j is valid', (line) => expect(found(line)).toEqual([]));

it.each([
  ['max_guests: 0', 'out-of-range', '0'],
  ['max_guests: 1001', 'out-of-range', '1001'],
  ['max_guests: 1.5', 'invalid-value', '1.5'],
  ['max_guests: 1e3', 'invalid-value', '1e3'],
  ['max_guests: N/A', 'invalid-value', 'N/A'],
  ['max_guests: [1]', 'wrong-type', '[1]'],
  ['bathrooms: 1.25', 'out-of-range', '1.25'],
  ['floor_area: 0', 'out-of-range', '0'],
  ['floor_area: -1', 'out-of-range', '-1'],
  ['price_from: 9.1255', 'out-of-range', '9.1255'],
  ['price_from: 1.234,50', 'invalid-value', '1.234,50'],
  ['check_in_from: 24:01', 'invalid-value', '24:01'],
  ['check_in_from: 15', 'invalid-value', '15'],
  ['website: ftp://rose.example', 'invalid-link', 'ftp://rose.example'],
  ['website: javascript:alert(1)', 'invalid-link', 'javascript:alert(1)'],
  ['website: https://user:pass@rose.example', 'invalid-link', 'https://user:pass@rose.example'],
  ['website: "https://"', 'invalid-link', '"https://"'],
  [
    `website: https://rose.example/${'x'.repeat(2000)}`,
    'text-too-long',
    `https://rose.example/${'x'.repeat(2000)}`,
  ],
  ['property_type: tent house', 'unknown-choice', 'tent house'],
  ['spoken_languages: [English]', 'invalid-language', 'English'],
  ['registration_number: [a, a]', 'repeated-entry', 'a'],
  ['registration_number: x', 'wrong-type', 'x'],
  ['quiet: maybe', 'invalid-boolean', 'maybe'],
  ['opened: 2023-02-29', 'invalid-value', '2023-02-29'],
  ['opened: 1899-12-31', 'out-of-range', '1899-12-31'],
  ['summary: "a\\nb"', 'control-character', '"a\\nb"'],
  [`summary@fr: ${'x'.repeat(301)}`, 'text-too-long', `${'x'.repeat(301)}`],
  ['title@it: Casa', 'unknown-key', 'title@it'],
  ['title@en: House', 'unknown-key', 'title@en'],
  ['city@fr: Galway', 'unknown-key', 'city@fr'],
  ['max_guests@fr: 1', 'unknown-key', 'max_guests@fr'],
  ['Summary: x', 'unknown-key', 'Summary'],
])('%j: %s', (line, code, underlined) =>
  expect(found(line)).toEqual([[code, 10, expect.any(Number), underlined]]),
);

it('a required field must have a value, of the default language', () => {
  const terms = declared({
    languages: ['en', 'fr'],
    fields: {
      summary: { required: 'true' },
      max_guests: { required: 'true' },
      registration_number: { required: 'true' },
    },
  });
  const codes = (lines: string) => findings(propertyText({}, lines), terms).map(([code]) => code);
  expect(codes('')).toEqual(['missing-key', 'missing-key', 'missing-key']);
  expect(codes('summary@fr: x\nmax_guests: ~\nregistration_number: []\n')).toEqual([
    'missing-key',
    'missing-key',
    'missing-key',
  ]);
  expect(codes('summary: x\nmax_guests: 1\nregistration_number: [a]\n')).toEqual([]);
});

it.each([
  ['beds: 4', 'Declare it: below "fields" in catalogue.yaml, add "beds: {}".'],
  ['sleeps: 4', 'Did you mean "max_guests"?'],
  [
    'wifi_speed: 30',
    'Correct it, or declare it: below "fields" in catalogue.yaml, add "wifi_speed: { type: integer }".',
  ],
  [
    'licence_file: https://a.example/x',
    'Correct it, or declare it: below "fields" in catalogue.yaml, add "licence_file: { type: link }".',
  ],
  ['title@it: Casa', 'Add "it" to "languages" in catalogue.yaml, whose first language has no mark.'],
  ['title@pt: Casa', 'Did you mean "title@pt-BR"?'],
  ['title@en: House', 'It is called "title", which is there already: keep one of the two.'],
  ['Kurztext: x', 'Did you mean "summary"?'],
  [
    'min_nights: 3',
    'Name it "minimum_nights", and declare it: below "fields" in catalogue.yaml, add "minimum_nights: {}".',
  ],
  // The property of the test is in euros.
  ...['$45.00', 'from USD 45', '45 £ per night'].map((price) => [
    `price_from: ${price}`,
    'Write an amount in EUR, such as 2.5.',
  ]),
])('the help of %j', (line, help) => expect(helps(line)).toEqual([help]));

describe('a certain repair', () => {
  it.each([
    ['check_in_from: 9:00', 'check_in_from: "09:00"'],
    ['check_in_from: 9.30', 'check_in_from: "09:30"'],
    ['check_in_from: 9h30', 'check_in_from: "09:30"'],
    ['check_in_from: 15 h', 'check_in_from: "15:00"'],
    ['check_in_from: 3 pm', 'check_in_from: "15:00"'],
    ['check_in_from: 12:30 a.m.', 'check_in_from: "00:30"'],
    ['check_in_from: 15:00:00', 'check_in_from: "15:00"'],
    ['check_in_from: 15 Uhr', 'check_in_from: "15:00"'],
    ['check_in_from: Ab 16.00 Uhr', 'check_in_from: "16:00"'],
    ['check_in_from: "à partir de 17h"', 'check_in_from: "17:00"'],
    ['check_in_from: desde las 16:00', 'check_in_from: "16:00"'],
    ['check_in_until: by 8 p.m.', 'check_in_until: "20:00"'],
    ['check_in_until: "jusqu’à 20h30"', 'check_in_until: "20:30"'],
    ['check_in_until: até às 22:00', 'check_in_until: "22:00"'],
    ['check_in_from: vanaf 16.00 uur', 'check_in_from: "16:00"'],
    ['check_in_from: dalle 16', 'check_in_from: "16:00"'],
    ['check_in_from: a partire dalle ore 15:00', 'check_in_from: "15:00"'],
    ['check_in_from: "od godz. 16"', 'check_in_from: "16:00"'],
    ['check_in_from: ore 15', 'check_in_from: "15:00"'],
    ['check_in_from: 15 horas', 'check_in_from: "15:00"'],
    ['check_out_until: voor 11.00', 'check_out_until: "11:00"'],
    ['check_out_until: entro le 11', 'check_out_until: "11:00"'],
    ['check_out_until: przed 11:00', 'check_out_until: "11:00"'],
    ['check_out_until: antes das 10h', 'check_out_until: "10:00"'],
    ['check_out_until: "spätestens 10 Uhr"', 'check_out_until: "10:00"'],
    ['check_out_until: au plus tard à 10h', 'check_out_until: "10:00"'],
    ['property_type: Bed & Breakfast', 'property_type: bed_and_breakfast'],
    ['property_type: COTTAGE', 'property_type: cottage'],
    ['property_type: Private room in condo', 'property_type: room'],
    ['website: www.rose.example', 'website: https://www.rose.example'],
    ['floor_area: 85 m²', 'floor_area: 85'],
    ['floor_area: 85,5', 'floor_area: 85.5'],
    ...['85 m2', '85m^2', '85 mq', '85 mq.', '85 qm', '85 sqm', '85 sq m', '85 sq. m', 'ca. 85 m²'].map(
      (area): [string, string] => [`floor_area: ${area}`, 'floor_area: 85'],
    ),
    ...[
      'circa 85',
      'approx. 85 m²',
      'env. 85 m²',
      'około 85 m kw.',
      '85 Quadratmeter',
      '85 metri quadri',
    ].map((area): [string, string] => [`floor_area: ${area}`, 'floor_area: 85']),
    ['max_guests: max. 4 Personen', 'max_guests: 4'],
    ...['4+2', '4 (+2) pers.', '2-6', '2 à 6', '2/6 personnes', 'von 2 bis 6', 'até 6', 'bis zu 6 Gäste'].map(
      (guests): [string, string] => [`max_guests: ${guests}`, 'max_guests: 6'],
    ),
    ['price_from: € 95,50', 'price_from: 95.50'],
    ['price_from: "€\u00a095"', 'price_from: 95'],
    ['price_from: EUR  95', 'price_from: 95'],
    ['price_from: 95EUR', 'price_from: 95'],
    ['price_from: "95,- €"', 'price_from: 95'],
    ['price_from: ab 95 €', 'price_from: 95'],
    ['price_from: € 95 / notte', 'price_from: 95'],
    ['price_from: od 95 EUR za noc', 'price_from: 95'],
    ['price_from: v.a. € 95 p.n.', 'price_from: 95'],
    ['price_from: à partir de 95 €/nuit', 'price_from: 95'],
    ['tax: € 2,50', 'tax: 2.50'],
    ['tax: 2.50 EUR', 'tax: 2.50'],
    ["price_from: 1'234.5", 'price_from: 1234.5'],
    ['price_from: 12\u00a0345,50\u00a0€', 'price_from: 12345.50'],
    ['max_guests: "1\u202f000"', 'max_guests: 1000'],
    ['website: https://a.example/?a=1&amp;b=2', 'website: https://a.example/?a=1&b=2'],
    ['opened: 2027-04-01 00:00:00', 'opened: 2027-04-01'],
    ['max_guests: 06', 'max_guests: 6'],
    ['max_guests: 6.0', 'max_guests: 6'],
    ['quiet: Yes', 'quiet: true'],
    ['opened: 1 April 2020', 'opened: 2020-04-01'],
    ['spoken_languages: [EN, pt_br]', 'spoken_languages: [en, pt-BR]'],
    ['Kurztext: Calm', 'summary: Calm'],
    ['sleeps: 4', 'max_guests: 4'],
    ['summary (fr): Calme', 'summary@fr: Calme'],
    ['summary_pt_BR: Calma', 'summary@pt-BR: Calma'],
  ])('%j becomes %j', (line, expected) => {
    const text = repairText(propertyText({}, `${line}\n`), TERMS)?.text ?? '';
    const lines = formatText(text, TERMS.fields)?.split('\n');
    expect(lines).toContain(expected);
    expect(findings(text, TERMS)).toEqual([]);
    expect(repairText(text, TERMS)).toBeUndefined();
  });

  it.each([
    ...[
      'price_from: 1.234,5',
      'price_from: 1,234',
      'check_in_from: 3',
      'check_in_from: bis 16 Uhr',
      'check_in_until: ab 16 Uhr',
      'check_in_until: by 3',
      'check_in_until: entro le 3',
      'check_out_until: after 11:00',
      'check_in_from: nicht 16 Uhr',
      'floor_area: 85 sq ft',
      'floor_area: 85 m',
      'floor_area: 85-100 mq',
      'max_guests: 4 camere',
      ...['max_guests: 4-2', 'max_guests: 2 + mezzanine', 'max_guests: from 4', 'max_guests: 2-4-6'],
      'price_from: £ 95',
      'price_from: € 95 / week',
      'price_from: bis 95 €',
      'price_from: 95 € p.p.p.n.',
      'price_from: £ 95 €',
      'check_in_from: 13 pm',
      'check_in_from: 25:00',
    ],
    ...[
      'website: rose',
      'opened: 01/04/2020',
      'is_enabled: yes',
      'spoken_languages: [English]',
      'check_in_from: evening',
    ],
    ...['summary: a\nKurztext: b', 'sleeps: 1\nguests: 2'],
  ])('none of %j', (line) => expect(repairText(propertyText({}, `${line}\n`), TERMS)).toBeUndefined());

  it('drops the seconds that a spreadsheet adds to the time of a policy', () => {
    const policy = (detail: string) =>
      propertyText({}, `hotel_policy:\n  - policy_type: check_in\n    detail: ${detail}\n`);
    expect(repairText(policy('"15:00:00"'), TERMS)?.text).toBe(policy('"15:00"'));
    expect(repairText(policy('"15:00:30"'), TERMS)).toBeUndefined();
  });

  it('renames translations in entries', () => {
    const text = propertyText(
      {},
      'photo:\n  - url: https://a.example/1.jpg # one\n    description_fr: Devant\n',
    );
    expect(repairText(text, TERMS)?.text).toContain('# one\n    description@fr: Devant\n');
  });
});

it('values are written in one form: numbers, dates and booleans plain, all else by the rules of texts', () => {
  const lines = `summary@fr: b
summary: '12'
max_guests: "6"
quiet: "true"
opened: "2020-04-01"
check_in_from: 15:00
registration_number: ["007"]
title@fr: 'c'
`;
  const formed = formatText(propertyText({}, lines), TERMS.fields)!;
  expect(
    formed.split('\n').filter((line) => /^(summary|title|max|quiet|opened|check|reg)/.test(line)),
  ).toEqual([
    'title: Rose Cottage',
    'title@fr: c',
    'summary: "12"',
    'summary@fr: b',
    'max_guests: 6',
    'check_in_from: "15:00"',
    'registration_number: ["007"]',
    'quiet: true',
    'opened: 2020-04-01',
  ]);
  expect(formatText(formed, TERMS.fields)).toBe(formed);
});

const codes = (text: string) =>
  checkPropertyFile(Buffer.from(propertyText({}, text)), 'a.yaml', TERMS).diagnostics.map(({ code }) => code);

describe('damage of a declared text or a translation (I54)', () => {
  it.each([
    ['description: A house<br>by the sea.\n', 'html-text', 'description: |-\n  A house\n  by the sea.\n'],
    ['summary: <b>Quiet</b> house\n', 'html-text', 'summary: Quiet house\n'],
    ['summary: A cafÃ© below\n', 'garbled-text', 'summary: A café below\n'],
    ['summary@fr: Un cafÃ© en bas\n', 'garbled-text', 'summary@fr: Un café en bas\n'],
    ['title@fr: Maison\u00a0rose\n', 'odd-character', 'title@fr: Maison rose\n'],
    ['title@pt-BR: <i>Casa</i>\n', 'html-text', 'title@pt-BR: Casa\n'],
    ['description@fr: Caf\ufffd\n', 'lost-character', undefined],
    ['registration_number:\n  - cafÃ© 12\n', 'garbled-text', 'registration_number:\n  - café 12\n'],
    ['is_enabled: <p>Yes</p>\n', 'html-text', 'is_enabled: "Yes"\n'],
    ['summary: N/A\n', 'doubtful-placeholder', undefined],
    ['summary: House #5\n', 'text-behind-hash', undefined],
  ] as const)('%s is %s', (line, code, repaired) => {
    expect(codes(line)).toEqual([code]);
    const text = propertyText({}, repaired ?? line);
    expect(repairText(propertyText({}, line), TERMS)?.text ?? text).toBe(text);
    if (repaired !== undefined) expect(codes(repaired)).toEqual([]);
  });

  it('is not looked for in values with rules of their own', () => {
    expect(codes('spoken_languages: [en]\nwebsite: https://a.example/?a=1&amp;b\n')).toEqual([]);
  });
});

it('warns about any declared text that nobody reads to its end', () => {
  expect(codes(`description@fr: ${'a'.repeat(5001)}\n`)).toEqual(['long-text']);
});
