import { describe, expect, it } from 'vitest';
import { matchChoice, matchingChoices } from '../../src/editor/choices.ts';

const COUNTRIES = [
  { value: 'GR', label: 'Greece' },
  { value: 'GL', label: 'Greenland' },
  { value: 'IE', label: 'Ireland' },
  { value: 'GB', label: 'United Kingdom' },
  { value: 'CI', label: 'Côte d’Ivoire' },
];
const WORDS = [
  { value: 'free_parking', label: 'Free parking', synonyms: ['freecarpark'] },
  { value: 'wifi', label: 'Wi-Fi', synonyms: ['wlan', 'internet'] },
];
const found = (text: string) => matchingChoices(COUNTRIES, text, 3).map(({ value }) => value);

describe('choices', () => {
  it('start with the exact match, then those that begin with the text, then those with a word of it', () => {
    expect([found('gre'), found('king'), found('IE'), found('cote'), found('land')]).toEqual([
      ['GR', 'GL'],
      ['GB'],
      ['IE'],
      ['CI'],
      ['GL', 'IE'],
    ]);
    expect([found(''), found('xyz')]).toEqual([['GR', 'GL', 'IE'], []]);
  });

  it('are found by every text that means the same, whatever its signs are', () => {
    for (const text of ['wlan', 'Wi Fi', 'WIFI', 'inter']) {
      expect(
        matchingChoices(WORDS, text, 9).map(({ value }) => value),
        text,
      ).toEqual(['wifi']);
    }
  });

  it('resolve another name, and a sign (A9)', () => {
    const codes = [
      { value: 'NL', label: 'Netherlands', synonyms: ['nld', 'nederland', 'holland'] },
      { value: 'EUR', label: 'Euro', synonyms: ['€'] },
    ];
    expect(['Holland', 'NLD', '€', '$'].map((text) => matchChoice(codes, text)?.value)).toEqual([
      'NL',
      'NL',
      'EUR',
      undefined,
    ]);
  });

  it('resolve a code, a whole name, and the only match by its beginning', () => {
    const meant = (text: string) => matchChoice(COUNTRIES, text)?.value;
    expect(['ie', 'Greece', 'irel', 'gre', 'land', ''].map(meant)).toEqual([
      'IE',
      'GR',
      'IE',
      undefined,
      undefined,
      undefined,
    ]);
  });
});
