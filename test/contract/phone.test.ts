import fc from 'fast-check';
import { getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import metadata from 'libphonenumber-js/metadata.max';
import examples from 'libphonenumber-js/mobile/examples';
import { describe, expect, it } from 'vitest';
import { internationalPhone, isValidPhone, normalizePhone } from '../../src/contract/phone.ts';
import { hasAreaCode } from '../../src/contract/phone-area-code.ts';
import { isSurelyValidPhone, quickInternationalPhone } from '../../src/contract/quick-phone-check.ts';

type Country = Parameters<typeof getExampleNumber>[0];

/** A number of each country, in E.164 form. */
const EXAMPLES = (Object.keys(metadata.countries) as Country[]).flatMap(
  (country) => getExampleNumber(country, examples)?.number ?? [],
);

/** Numbers that are nearly those of a country: changed, added or missing digits, with spaces and signs. */
const nearlyPhone = fc
  .record({
    example: fc.constantFrom(...EXAMPLES),
    keep: fc.integer({ min: 2, max: 8 }),
    digits: fc.stringMatching(/^[0-9]{0,10}$/),
    sign: fc.constantFrom('', '', '', ' ', '-', ' (0)', '.', '/', '0', ' ext. ', '\u00a0'),
    signAt: fc.integer({ min: 1, max: 8 }),
  })
  .map(({ example, keep, digits, sign, signAt }) => {
    // Most have the length of the example, so that their length is valid.
    const number = example.slice(0, keep) + digits + example.slice(keep + digits.length);
    return number.slice(0, signAt) + sign + number.slice(signAt);
  });

describe('phone numbers', () => {
  it('are possible by their length, and valid by the ranges in use', () => {
    expect(normalizePhone('+353 67 000 0000')).toBe('+353 67 000 0000');
    expect(isValidPhone('+353 67 000 0000')).toBe(false);
    expect(isValidPhone('+353 1 605 7700')).toBe(true);
    expect(isValidPhone('nothing')).toBe(false);
  });

  it.each([
    ['+44 0 20 7946 0958', '+44 20 7946 0958'],
    ['+44 (0)20 7946 0958', '+44 20 7946 0958'],
    ['+49-(0)30-123456', '+49 30 123456'],
    ['+39 06 6988 3145', '+39 06 6988 3145'],
    ['+353-1-605-7700', '+353-1-605-7700'],
    ['+44 20 7946 0958 ext. 5', '+44 20 7946 0958 ext. 5'],
    ['01 605 7700', undefined],
  ])('are published as they are dialled: %s (A11)', (typed, published) =>
    expect(normalizePhone(typed)).toBe(published),
  );

  it.each([
    ['01 605 7700', 'IE', '+353 1 605 7700'],
    ['(01) 605-7700', 'IE', '+353 1 605 7700'],
    ['353 1 605 7700', 'IE', '+353 1 605 7700'],
    ['06 12 34 56 78', 'FR', '+33 6 12 34 56 78'],
    ['605 77', 'IE', undefined],
    ['952 1234', 'IE', undefined],
    ['871234567', 'IE', '+353 87 123 4567'],
    ['(305) 455-1234', 'US', '+1 305 455 1234'],
    ['+353 1 605 7700', 'IE', undefined],
    ['call 01 605 7700', 'IE', undefined],
    ['tel:01-605-7700;phone-context=+353', 'IE', '+353 1 605 7700'],
    ['ー01 605 7700', 'IE', '+353 1 605 7700'],
    ['01 605 7700', 'ZZ', undefined],
    ['01 605 7700', '', undefined],
  ])('of a country have an international form: %s in %s (A12)', (typed, country, expected) =>
    expect(internationalPhone(typed, country)).toBe(expected),
  );

  it('get the verdict of the library', () => {
    const counts = { sure: 0, valid: 0 };
    fc.assert(
      fc.property(nearlyPhone, (value) => {
        const number = parsePhoneNumberFromString(value, { extract: false });
        const published = normalizePhone(value);
        expect(published !== undefined).toBe(value.startsWith('+') && number?.isPossible() === true);
        // The digits are those to dial, whatever was written (A11).
        const dialled = number && number.number.slice(1) + (number.ext ?? '');
        if (published !== undefined) expect(published.replace(/\D/g, '')).toBe(dialled);
        expect(isValidPhone(value)).toBe(number?.isValid() === true);
        if (isSurelyValidPhone(value)) counts.sure++;
        if (number?.isValid()) counts.valid++;
      }),
      { numRuns: 4000 },
    );
    // Otherwise the test would compare the library with itself. The share is about 0.61.
    expect(counts.sure / counts.valid).toBeGreaterThan(0.5);
    expect(counts.valid).toBeGreaterThan(400);
  });

  it('of a country get the form of the library', () => {
    const numbers = (Object.keys(metadata.countries) as Country[]).flatMap((country) => {
      const example = getExampleNumber(country, examples);
      return example ? [{ country, example }] : [];
    });
    const nearlyNational = fc
      .record({
        of: fc.constantFrom(...numbers),
        form: fc.constantFrom('written', 'digits', 'bare', '0', '1', '8'),
        digits: fc.dictionary(fc.nat({ max: 12 }).map(String), fc.nat({ max: 9 }), { maxKeys: 6 }),
        end: fc.constantFrom('', '', '', '', '7', ' ', '-1'),
      })
      .map(({ of: { country, example }, form, digits, end }) => {
        const { nationalNumber } = example;
        const forms: Record<string, string> = {
          written: example.formatNational(),
          digits: example.formatNational().replace(/\D/g, ''),
          bare: nationalNumber,
        };
        const text = forms[form] ?? form + nationalNumber;
        const changed = [...text].map((sign, place) =>
          /\d/.test(sign) ? (digits[place]?.toString() ?? sign) : sign,
        );
        return { country, text: changed.join('') + end };
      });
    let sure = 0;
    let valid = 0;
    fc.assert(
      fc.property(nearlyNational, ({ country, text }) => {
        const number = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
        const expected =
          number?.isValid() && hasAreaCode(text, number) ? number.formatInternational() : undefined;
        const found = quickInternationalPhone(text, country);
        if (found !== undefined) expect(found).toBe(expected);
        if (found !== undefined) sure++;
        if (expected !== undefined) valid++;
      }),
      { numRuns: 4000 },
    );
    expect(sure / valid).toBeGreaterThan(0.5);
    expect(valid).toBeGreaterThan(400);
  });

  it('of all countries are certainly valid in their usual form', () => {
    const doubtful = EXAMPLES.filter((number) => !isSurelyValidPhone(number));
    expect(doubtful.length / EXAMPLES.length).toBeLessThan(0.02);
  });
});
