import { describe, expect, it } from 'vitest';
import type { CityList } from '../../src/contract/document-schemas.ts';
import { findCity, suggestCities, suggestionNote } from '../../src/explorer/city-search.ts';

const list = (country: string, cities: [string, number][]): CityList => ({
  country,
  href: '',
  cities: cities.map(([name, properties]) => ({ name, properties })),
});
const lists = [
  list('FR', [
    ['Paris', 127],
    ['Saint-Denis', 3],
  ]),
  list('GR', [['Αθήνα', 6]]),
  list('RE', [['Saint-Denis', 2]]),
  list('US', [
    ['New Paris', 400],
    ['Paris', 9],
  ]),
];
const of = (code: string) => lists.filter(({ country }) => country === code);
const found = (text: string, among = lists, limit = 12) =>
  suggestCities(among, text, limit).map(({ city, country, properties }) => [city, country, properties]);

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
    expect(found('saint', of('RE'))).toEqual([['Saint-Denis', 'RE', 2]]);
    expect(found('', lists, 2)).toHaveLength(2);
    expect(found('nowhere')).toEqual([]);
  });

  it('show in how many countries a name exists', () => {
    const places = suggestCities(lists, 'saint', 3).map((one) =>
      suggestionNote(one, (code) => `name of ${code}`),
    );
    expect(places).toEqual(['in 2 countries', 'name of FR', 'name of RE']);
  });
});

describe('the city that is meant', () => {
  const meant = (text: string, among = lists) => findCity(among, text)?.city;

  it('is the one of this name, ignoring case and accents, or the only one that contains the text (F)', () => {
    expect(['paris', 'ΑΘΗΝΑ', 'new p', 'Saint-Denis', 'saint-dénis'].map((text) => meant(text))).toEqual([
      ...['Paris', 'Αθήνα', 'New Paris', 'Saint-Denis', 'Saint-Denis'],
    ]);
  });

  it('is unknown when several match, or none', () => {
    expect([meant('a'), meant('Atlantis'), meant('αθ', of('FR'))]).toEqual([undefined, undefined, undefined]);
  });
});
