import { describe, expect, it } from 'vitest';
import { validateProperty } from '../../../src/import/candidate/candidate.ts';
import { termsFrom } from '../../support/terms.ts';

const ROW = {
  id: '5f3c1c1e-8d0a-4c56-9a59-3f6f0a8f3c11',
  title: 'Rose Cottage',
  currency: 'EUR',
  email: 'stay@rosecottage.example',
  city: 'Cork',
  country: 'IE',
  latitude: '51.9',
  longitude: '-8.4',
};
const read = (phone: string, options = {}) => validateProperty({ ...ROW, phone }, termsFrom(), options);

it.each([
  ['353880000000', '+353 88 000 0000', true],
  ['353881000000', '+353 88 100 0000', true],
  ['353881100000', '+353 88 110 0000', false],
  ['+353 88 000 0000', '+353 88 000 0000', false],
])(
  'the phone number %s, which becomes %s, may have been rounded by a spreadsheet: %s',
  (cell, phone, isDoubtful) => {
    const { property, findings } = read(cell);
    const message = `"${cell}" ends in six zeros or more: a spreadsheet may have rounded it.`;
    expect([property?.phone?.replace(/\D/g, ''), findings.some((one) => one.message === message)]).toEqual([
      phone.replace(/\D/g, ''),
      isDoubtful,
    ]);
  },
);

describe('two phone numbers in one cell', () => {
  it.each([
    ['+353 1 605 7700 / +353 21 427 1234', '+353 1 605 7700'],
    ['+353 1 605 7700/+353 21 427 1234', '+353 1 605 7700'],
    ['01 605 7700; 021 427 1234', '+353 1 605 7700'],
    ['01 605 7700, 021 427 1234', '+353 1 605 7700'],
    ['01 605 7700 or 021 427 1234', '+353 1 605 7700'],
    ['01 605 7700\n021 427 1234', '+353 1 605 7700'],
    ['+353 1 605 7700, ask for Nora', '+353 1 605 7700'],
  ])('%j: the first one is taken, the rest is named', (cell, phone) => {
    const { property, findings } = read(cell);
    expect(property?.phone).toBe(phone);
    const [, rest = ''] = /and "(.*)" left out/.exec(findings[0]!.message) ?? [];
    expect(findings).toMatchObject([{ code: 'several-phones', severity: 'warning', field: 'phone' }]);
    expect(cell.endsWith(rest) && rest !== '').toBe(true);
  });

  it.each(['+353 1 605 7700', '01/605 7700', '(01) 605-7700'])('%j is one number', (cell) => {
    expect(read(cell)).toMatchObject({ property: { phone: '+353 1 605 7700' }, findings: [] });
  });

  it.each([
    '(+353) 1 605 7700.',
    '+353 1 605 7700 /',
    '00353 1 605 7700 -',
    '01 605 7700;',
    'Tel. +353 1 605 7700',
  ])('%j loses what is not dialled, with or without the code of its country', (cell) => {
    expect(read(cell)).toMatchObject({
      property: { phone: '+353 1 605 7700' },
      findings: [],
      repairs: [{ field: 'phone', from: cell }],
    });
  });

  it('is left out where the first is no number, and refused where values have to be exact', () => {
    expect(read('office, 021 427 1234').findings.map(({ code }) => code)).toEqual(['invalid-phone']);
    expect(read('01 605 7700; 021 427 1234', { strict: true }).property).toBeUndefined();
  });
});

describe('two e-mail addresses in one cell', () => {
  const readEmail = (email: string) =>
    validateProperty({ ...ROW, phone: '+353 1 605 7700', email }, termsFrom());

  it.each([
    ...['a@x.example; b@x.example', 'a@x.example / b@x.example', 'a@x.example,b@x.example'],
    ...['Ana <a@x.example>; Bob <b@x.example>', 'a@x.example or b@x.example', 'a@x.example / by phone'],
  ])('%j: the first one is taken, the rest is named', (cell) => {
    const { property, findings } = readEmail(cell);
    expect(property?.email).toBe('a@x.example');
    expect(findings).toMatchObject([{ code: 'several-emails', severity: 'warning', field: 'email' }]);
    expect(cell).toContain(/and "(.*)" left out/.exec(findings[0]!.message)?.[1]);
  });

  it('is left out where the first is not one', () => {
    expect(readEmail('none; b@x.example').findings.map(({ code }) => code)).toEqual(['invalid-email']);
  });
});

describe('a value of a row in which another value is left out', () => {
  const rest = { phone: 'none known', photo: [{ url: 'http://photos.example/1.jpg' }] };
  it('has its repair in the report', () => {
    const { property, repairs } = validateProperty(
      { ...ROW, ...rest, email: 'stay@möwe.example', country: 'Ireland', latitude: '\u221251.9' },
      termsFrom(),
    );
    expect(property).toMatchObject({ email: 'stay@xn--mwe-sna.example', country: 'IE' });
    expect(repairs.map(({ field }) => field).sort()).toEqual(['country', 'email', 'latitude']);
  });

  it('is not said to lack coordinates where something else refuses it', () => {
    const { latitude: _, longitude: _east, ...unplaced } = ROW;
    const { property, findings } = validateProperty({ ...unplaced, country: 'Narnia' }, termsFrom());
    expect(property).toBeUndefined();
    expect(findings.map(({ code }) => code)).toEqual(['unknown-country']);
  });

  it('has none in the report where the row is refused', () => {
    const { property, repairs } = validateProperty({ ...ROW, country: 'Ireland', title: '' }, termsFrom());
    expect([property, repairs]).toEqual([undefined, []]);
  });
});
