import { describe, expect, it } from 'vitest';
import { meantCity, suggestCities } from '../../src/explorer/city-search.ts';

const country = (code: string, name: string, cities: [string, number][]) => ({
  code,
  name,
  properties: cities.reduce((sum, [, properties]) => sum + properties, 0),
  href: '',
  cities: cities.map(([name, properties]) => ({ name, properties, href: '' })),
});
const countries = {
  countries: [
    country('FR', 'France', [
      ['Paris', 127],
      ['Saint-Denis', 3],
    ]),
    country('GR', 'Greece', [['Αθήνα', 6]]),
    country('RE', 'Réunion', [['Saint-Denis', 2]]),
    country('US', 'United States', [
      ['New Paris', 400],
      ['Paris', 9],
    ]),
  ],
};
const found = (text: string, code = '', limit = 12) =>
  suggestCities(countries, code, text, limit).map(({ city, country, properties }) => [
    city,
    country,
    properties,
  ]);

describe('suggestions', () => {
  it('begin with cities whose name starts with the text, those with most properties first, and include all cities of one name', () => {
    expect(found('par')).toEqual([
      ['Paris', '', 136],
      ['Paris', 'FR', 127],
      ['Paris', 'US', 9],
      ['New Paris', 'US', 400],
    ]);
  });

  it('ignore case and accents', () => {
    expect(found('ΑΘΗΝΑ')).toEqual([['Αθήνα', 'GR', 6]]);
    expect(found('  saint-dénis ')).toHaveLength(3);
  });

  it('respect the country, and a maximum number', () => {
    expect(found('saint', 'RE')).toEqual([['Saint-Denis', 'RE', 2]]);
    expect(found('', '', 2)).toHaveLength(2);
    expect(found('nowhere')).toEqual([]);
  });

  it('show in how many countries a name exists', () => {
    expect(suggestCities(countries, '', 'saint', 1)[0]?.place).toBe('in 2 countries');
  });
});

describe('the city that is meant', () => {
  const meant = (text: string, code = '') => meantCity(countries, code, text)?.city;

  it('is the one of this name, ignoring case and accents, or the only one that contains the text (F)', () => {
    expect(['paris', 'ΑΘΗΝΑ', 'new p', 'Saint-Denis', 'saint-dénis'].map((text) => meant(text))).toEqual([
      'Paris',
      'Αθήνα',
      'New Paris',
      'Saint-Denis',
      'Saint-Denis',
    ]);
  });

  it('is unknown when several match, or none', () => {
    expect([meant('a'), meant('Atlantis'), meant('αθ', 'FR')]).toEqual([undefined, undefined, undefined]);
  });
});
