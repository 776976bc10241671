import { describe, expect, it } from 'vitest';
import { choiceMeant, choicesFor } from '../../src/editor/choices.ts';

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
const found = (text: string) => choicesFor(COUNTRIES, text, 3).map(({ value }) => value);

describe('choices', () => {
  it('begin with what the text is, then what begins with it, then words within', () => {
    expect([found('gre'), found('king'), found('IE'), found('cote'), found('land')]).toEqual([
      ['GR', 'GL'],
      ['GB'],
      ['IE'],
      ['CI'],
      ['GL', 'IE'],
    ]);
    expect([found(''), found('xyz')]).toEqual([['GR', 'GL', 'IE'], []]);
  });

  it('are found by what means the same, whatever its signs', () => {
    for (const text of ['wlan', 'Wi Fi', 'WIFI', 'inter']) {
      expect(
        choicesFor(WORDS, text, 9).map(({ value }) => value),
        text,
      ).toEqual(['wifi']);
    }
  });

  it('leave no doubt for a code, a whole name, and the only beginning', () => {
    const meant = (text: string) => choiceMeant(COUNTRIES, text)?.value;
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
