import fc from 'fast-check';
import metadata from 'libphonenumber-js/metadata.max';
import { describe, expect, it } from 'vitest';
import { countryName, identifierToWords, phoneText } from '../../src/contract/display-text.ts';

describe('words for the reader', () => {
  it('are made from identifiers', () => {
    expect(['free_parking', 'wifi', 'check_in', 'cot'].map(identifierToWords)).toEqual([
      'Free parking',
      'Wi-Fi',
      'Check-in',
      'Cot',
    ]);
  });

  it('stay unchanged when they were written as words', () => {
    for (const text of ['Boot room', 'WLAN', 'piscine chauffée', '', 'a__b', 'constructor_', 'toString'])
      expect(identifierToWords(text)).toBe(text);
  });

  it('name countries, and keep an unknown code', () => {
    expect([countryName('IE'), countryName('x')]).toEqual(['Ireland', 'x']);
  });
});

describe('a phone number', () => {
  it.each([
    ['+353719622222', '+353 719 622 222'],
    ['+12025550123', '+1 202 555 0123'],
    ['+85251234567', '+852 5123 4567'],
    ['+390612345678', '+39 061 234 5678'],
    ['+442079460123', '+44 207 946 0123'],
    ['+29034567', '+29034567'],
    ['+353 71 962 2222', '+353 71 962 2222'],
    ['0719622222', '0719622222'],
    ['', ''],
  ])('%s is shown as %s', (phone, shown) => expect(phoneText(phone)).toBe(shown));

  it('keeps each digit', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\+[0-9]{1,15}$/), (phone) => {
        expect(phoneText(phone).replaceAll(' ', '')).toBe(phone);
      }),
    );
  });

  it('begins with the code of its country, whichever it is', () => {
    const codes = Object.keys(metadata.country_calling_codes);
    expect(codes.length).toBeGreaterThan(200);
    for (const code of codes) expect(phoneText(`+${code}123456`)).toBe(`+${code} 123 456`);
  });
});
