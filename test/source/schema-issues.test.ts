import { describe, expect, it } from 'vitest';
import { checkConfiguration } from '../../src/source/configuration-file.ts';
import { checkPropertyFile } from '../../src/source/property-file.ts';
import { describeValue } from '../../src/source/schema-issues.ts';
import { termsFrom } from '../support/terms.ts';
import { findings, propertyText, withLine } from './property-text.ts';

/** Message and help of the first finding. */
function found(text: string): [message: string, help: string] {
  const [first] = checkPropertyFile(Buffer.from(text), 'rose.yaml', termsFrom()).diagnostics;
  return [first?.message ?? '', first?.help ?? ''];
}

const help = (text: string) => found(text)[1];

it.each([
  [{ country: 'irland' }, 'Did you mean "IE" (Ireland)?'],
  [{ country: 'ie' }, 'Did you mean "IE"?'],
  [{ country: 'ZZ' }, 'Use an ISO 3166-1 alpha-2 code, such as IE.'],
  [{ currency: 'EURO' }, 'Did you mean "EUR" (Euro)?'],
  [{ currency: 'eur' }, 'Did you mean "EUR"?'],
  [{ currency: '$' }, 'Use an ISO 4217 code, such as EUR.'],
])('an unknown code: %j', (fields, advice) => expect(help(propertyText(fields))).toBe(advice));

describe('a field that does not exist', () => {
  it('is reported with the nearest missing one', () => {
    expect(found(propertyText({}, 'zipcode: x\n'))).toEqual([
      'There is no field "zipcode".',
      'Did you mean "zip_code"?',
    ]);
    // "title" exists already, so that it cannot be meant.
    expect(help(propertyText({}, 'titel: x\n'))).toBe(
      'Correct it, or declare it: below "fields" in catalogue.yaml, add "titel: { type: text }".',
    );
    expect(help(propertyText({}, 'Titel Nr: x\n'))).toMatch(
      /^Known fields: id, title, draft, live_from, live_until, currency, /,
    );
    // Without a value it can; and a field that is meant is not missing (E9).
    expect(findings(withLine('title', 'titel: x\ntitle:')).map(([code]) => code)).toEqual(['unknown-key']);
  });

  it('is reported with its entry', () => {
    const text = propertyText({}, 'photo:\n  - file: a.jpg\n  - file: b.jpg\n    descripton: x\n');
    expect(found(text)).toEqual([
      'There is no field "descripton" in entry 2 of photo.',
      'Did you mean "description"?',
    ]);
    expect(help(propertyText({}, 'hotel_policy:\n  - {policy_type: a, detail: b, x: c}\n'))).toBe(
      'Known fields: policy_type, detail.',
    );
  });
});

describe('a field that is missing', () => {
  it('is reported with an example', () => {
    expect(found(propertyText({ title: undefined }))).toEqual([
      'The field "title" is missing.',
      'Add it, for example "title: Rose Cottage".',
    ]);
    expect(found(withLine('title', 'title:'))).toEqual([
      'The field "title" has no value.',
      'Fill it in, for example "title: Rose Cottage".',
    ]);
    expect(found(propertyText({}, 'payment_method:\n  - is_enabled: true\n'))).toEqual([
      'The field "method_type" is missing in entry 1 of payment_method.',
      'Add it, for example "method_type: direct".',
    ]);
  });
});

describe('a value of another shape', () => {
  it.each([
    [
      propertyText({}, 'facilities: wifi\n'),
      'Expected a list here, and found the text "wifi".',
      'Write it as a list: "facilities:", then one line for each entry, starting with "  - ".',
    ],
    [
      propertyText({}, 'photo:\n  - a.jpg\n'),
      'Expected a mapping here, and found the text "a.jpg".',
      'Write it as "field: value" lines, indented below the dash.',
    ],
    [
      propertyText({ city: '[Galway]' }),
      'Expected text here, and found a list.',
      'Write one plain value; put it in quotes if it has ": " or starts with "[", "{" or "-".',
    ],
    [
      propertyText({}, 'facilities:\n  -\n'),
      'Expected text here, and found nothing.',
      'Write a value, or delete the line.',
    ],
  ])('%#', (text, message, advice) => expect(found(text)).toEqual([message, advice]));

  it('of the configuration has its own message', () => {
    const { diagnostics } = checkConfiguration(Buffer.from('photo: big\n'));
    expect(diagnostics[0]).toMatchObject({
      message: 'Expected a mapping here, and found the text "big".',
      help: 'Write it as "field: value" lines, indented below its name.',
    });
  });
});

describe('an unknown method type', () => {
  it.each([
    ['Direct', 'Did you mean "direct"?'],
    ['proprety', 'Did you mean "property"?'],
    ['cash', 'Write one of: direct, property.'],
  ])('%s', (type, advice) => {
    expect(help(propertyText({}, `payment_method:\n  - is_enabled: true\n    method_type: ${type}\n`))).toBe(
      advice,
    );
  });
});

describe('describeValue', () => {
  it.each([
    [null, 'nothing'],
    [undefined, 'nothing'],
    [[], 'a list'],
    [{}, 'a mapping'],
    ['abc', 'the text "abc"'],
    ['x'.repeat(41), `the text "${'x'.repeat(39)}…"`],
    ['😀'.repeat(41), `the text "${'😀'.repeat(19)}…"`],
  ])('of %j is %s', (value, kind) => expect(describeValue(value)).toBe(kind));
});
